#include "modifiers/modifier.h"

#include <array>
#include <utility>

#include "core/random.h"
#include "metrics/letter_case.h"
#include "modifiers/changed_links.h"
#include "modifiers/endings.h"
#include "modifiers/tags.h"
#include "modifiers/terms.h"
#include "modifiers/typos.h"

namespace ventris::modifiers {
namespace {

constexpr uint64_t kModifierStream = 0x6d6f6469;  // of the run's seed

constexpr std::array kKinds{ModifierKind::kUpper,       ModifierKind::kTitle, ModifierKind::kTypos,
                            ModifierKind::kPunctuation, ModifierKind::kEmoji, ModifierKind::kMerge,
                            ModifierKind::kCopy,        ModifierKind::kTags,  ModifierKind::kTerms};

constexpr std::array<std::string_view, 64> kSymbols{
    "😀", "😃", "😄", "😁", "😅", "😂", "🙂", "😉", "😊", "😍", "😘", "😜", "😎", "😏", "😐", "😒",
    "😔", "😢", "😭", "😡", "😱", "😴", "😷", "🤔", "🤣", "🥰", "🥳", "🙄", "🙈", "🙏", "👍", "👎",
    "👏", "👋", "👀", "💪", "💔", "💕", "💯", "🔥", "🎉", "🎁", "🎶", "🌞", "🌹", "🌍", "🍀", "🍕",
    "🚀", "🚗", "✨", "⭐", "✅", "❌", "❗", "★",  "☆",  "♥",  "♪",  "✓",  "→",  "■",  "●",  "▶"};

bool is_blank(std::string_view text) { return joined(text, "").empty(); }

/// "¿Qué?": without its last mark, the first one would be alone.
bool has_opening_mark(std::string_view text) {
  return text.find("¿") != std::string_view::npos || text.find("¡") != std::string_view::npos;
}

/// The last character.
std::string last_of(const std::string& marks) {
  size_t begin = marks.size() - 1;
  while ((static_cast<unsigned char>(marks[begin]) & 0xC0) == 0x80) --begin;
  return marks.substr(begin);
}

std::string with_ending(const std::string& text, const Ending& ending, bool doubled) {
  if (!doubled) return text.substr(0, ending.text_end);
  return joined(text, "") + last_of(ending.marks);
}

TextPair with_other_punctuation(const TextPair& pair, Draws& draws) {
  const bool doubled = draws.below(2) == 1;
  const Ending source = ending_of(pair.source), target = ending_of(pair.target);
  if (source.marks.empty() || target.marks.empty()) return pair;
  if (has_opening_mark(pair.source) || has_opening_mark(pair.target)) return pair;
  return {with_ending(pair.source, source, doubled), with_ending(pair.target, target, doubled)};
}

std::string inserted(std::string_view text, size_t place, std::string_view symbol) {
  return joined(joined(text.substr(0, place), symbol), text.substr(place));
}

TextPair with_symbol(const TextPair& pair, Draws& draws) {
  enum Place : size_t { kBegin, kEnd, kBetween, kPlaces };
  const std::string_view symbol = kSymbols.at(draws.below(kSymbols.size()));
  const size_t place = draws.below(kPlaces);
  if (place == kBegin) return {inserted(pair.source, 0, symbol), inserted(pair.target, 0, symbol)};
  if (place == kBetween) {
    const auto source = inner_ends(pair.source), target = inner_ends(pair.target);
    if (!source.empty() && source.size() == target.size()) {
      const size_t sentence = draws.below(source.size());
      return {inserted(pair.source, source[sentence], symbol), inserted(pair.target, target[sentence], symbol)};
    }
  }
  return {joined(pair.source, symbol), joined(pair.target, symbol)};
}

TextPair merged(std::span<const TextPair> lines) {
  TextPair all = lines.front();
  for (const TextPair& line : lines.subspan(1)) {
    all.source = joined(all.source, line.source);
    all.target = joined(all.target, line.target);
  }
  return all;
}

TextPair change(const Modifier& modifier, std::span<const TextPair> lines, Draws& draws,
                std::optional<metrics::Division> division, const TermForms* forms) {
  const TextPair& pair = lines.front();
  switch (modifier.kind) {
    case ModifierKind::kUpper: return {metrics::upper_case(pair.source), metrics::upper_case(pair.target)};
    case ModifierKind::kTitle: return {metrics::title_case(pair.source), metrics::title_case(pair.target)};
    case ModifierKind::kTypos: return {with_typos(pair.source, modifier.words, draws), pair.target};
    case ModifierKind::kPunctuation: return with_other_punctuation(pair, draws);
    case ModifierKind::kEmoji: return with_symbol(pair, draws);
    case ModifierKind::kMerge: return merged(lines);
    case ModifierKind::kCopy: return {pair.target, pair.target};
    case ModifierKind::kTags:
      return division ? with_tags(pair, static_cast<size_t>(modifier.most), draws, *division) : pair;
    case ModifierKind::kTerms:
      return division ? with_terms(pair, static_cast<size_t>(modifier.most), draws, *division, forms) : pair;
  }
  return pair;
}

}  // namespace

std::span<const ModifierKind> all_kinds() { return kKinds; }

std::string name_of(ModifierKind kind) {
  switch (kind) {
    case ModifierKind::kUpper: return "upper";
    case ModifierKind::kTitle: return "title";
    case ModifierKind::kTypos: return "typos";
    case ModifierKind::kPunctuation: return "punctuation";
    case ModifierKind::kEmoji: return "emoji";
    case ModifierKind::kMerge: return "merge";
    case ModifierKind::kCopy: return "copy";
    case ModifierKind::kTags: return "tags";
    case ModifierKind::kTerms: return "terms";
  }
  return "";
}

bool needs_links(ModifierKind kind) { return kind == ModifierKind::kTags || kind == ModifierKind::kTerms; }

Modifiers::Modifiers(std::vector<Modifier> list, uint64_t seed, std::optional<metrics::Division> division)
    : list_(std::move(list)), seed_(core::derive_seed(seed, kModifierStream)), division_(division) {}

std::optional<Choice> Modifiers::choose(uint64_t epoch, uint64_t pair) const {
  Draws draws(core::derive_seed(seed_, epoch, pair));
  double left = draws.uniform();
  for (size_t i = 0; i < list_.size(); ++i) {
    if (left < list_[i].share) return Choice{i, draws};
    left -= list_[i].share;
  }
  return std::nullopt;
}

size_t pairs_taken(const Modifier& modifier, Draws& draws) {
  if (modifier.kind != ModifierKind::kMerge) return 1;
  return 2 + draws.below(static_cast<size_t>(modifier.most) - 1);
}

std::optional<TextPair> changed(const Modifier& modifier, std::span<const TextPair> lines, Draws& draws,
                                std::optional<metrics::Division> division, const TermForms* forms) {
  TextPair result = change(modifier, lines, draws, division, forms);
  const bool same = result.source == lines.front().source && result.target == lines.front().target;
  if (same || is_blank(result.source) || is_blank(result.target)) return std::nullopt;
  if (needs_links(modifier.kind)) return result;
  result.links = division ? changed_links(modifier.kind, lines, result, *division) : text::Links();
  return result;
}

std::span<const std::string_view> symbols() { return kSymbols; }

}  // namespace ventris::modifiers
