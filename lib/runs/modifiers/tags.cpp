#include "modifiers/tags.h"

#include <algorithm>
#include <map>
#include <utility>

#include "modifiers/endings.h"
#include "modifiers/single_links.h"
#include "text/placeholder_words.h"

namespace ventris::modifiers {
namespace {

using Words = std::vector<std::string_view>;

enum class Place : size_t { kInstead, kBefore, kAfter, kPlaces };

/// A placeholder at a link.
struct Tag {
  text::Link link;
  Place place = Place::kInstead;
  std::string_view word = {};
};

std::vector<Tag> draw_tags(text::Links links, size_t most, Draws& draws) {
  const size_t count = 1 + draws.below(std::min({most, links.size(), text::kPlaceholderWords.size()}));
  std::vector<Tag> tags;
  for (size_t i = 0; i < count; ++i) {
    std::swap(links[i], links[i + draws.below(links.size() - i)]);
    tags.push_back({links[i], static_cast<Place>(draws.below(static_cast<size_t>(Place::kPlaces)))});
  }
  std::ranges::sort(tags, {}, &Tag::link);
  for (size_t i = 0; i < count; ++i) tags[i].word = text::kPlaceholderWords.at(i);
  return tags;
}

/// A side with its tags: the new text, and where its words and tags are in it.
class TaggedSide {
 public:
  TaggedSide(const std::string& text, const Words& words, const std::map<int32_t, const Tag*>& tags,
             metrics::Division division) {
    size_t done = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      const auto begin = static_cast<size_t>(words[i].data() - text.data());
      text_.append(text, done, begin - done);
      done = begin + words[i].size();
      const auto tag = tags.find(static_cast<int32_t>(i));
      tag == tags.end() ? add(words[i], "", Place::kBefore) : add(words[i], tag->second->word, tag->second->place);
    }
    text_.append(text, done);
    count_words(division);
  }

  const std::string& text() const { return text_; }
  /// The numbers of the new words that an old word has become, and those of its tag.
  std::vector<int32_t> word(int32_t old) const { return numbers_in(words_[static_cast<size_t>(old)]); }
  std::vector<int32_t> tag(int32_t old) const { return numbers_in(tags_.at(old)); }

 private:
  struct Range {
    size_t begin = 0, end = 0;
  };

  /// Appends a word with a tag (which may be empty), and notes where both are.
  void add(std::string_view word, std::string_view tag, Place place) {
    const std::string whole = place == Place::kInstead  ? std::string(tag)
                              : place == Place::kBefore ? joined(tag, word)
                                                        : joined(word, tag);
    const size_t begin = text_.size(), end = begin + whole.size();
    text_ += whole;
    const bool first = place == Place::kAfter;  // of the two, the word
    const Range at_begin{begin, begin + (first ? word.size() : tag.size())};
    const Range at_end{end - (first ? tag.size() : word.size()), end};
    if (!tag.empty()) tags_[static_cast<int32_t>(words_.size())] = first ? at_end : at_begin;
    words_.push_back(place == Place::kInstead ? Range{} : first ? at_begin : at_end);
  }

  void count_words(metrics::Division division) {
    for (const std::string_view word : metrics::divided(text_, division)) {
      const auto begin = static_cast<size_t>(word.data() - text_.data());
      found_.push_back({begin, begin + word.size()});
    }
  }
  std::vector<int32_t> numbers_in(const Range& range) const {
    std::vector<int32_t> numbers;
    for (size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].begin < range.end && range.begin < found_[i].end) numbers.push_back(static_cast<int32_t>(i));
    }
    return numbers;
  }

  std::string text_;
  std::vector<Range> words_;        // of the old words, in the new text
  std::map<int32_t, Range> tags_;  // by the old word
  std::vector<Range> found_;        // the new words
};

void add_all(const std::vector<int32_t>& sources, const std::vector<int32_t>& targets, text::Links& links) {
  for (const int32_t source : sources) {
    for (const int32_t target : targets) links.push_back({source, target});
  }
}

}  // namespace

TextPair with_tags(const TextPair& pair, size_t most, Draws& draws, metrics::Division division) {
  for (const std::string_view word : text::kPlaceholderWords) {
    if (pair.source.find(word) != std::string::npos || pair.target.find(word) != std::string::npos) return pair;
  }
  const Words source = metrics::divided(pair.source, division), target = metrics::divided(pair.target, division);
  const text::Links links = single_links(pair.links, source, target);
  if (links.empty()) return pair;
  const std::vector<Tag> tags = draw_tags(links, most, draws);
  std::map<int32_t, const Tag*> of_source, of_target;
  for (const Tag& tag : tags) {
    of_source[tag.link.source] = &tag;
    of_target[tag.link.target] = &tag;
  }
  const TaggedSide tagged_source(pair.source, source, of_source, division);
  const TaggedSide tagged_target(pair.target, target, of_target, division);
  TextPair result{tagged_source.text(), tagged_target.text()};
  for (const text::Link& link : pair.links) {
    const bool there = link.source < std::ssize(source) && link.target < std::ssize(target);
    if (there) add_all(tagged_source.word(link.source), tagged_target.word(link.target), result.links);
  }
  for (const Tag& tag : tags)
    add_all(tagged_source.tag(tag.link.source), tagged_target.tag(tag.link.target), result.links);
  std::ranges::sort(result.links);
  result.links.erase(std::unique(result.links.begin(), result.links.end()), result.links.end());
  return result;
}

}  // namespace ventris::modifiers
