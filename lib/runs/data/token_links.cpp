#include "data/token_links.h"

#include <algorithm>
#include <span>

namespace ventris::data {
namespace {

/// The words [first, end) of which a token has a part.
struct WordRange {
  size_t first = 0, end = 0;
  bool has(size_t word) const { return first <= word && word < end; }
};

/// The words of each token, by their places in `text`; both are in the order of the text.
std::vector<WordRange> words_of_places(std::span<const text::ByteRange> places, std::string_view text,
                                       std::span<const std::string_view> words) {
  const auto begin_of = [&](size_t word) { return static_cast<size_t>(words[word].data() - text.data()); };
  std::vector<WordRange> ranges;
  size_t word = 0;
  for (const text::ByteRange& place : places) {
    while (word < words.size() && begin_of(word) + words[word].size() <= place.begin) ++word;
    size_t end = word;
    while (end < words.size() && begin_of(end) < place.end) ++end;
    if (end == word && word < words.size()) ++end;  // a space
    ranges.push_back({word, end});
  }
  return ranges;
}

/// The words of each of `ids`, which are a segmentation of `text`; empty if they cannot be told.
std::vector<WordRange> words_of_tokens(const text::Tokenizer& tokenizer, const std::string& text,
                                       std::span<const int32_t> ids, metrics::Division division, bool drawn) {
  const auto words = metrics::divided(text, division);
  if (!drawn) {
    const auto places = tokenizer.places(text);
    return places.size() == ids.size() ? words_of_places(places, text, words) : std::vector<WordRange>();
  }
  const text::PlacedText written = tokenizer.decode_placed(ids);
  const auto found = metrics::divided(written.text, division);
  if (found.size() != words.size()) return {};
  return words_of_places(written.places, written.text, found);
}

}  // namespace

void TokenLinker::link(const SentencePair& pair, uint32_t tag_tokens, int32_t sentence,
                       std::vector<TokenLink>& links) const {
  if (pair.links.empty()) return;
  const size_t before_source = tag_tokens + pair.source_context, before_target = pair.target_context;
  const auto source = words_of_tokens(source_, pair.source_text, std::span(pair.source).subspan(before_source),
                                      division_, sampled_.source);
  const auto target = words_of_tokens(target_, pair.target_text, std::span(pair.target).subspan(before_target),
                                      division_, sampled_.target);
  if (source.empty()) return;
  for (size_t t = 0; t < target.size(); ++t) {
    std::vector<bool> looks(source.size() + 1);  // the last is eos
    for (const text::Link& link : pair.links) {
      if (!target[t].has(static_cast<size_t>(link.target))) continue;
      for (size_t s = 0; s < source.size(); ++s) {
        if (source[s].has(static_cast<size_t>(link.source))) looks[s] = true;
      }
    }
    if (std::ranges::count(looks, true) == 0) looks.back() = true;
    const auto count = static_cast<float>(std::ranges::count(looks, true));
    for (size_t s = 0; s < looks.size(); ++s) {
      if (!looks[s]) continue;
      links.push_back({sentence, static_cast<int32_t>(t + before_target), static_cast<int32_t>(s + before_source),
                       pair.weight / count});
    }
  }
}

}  // namespace ventris::data
