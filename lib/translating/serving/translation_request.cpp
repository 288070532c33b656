#include "serving/translation_request.h"

#include <algorithm>

#include "formats/format_table.h"
#include "serving/arguments.h"

namespace ventris::serving {

int64_t TranslationRequest::characters() const {
  if (markup::is_package(kind.markup)) return characters_of(readable);
  int64_t of_each = 0, sum = 0;
  for (const auto* all : {&phrases.required, &phrases.forbidden, &context}) {
    for (const std::string& one : *all) of_each += characters_of(one);
  }
  for (const std::string& text : texts) sum += characters_of(text) + of_each;
  return sum;
}

int64_t TranslationRequest::load() const {
  return std::max(characters(), kLeastOfText * static_cast<int64_t>(texts.size()));
}

markup::Markup markup_of(const std::string& name) {
  const formats::FileFormat* const format = formats::find_format(name);
  if (format != nullptr && markup::is_package(format->markup)) {
    throw RequestError(400, "Invalid request: " + name + " is for files; send the file to /translate_file");
  }
  if (format != nullptr) return format->markup;
  throw RequestError(400, "Invalid request: markup parameter must be one of " + formats::format_names());
}

void check(const TranslationRequest& request, const ServeLimits& limits) {
  const auto refuse = [](int64_t found, int64_t limit, const char* what) {
    throw RequestError(400, "Invalid request: request (" + std::to_string(found) + what + ") exceeds text limit (" +
                                std::to_string(limit) + ")");
  };
  const auto texts = static_cast<int64_t>(request.texts.size());
  if (texts > limits.texts) refuse(texts, limits.texts, " texts");
  const int64_t characters = request.characters();
  if (characters > limits.characters) refuse(characters, limits.characters, "");
}

}  // namespace ventris::serving
