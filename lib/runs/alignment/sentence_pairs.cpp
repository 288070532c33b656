#include "alignment/sentence_pairs.h"

namespace ventris::alignment {

void SentencePairs::Side::add(std::span<const std::string_view> sentence, WordTable& vocabulary, bool counted) {
  for (const std::string_view word : sentence) words.push_back(vocabulary.add(word, counted ? 1 : 0));
  ends.push_back(words.size());
}

void SentencePairs::add(std::span<const std::string_view> source, std::span<const std::string_view> target,
                        bool counted) {
  source_.add(source, source_words_, counted);
  target_.add(target, target_words_, counted);
}

void SentencePairs::clear() {
  source_ = {};
  target_ = {};
}

bool can_have_links(const SentencePairs& pairs, size_t pair) {
  const size_t source = pairs.source(pair).size(), target = pairs.target(pair).size();
  return source > 0 && target > 0 && source <= kMostWords && target <= kMostWords;
}

}  // namespace ventris::alignment
