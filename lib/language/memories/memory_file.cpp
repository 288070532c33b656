#include "memories/memory_file.h"

#include <algorithm>

#include "core/ascii.h"
#include "core/error.h"

namespace ventris::memories {
namespace {

std::string normal(std::string_view language) {
  std::string code = core::in_lower_case(language);
  std::ranges::replace(code, '_', '-');
  return code;
}

}  // namespace

bool is_memory(std::string_view file) {
  const std::string name = core::in_lower_case(file);
  return name.ends_with(".tmx") || name.ends_with(".tmx.gz");
}

NamedMemory parse_memory(const std::string& name) {
  const std::string small = core::in_lower_case(name);
  size_t end = std::string::npos;
  for (const std::string_view ending : {".tmx:", ".tmx.gz:"}) {
    const size_t found = small.rfind(ending);
    if (found != std::string::npos) end = found + ending.size() - 1;
  }
  if (end == std::string::npos) return {name, {}};
  const std::string languages = name.substr(end + 1);
  const size_t colon = languages.find(':');
  const std::string source = languages.substr(0, colon);
  const std::string target = colon == std::string::npos ? "" : languages.substr(colon + 1);
  const auto is_code = [](std::string_view code) {
    return !code.empty() && code.find_first_of(":/") == std::string_view::npos;
  };
  if (!is_code(source) || !is_code(target)) {
    fail<ConfigError>(name, ": expected a source and a target language behind the name of the file, such as ",
                      name.substr(0, end), ":en:de");
  }
  return {name.substr(0, end), {source, target}};
}

std::string name_of(const NamedMemory& memory) {
  const MemoryLanguages& languages = memory.languages;
  return languages.source.empty() ? memory.path : memory.path + ":" + languages.source + ":" + languages.target;
}

int language_match(std::string_view asked, std::string_view found) {
  const std::string range = normal(asked), code = normal(found);
  if (range == code) return 2;
  return code.size() > range.size() && code.starts_with(range) && code[range.size()] == '-' ? 1 : 0;
}

}  // namespace ventris::memories
