#include "documents/projection.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <optional>

#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

std::vector<ByteRange> words_of(std::string_view text) {
  std::vector<ByteRange> words;
  for (const std::string_view word : metrics::split_words(text)) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    words.push_back({begin, begin + word.size()});
  }
  return words;
}

/// The index of the word with this byte, or of the next one.
size_t word_at(const std::vector<ByteRange>& words, size_t at) {
  const auto ends_later = [](size_t place, const ByteRange& word) { return place < word.end; };
  return static_cast<size_t>(std::upper_bound(words.begin(), words.end(), at, ends_later) - words.begin());
}

size_t without_punctuation_behind(std::string_view text, ByteRange range) {
  const auto begin = static_cast<int32_t>(range.begin);
  for (auto at = static_cast<int32_t>(range.end); at > begin;) {
    UChar32 character = 0;
    U8_PREV(text.data(), begin, at, character);
    if (u_ispunct(character) == 0) break;
    range.end = static_cast<size_t>(at);
  }
  return range.end;
}

size_t without_punctuation_before(std::string_view text, ByteRange range) {
  const auto end = static_cast<int32_t>(range.end);
  for (auto at = static_cast<int32_t>(range.begin); at < end;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, end, character);
    if (u_ispunct(character) == 0) break;
    range.begin = static_cast<size_t>(at);
  }
  return range.begin;
}

}  // namespace

Projection::Projection(std::string_view source, std::string_view target, const std::vector<translation::Link>& links)
    : source_(source),
      target_(target),
      source_words_(words_of(source)),
      target_words_(words_of(target)),
      links_(target_words_.size(), -1) {
  for (const translation::Link& link : links) {
    const auto word = static_cast<size_t>(link.target);
    if (word < links_.size()) links_[word] = link.source;
  }
}

void Projection::tie(size_t source_at, size_t target_at) {
  const size_t word = word_at(target_words_, target_at);
  if (word == target_words_.size()) return;
  const auto source = static_cast<int64_t>(word_at(source_words_, source_at));
  std::ranges::replace(links_, source, int64_t{-1});
  links_[word] = source;
}

std::vector<size_t> Projection::words_in(ByteRange source) const {
  std::vector<size_t> words;
  for (size_t i = word_at(source_words_, source.begin); i < source_words_.size(); ++i) {
    if (source_words_[i].begin >= source.end) break;
    words.push_back(i);
  }
  return words;
}

/// The words of the target, as numbers, in which most are linked to `words` and fewest to others.
ByteRange Projection::block_of(const std::vector<size_t>& words) const {
  ByteRange best, current;
  int64_t best_sum = 0, sum = 0;
  for (size_t i = 0; i < links_.size(); ++i) {
    const bool inside = links_[i] >= 0 && std::ranges::binary_search(words, static_cast<size_t>(links_[i]));
    if (sum <= 0) {
      sum = 0;
      current = {i, i};
    }
    sum += inside ? 1 : links_[i] >= 0 ? -1 : 0;
    current.end = i + 1;
    if (sum > best_sum) {
      best_sum = sum;
      best = current;
    }
  }
  return best;
}

ByteRange Projection::span(ByteRange source) const {
  const std::vector<size_t> words = words_in(source);
  if (!words.empty() && words.size() == source_words_.size()) {
    ByteRange all{0, target_.size()};
    if (source.begin > source_words_.front().begin) all.begin = without_punctuation_before(target_, all);
    if (source.end < source_words_.back().end) all.end = without_punctuation_behind(target_, all);
    return all;
  }
  const ByteRange block = block_of(words);
  if (block.begin == block.end) {
    const size_t place = point(source.begin);
    return {place, place};
  }
  ByteRange range{target_words_[block.begin].begin, target_words_[block.end - 1].end};
  if (source.begin > source_words_[words.front()].begin) range.begin = without_punctuation_before(target_, range);
  if (source.end < source_words_[words.back()].end) range.end = without_punctuation_behind(target_, range);
  return range;
}

size_t Projection::point(size_t source_at) const {
  size_t next = word_at(source_words_, source_at);
  if (next < source_words_.size() && source_words_[next].begin < source_at) ++next;  // inside a word: after it
  const auto before = [&](size_t word) -> std::optional<size_t> {
    const auto found = std::ranges::find(links_, static_cast<int64_t>(word));
    if (word >= source_words_.size() || found == links_.end()) return {};
    return target_words_[static_cast<size_t>(found - links_.begin())].begin;
  };
  const auto after = [&](size_t word) -> std::optional<size_t> {
    const auto found = std::find(links_.rbegin(), links_.rend(), static_cast<int64_t>(word));
    if (found == links_.rend()) return {};
    const ByteRange range = target_words_[static_cast<size_t>(links_.rend() - found) - 1];
    return source_at < source_words_[word].end ? without_punctuation_behind(target_, range) : range.end;
  };
  const bool attached = next > 0 && source_at <= source_words_[next - 1].end;
  for (size_t distance = 0; distance <= source_words_.size(); ++distance) {
    const auto right = before(next + distance);
    const auto left = distance < next ? after(next - 1 - distance) : std::nullopt;
    if (left && (attached || !right)) return *left;
    if (right) return *right;
  }
  return next == 0 ? 0 : target_.size();
}

ByteRange Projection::word_near(size_t target_at) const {
  const auto bare = [&](ByteRange range) {
    range.begin = without_punctuation_before(target_, range);
    range.end = std::max(range.begin, without_punctuation_behind(target_, range));
    return range;
  };
  const size_t here = word_at(target_words_, target_at);
  for (size_t i = here; i < target_words_.size(); ++i) {
    if (const ByteRange word = bare(target_words_[i]); word.end > word.begin) return word;
  }
  for (size_t i = here; i-- > 0;) {
    if (const ByteRange word = bare(target_words_[i]); word.end > word.begin) return word;
  }
  return {target_at, target_at};
}

size_t Projection::next_word(size_t target_at) const {
  const size_t word = word_at(target_words_, target_at);
  return word == target_words_.size() ? target_.size() : std::max(target_at, target_words_[word].begin);
}

ByteRange Projection::linked_word(size_t source_at) const {
  const ByteRange block = block_of({word_at(source_words_, source_at)});
  if (block.end - block.begin != 1) return {};
  ByteRange range = target_words_[block.begin];
  range.begin = without_punctuation_before(target_, range);
  range.end = without_punctuation_behind(target_, range);
  return range;
}

}  // namespace ventris::documents
