#include "formats/value_writer.h"

#include <algorithm>

namespace ventris::formats {

void ValueWriter::add(ByteRange range, const std::string& text, int64_t line, WriteValue write,
                      markup::MarkedDocument& document) {
  const size_t message = messages_.add(text, line, document);
  if (messages_.has_texts(message)) values_.push_back({range, message, std::move(write)});
}

std::string ValueWriter::write(const std::vector<std::string>& translations) const {
  std::vector<Replacement> replacements = fixed_;
  for (const Value& value : values_) {
    const std::string text = messages_.translated(value.message, translations);
    if (text != messages_.source(value.message)) replacements.push_back({value.range, value.write(text)});
  }
  std::ranges::sort(replacements, {}, [](const Replacement& one) { return one.range.begin; });
  return replaced(document_, replacements);
}

}  // namespace ventris::formats
