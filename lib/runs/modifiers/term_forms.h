#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/word_forms.h"
#include "modifiers/modifier.h"

namespace ventris::modifiers {

/// The forms in which a corpus translates a word: target words that are linked to the same source word and begin
/// alike (metrics::begin_alike), such as Hund, Hunde and Hundes for dog. What occurs once is left out.
class TermForms {
 public:
  /// Counts the words of a pair that have one link each. With `division`, the pair's links count its words.
  void add(const TextPair& pair, metrics::Division division);
  /// Must be called once, after the last add().
  void finish();

  /// A form of `target`, itself included, drawn by how often each occurs as the translation of `source`.
  std::string_view draw(std::string_view source, std::string_view target, Draws& draws) const;

 private:
  struct Form {
    std::string word;
    metrics::PlainWord plain;
    uint32_t count;
  };
  std::unordered_map<std::string, std::unordered_map<std::string, uint32_t>> counts_;  // until finish()
  std::unordered_map<std::string, std::vector<Form>> forms_;  // of each source word in small letters, sorted
};

}  // namespace ventris::modifiers
