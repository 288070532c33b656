#pragma once
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "alignment/sentence_pairs.h"

namespace ventris::test {

/// Sentence pairs of a made-up language and its word-for-word translation in another order, with words left out and
/// words added.
inline std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> drawn_sentences(int pairs,
                                                                                                  unsigned seed = 5) {
  std::mt19937 random(seed);
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> sentences;
  for (int pair = 0; pair < pairs; ++pair) {
    std::vector<std::string> source, target;
    for (unsigned left = 1 + random() % 12; left > 0; --left) {
      const std::string word = std::to_string(random() % 40 * (random() % 3));
      source.push_back("s" + word + "e");
      if (random() % 8 != 0) target.push_back("ta" + word);
      if (random() % 9 == 0) target.push_back("of");
      if (target.size() > 1 && random() % 4 == 0) std::swap(target.back(), target[target.size() - 2]);
    }
    if (target.empty()) target.push_back("of");
    sentences.emplace_back(source, target);
  }
  return sentences;
}

inline void add_sentences(alignment::SentencePairs& pairs,
                          const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>& sentences,
                          bool counted = true) {
  for (const auto& [source, target] : sentences) {
    pairs.add(std::vector<std::string_view>(source.begin(), source.end()),
              std::vector<std::string_view>(target.begin(), target.end()), counted);
  }
}

inline alignment::SentencePairs drawn_pairs(int pairs, unsigned seed = 5) {
  alignment::SentencePairs drawn(4);
  add_sentences(drawn, drawn_sentences(pairs, seed));
  return drawn;
}

}  // namespace ventris::test
