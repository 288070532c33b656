#include "documents/projection.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "documents/word_places.h"
#include "markup/characters.h"
#include "markup/text_cursor.h"
#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

using markup::is_word_part;

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

/// For each number up to `size`: the next one for which `is_one` holds, or `size`.
std::vector<size_t> next_ones(size_t size, const std::function<bool(size_t)>& is_one) {
  std::vector<size_t> next(size + 1, size);
  for (size_t i = size; i-- > 0;) next[i] = is_one(i) ? i : next[i + 1];
  return next;
}

/// For each number up to `size`: the last one before it for which `is_one` holds, or `size`.
std::vector<size_t> last_ones(size_t size, const std::function<bool(size_t)>& is_one) {
  std::vector<size_t> last(size + 1, size);
  for (size_t i = 0; i < size; ++i) last[i + 1] = is_one(i) ? i : last[i];
  return last;
}

}  // namespace

Projection::Projection(std::string_view source, std::string_view target, const std::vector<translation::Link>& links)
    : source_(source),
      target_(target),
      source_words_(words_of(source)),
      target_words_(words_of(target)),
      links_(target_words_.size(), -1) {
  const ByteRange all{0, target.size()};
  bare_target_ = {without_punctuation_before(target, all), without_punctuation_behind(target, all)};
  for (const ByteRange& word : target_words_) {
    bare_words_.push_back({without_punctuation_before(target, word), without_punctuation_behind(target, word)});
  }
  const auto is_bare = [&](size_t word) { return bare_words_[word].begin < bare_words_[word].end; };
  next_bare_ = next_ones(target_words_.size(), is_bare);
  last_bare_ = last_ones(target_words_.size(), is_bare);
  for (const translation::Link& link : links) {
    const auto word = static_cast<size_t>(link.target);
    if (word < links_.size()) links_[word] = link.source;
  }
  index_links();
}

void Projection::index_links() {
  const size_t words = source_words_.size();
  const auto source_of = [&](size_t target) { return std::min(static_cast<size_t>(links_[target]), words); };
  first_.assign(words + 2, 0);
  linked_before_.assign(1, 0);
  for (size_t i = 0; i < links_.size(); ++i) {
    if (links_[i] >= 0) ++first_[source_of(i) + 1];
    linked_before_.push_back(linked_before_.back() + (links_[i] >= 0 ? 1 : 0));
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  targets_.resize(linked_before_.back());
  std::vector<size_t> next(first_);
  for (size_t i = 0; i < links_.size(); ++i) {
    if (links_[i] >= 0) targets_[next[source_of(i)]++] = i;
  }
  const auto has_link = [&](size_t word) { return is_linked(word); };
  next_linked_ = next_ones(words, has_link);
  last_linked_ = last_ones(words, has_link);
}

void Projection::tie(size_t source_at, size_t target_at) {
  const size_t word = word_at(target_words_, target_at);
  if (word == target_words_.size()) return;
  const auto source = static_cast<int64_t>(word_at(source_words_, source_at));
  std::ranges::replace(links_, source, int64_t{-1});
  links_[word] = source;
  index_links();
}

ByteRange Projection::words_in(ByteRange source) const {
  const size_t begin = word_at(source_words_, source.begin);
  const auto end = std::ranges::lower_bound(source_words_, source.end, {}, &ByteRange::begin);
  return {begin, std::max(begin, static_cast<size_t>(end - source_words_.begin()))};
}

/// The words of the target, as numbers, in which most are linked to `words` and fewest to others.
ByteRange Projection::block_of(ByteRange words) const {
  std::vector<size_t> inside(targets_.begin() + static_cast<int64_t>(first_[words.begin]),
                             targets_.begin() + static_cast<int64_t>(first_[words.end]));
  std::ranges::sort(inside);
  ByteRange best, current;
  int64_t best_sum = 0, sum = 0;
  for (size_t i = 0; i < inside.size(); ++i) {
    const size_t word = inside[i];
    if (i > 0) sum -= static_cast<int64_t>(linked_before_[word] - linked_before_[inside[i - 1] + 1]);  // to others
    if (sum <= 0) {
      sum = 0;
      current.begin = word;
    }
    ++sum;
    current.end = word + 1;
    if (sum > best_sum) {
      best_sum = sum;
      best = current;
    }
  }
  return best;
}

/// The punctuation behind the word that is linked to this one; empty if it has none.
ByteRange Projection::punctuation_of(size_t source_word, size_t source_at) const {
  if (!is_linked(source_word)) return {point(source_at), point(source_at)};
  const size_t word = targets_[first_[source_word + 1] - 1];
  const ByteRange whole = target_words_[word], bare = bare_word(word);
  return {bare.begin < bare.end ? bare.end : whole.begin, whole.end};
}

ByteRange Projection::span(ByteRange source) const {
  const ByteRange words = words_in(source);
  if (words.end - words.begin == 1) {
    const ByteRange word = source_words_[words.begin];
    const std::string_view behind = source_.substr(source.begin, std::min(source.end, word.end) - source.begin);
    const bool at_end = source.begin > word.begin && without_punctuation_behind(behind, {0, behind.size()}) == 0;
    if (at_end && source.end >= word.end) return punctuation_of(words.begin, source.begin);
  }
  if (words.begin < words.end && words.end - words.begin == source_words_.size()) {
    ByteRange all{0, target_.size()};
    if (target_words_.empty()) return all;
    if (source.begin > source_words_.front().begin) {
      all.begin = place_inside(0, source.begin, 0).value_or(bare_target_.begin);
    }
    if (source.end < source_words_.back().end) {
      const size_t last = target_words_.size() - 1;
      all.end = std::max(all.begin, place_inside(words.end - 1, source.end, last).value_or(bare_target_.end));
    }
    return all;
  }
  const ByteRange block = block_of(words);
  if (block.begin == block.end) {
    const size_t place = point(source.begin);
    return {place, place};
  }
  ByteRange range{target_words_[block.begin].begin, target_words_[block.end - 1].end};
  const size_t first = words.begin, last = words.end - 1;
  if (source.begin > source_words_[first].begin) {
    range.begin = place_inside(first, source.begin, block.begin).value_or(bare_words_[block.begin].begin);
  }
  if (source.end < source_words_[last].end) {
    range.end = place_inside(last, source.end, block.end - 1).value_or(bare_words_[block.end - 1].end);
  }
  return {range.begin, std::max(range.begin, range.end)};
}

/// The place in the target word, which must be linked to the source word, for one between two parts of that; nothing
/// unless the punctuation on one side of it is the same in both.
std::optional<size_t> Projection::place_inside(size_t source_word, size_t source_at, size_t target_word) const {
  if (links_[target_word] != static_cast<int64_t>(source_word)) return std::nullopt;
  const ByteRange source = source_words_[source_word], target = target_words_[target_word];
  const std::optional<size_t> place =
      place_in_word(source_.substr(source.begin, source.end - source.begin), source_at - source.begin,
                    target_.substr(target.begin, target.end - target.begin));
  return place ? std::optional(target.begin + *place) : std::nullopt;
}

size_t Projection::point(size_t source_at) const {
  size_t next = word_at(source_words_, source_at);
  if (next < source_words_.size() && source_words_[next].begin < source_at) ++next;  // inside a word: after it
  const size_t words = source_words_.size(), right = next_linked_[next], left = last_linked_[next];
  if (right == words && left == words) return next == 0 ? 0 : target_.size();
  const bool attached = next > 0 && source_at <= source_words_[next - 1].end;
  const bool left_is_nearer = left < words && (right == words || next - 1 - left < right - next ||
                                               (attached && next - 1 - left == right - next));
  if (!left_is_nearer) return target_words_[targets_[first_[right]]].begin;
  const size_t word = targets_[first_[left + 1] - 1];
  if (source_at >= source_words_[left].end) return target_words_[word].end;
  return place_inside(left, source_at, word).value_or(bare_words_[word].end);
}

ByteRange Projection::bare_word(size_t word) const {
  const ByteRange bare = bare_words_[word];
  return {bare.begin, std::max(bare.begin, bare.end)};
}

ByteRange Projection::word_near(size_t target_at) const {
  const size_t here = word_at(target_words_, target_at), words = target_words_.size();
  if (next_bare_[here] < words) return bare_word(next_bare_[here]);
  if (last_bare_[here] < words) return bare_word(last_bare_[here]);
  return {target_at, target_at};
}

ByteRange Projection::to_letters(ByteRange target, ByteRange source) const {
  const auto is_letter = [](UChar32 c) { return u_isalnum(c) != 0; };
  while (target.end > target.begin && target_[target.end - 1] == ' ') --target.end;
  const std::string_view text = target_.substr(0, target.end);
  ByteRange letters = target;
  letters.begin = markup::end_of_run(text, target.begin, [&](UChar32 c) { return !is_letter(c); });
  for (size_t at = target.end; at > letters.begin;) {
    if (is_letter(markup::previous_character(text, at))) break;
    letters.end = at;
  }
  if (letters.begin >= letters.end) return target;
  const auto is_sign = [](UChar32 c) { return c > ' ' && (u_ispunct(c) != 0 || (c < 0x80 && u_isalnum(c) == 0)); };
  const bool begins_alike =
      is_sign(markup::character_at(source_, source.begin)) && is_sign(markup::character_at(target_, target.begin));
  const bool ends_alike = is_sign(markup::character_before(source_, std::min(source.end, source_.size()))) &&
                          is_sign(markup::character_before(target_, target.end));
  if (begins_alike && !is_word_part(target_, target.begin, true)) letters.begin = target.begin;
  if (ends_alike && !is_word_part(target_, target.end, false)) letters.end = target.end;
  return letters;
}

size_t Projection::next_word(size_t target_at) const {
  const size_t word = word_at(target_words_, target_at);
  return word == target_words_.size() ? target_.size() : std::max(target_at, target_words_[word].begin);
}

ByteRange Projection::linked_word(size_t source_at) const {
  const size_t word = word_at(source_words_, source_at);
  if (word == source_words_.size()) return {};
  const ByteRange block = block_of({word, word + 1});
  return block.end - block.begin == 1 ? bare_word(block.begin) : ByteRange{};
}

}  // namespace ventris::documents
