#include "modifiers/changed_links.h"

#include <algorithm>
#include <optional>

namespace ventris::modifiers {
namespace {

using Words = std::vector<std::string_view>;

/// The words of both sides.
struct WordPair {
  Words source, target;
};

WordPair words_of(const TextPair& pair, metrics::Division division) {
  return {metrics::divided(pair.source, division), metrics::divided(pair.target, division)};
}

/// The number of the word that `after` has in addition to `before`; nullopt if they differ in another way.
std::optional<int32_t> added_word(const Words& before, const Words& after) {
  if (after.size() != before.size() + 1) return std::nullopt;
  const auto place = std::ranges::mismatch(before, after).in2;
  const bool same_rest = std::equal(place + 1, after.end(), before.begin() + (place - after.begin()));
  if (!same_rest) return std::nullopt;
  return static_cast<int32_t>(place - after.begin());
}

/// With a symbol in both sides, which are linked to each other.
text::Links with_symbol(const TextPair& line, const WordPair& before, const WordPair& after) {
  const auto source = added_word(before.source, after.source), target = added_word(before.target, after.target);
  if (!source || !target) return {};
  text::Links links{{*source, *target}};
  for (const text::Link& link : line.links) {
    links.push_back({link.source + (link.source >= *source ? 1 : 0), link.target + (link.target >= *target ? 1 : 0)});
  }
  std::ranges::sort(links);
  return links;
}

/// Of all lines, one after the other.
text::Links joined_links(std::span<const TextPair> lines, const WordPair& after, metrics::Division division) {
  text::Links links;
  size_t source = 0, target = 0;  // words
  for (const TextPair& line : lines) {
    for (const text::Link& link : line.links) {
      links.push_back({link.source + static_cast<int32_t>(source), link.target + static_cast<int32_t>(target)});
    }
    const WordPair words = words_of(line, division);
    source += words.source.size();
    target += words.target.size();
  }
  if (source != after.source.size() || target != after.target.size()) return {};
  return links;
}

/// Of the words that are left, where only the last ones are gone or new.
text::Links remaining_links(const TextPair& line, const WordPair& after) {
  text::Links links = line.links;
  std::erase_if(links, [&](const text::Link& link) {
    return static_cast<size_t>(link.source) >= after.source.size() ||
           static_cast<size_t>(link.target) >= after.target.size();
  });
  return links;
}

}  // namespace

text::Links changed_links(ModifierKind kind, std::span<const TextPair> lines, const TextPair& result,
                          metrics::Division division) {
  const WordPair after = words_of(result, division);
  const TextPair& line = lines.front();
  switch (kind) {
    case ModifierKind::kUpper:
    case ModifierKind::kTitle:
    case ModifierKind::kTypos: return joined_links(lines.first(1), after, division);
    case ModifierKind::kPunctuation: return remaining_links(line, after);
    case ModifierKind::kEmoji: return with_symbol(line, words_of(line, division), after);
    case ModifierKind::kMerge: return joined_links(lines, after, division);
    case ModifierKind::kCopy: {
      text::Links links;
      for (int32_t word = 0; word < std::ssize(after.source); ++word) links.push_back({word, word});
      return links;
    }
    case ModifierKind::kTags:
    case ModifierKind::kTerms: return result.links;
  }
  return {};
}

}  // namespace ventris::modifiers
