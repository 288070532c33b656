#pragma once
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::test {

/// A few hundred different English-looking lines of our own making: small words in a fixed pattern.
inline std::vector<std::string> tiny_text() {
  const std::vector<std::string> who{"The old man", "A small child", "My sister",
                                     "The driver",  "Nobody",        "Some workers"};
  const std::vector<std::string> verb{"is waiting for", "was talking about", "likes", "carries",
                                      "sees",           "never painted"};
  const std::vector<std::string> what{
      "the bridge", "a green umbrella", "two wooden boats", "the neighbour's dog", "bread", "Zürich"};
  std::vector<std::string> lines;
  for (const auto& a : who) {
    for (const auto& b : verb) {
      for (const auto& c : what) lines.push_back(a + " " + b + " " + c + ".");
    }
  }
  return lines;
}

inline text::LineSource source_of(const std::vector<std::string>& lines) {
  return [&lines, next = size_t{0}](std::string& line) mutable {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
}

inline text::Tokenizer tiny_tokenizer(text::TokenizerKind kind, bool byte_fallback = false) {
  const auto lines = tiny_text();
  text::TokenizerTraining training;
  training.kind = kind;
  training.vocab_size = byte_fallback ? 400 : 150;
  training.byte_fallback = byte_fallback;
  return {text::learn_tokenizer(source_of(lines), training), "tiny tokenizer"};
}

}  // namespace ventris::test
