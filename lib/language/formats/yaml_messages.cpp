#include "formats/yaml_messages.h"

#include <memory>
#include <utility>

#include "formats/key_choice.h"
#include "formats/value_writer.h"
#include "formats/yaml_scalars.h"

namespace ventris::formats {

markup::MarkedDocument parse_yaml_messages(const std::string& document, const std::string& keys) {
  markup::MarkedDocument result;
  const auto writer = std::make_shared<ValueWriter>(document);
  result.writer = writer;
  const KeyChoice choice(keys);
  for (YamlScalar& scalar : read_yaml(document)) {
    if (!choice.has(scalar.path) || is_code_of_key(scalar.path, scalar.text)) continue;
    const ByteRange range = scalar.range;
    const int64_t line = scalar.line;
    std::string text = scalar.text;
    scalar.path.clear();
    const auto write = [scalar = std::move(scalar), raw = std::string(part_of(document, range))](
                           const std::string& written) { return write_yaml(scalar, raw, written); };
    writer->add(range, text, line, write, result);
  }
  return result;
}

}  // namespace ventris::formats
