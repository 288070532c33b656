#pragma once
#include <string>

#include "documents/document_translator.h"
#include "support/document_run.h"

namespace ventris::test {

/// The document as a model leaves it that writes each sentence in capitals, with one space between words.
inline std::string in_upper_case(const std::string& document, markup::Markup markup,
                                 documents::DocumentOptions options = {}) {
  options.markup = markup;
  const auto change = [](const std::string& sentence) {
    std::string text;
    for (const auto& word : metrics::split_words(sentence)) text.append(text.empty() ? "" : " ").append(word);
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
  };
  return change_document(document, options, change, WordOrder::kSame).answer.translation.text();
}

/// The same for one message of JSON, as it is written in the file.
inline std::string message_in_upper_case(const std::string& message) {
  const std::string begin = "{\"a\": \"", end = "\"}";
  const std::string written = in_upper_case(begin + message + end, markup::Markup::kJson);
  return written.substr(begin.size(), written.size() - begin.size() - end.size());
}

}  // namespace ventris::test
