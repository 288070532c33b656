#include "fuzz/targets.h"

#include <stdexcept>

#include "core/error.h"
#include "core/log.h"

namespace ventris::fuzz {

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

bool accepts(const Target& target, std::string_view input) {
  try {
    target.run(input);
    return true;
  } catch (const Error& error) {
    require(error.what()[0] != '\0', "an error has a text");
    return false;
  }
}

void require(bool holds, const std::string& promise) {
  if (!holds) throw std::logic_error("this does not hold: " + promise);
}

std::pair<std::string_view, std::string_view> first_line_of(std::string_view input) {
  const size_t end = input.find('\n');
  if (end == std::string_view::npos) return {input, {}};
  return {input.substr(0, end), input.substr(end + 1)};
}

std::pair<std::string_view, std::string_view> halves_of(std::string_view input) {
  constexpr std::string_view kBetween = "====\n";
  size_t at = input.starts_with(kBetween) ? 0 : input.find("\n====\n");
  if (at == std::string_view::npos) return {input, {}};
  if (input[at] == '\n') ++at;
  return {input.substr(0, at), input.substr(at + kBetween.size())};
}

const test::TempFolder& folder() {
  static const test::TempFolder only(test::memory_folder());
  return only;
}

std::string file_with(std::string_view input, const std::string& name) {
  return folder().file(name, std::string(input));
}

}  // namespace ventris::fuzz
