#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/word_division.h"
#include "modifiers/draws.h"
#include "text/word_links.h"

/// Changes of training text that make a model robust: capitals, typing errors, emoji and so on. Compare the modifiers
/// of OpusTrainer (Bogoychev et al. 2023, arXiv:2311.14838).
namespace ventris::modifiers {

class TermForms;

enum class ModifierKind {
  kUpper,        ///< capitals on both sides
  kTitle,        ///< a capital at the beginning of each word of both sides
  kTypos,        ///< typing errors in the source
  kPunctuation,  ///< the punctuation at the end dropped or doubled, on both sides
  kEmoji,        ///< an emoji or symbol at the same place of both sides
  kMerge,        ///< the pair and those that follow it in the corpus, as one
  kCopy,         ///< the target is the source, too
  kTags,         ///< placeholders at linked words of both sides
  kTerms         ///< translations of some words in the source
};

/// All kinds, in their order.
std::span<const ModifierKind> all_kinds();

/// As in settings: "upper".
std::string name_of(ModifierKind kind);

/// Whether it needs to know which words translate each other.
bool needs_links(ModifierKind kind);

/// A change, and how often it is made.
struct Modifier {
  ModifierKind kind = ModifierKind::kUpper;
  double share = 0;    ///< probability per pair, in (0, 1]
  double words = 0.1;  ///< of kTypos: probability per word, in (0, 1]
  int64_t most = 3;    ///< of kMerge: the maximum number of pairs that become one, at least 2; of kTags: that of
                     ///< placeholders in a pair, from 1 to text::kPlaceholderWords.size(); of kTerms: that of terms
};

/// The two sides of a pair, in valid UTF-8.
struct TextPair {
  std::string source, target;
  text::Links links = {};  ///< between their words; empty = there are none, or none are needed
  bool operator==(const TextPair&) const = default;
};

/// Which modifier a pair gets, and the random numbers for it.
struct Choice {
  size_t modifier = 0;  ///< number in the list
  Draws draws;
};

/// A list of modifiers. A pair gets at most one of them.
class Modifiers {
 public:
  /// The shares sum to at most 1. `division`: which words the links count; none = no links are needed.
  Modifiers(std::vector<Modifier> list, uint64_t seed, std::optional<metrics::Division> division = {});

  /// A function of (seed, epoch, pair) and the shares; nullopt = the pair stays as it is.
  std::optional<Choice> choose(uint64_t epoch, uint64_t pair) const;

  const std::vector<Modifier>& list() const { return list_; }
  std::optional<metrics::Division> division() const { return division_; }

 private:
  std::vector<Modifier> list_;
  uint64_t seed_;
  std::optional<metrics::Division> division_;
};

/// How many pairs this change takes, with the first one: drawn from 2 to Modifier::most for kMerge, otherwise 1.
size_t pairs_taken(const Modifier& modifier, Draws& draws);

/// Makes a change to lines.front(). The others are the pairs that follow it; only kMerge needs them, and joins all.
/// Nullopt if nothing would change, or if a side would be blank. With a `division`, the result has the links of its
/// words (modifiers/changed_links.h); without one, kTags and kTerms change nothing. `forms` are for kTerms;
/// null = terms are written as in the target.
std::optional<TextPair> changed(const Modifier& modifier, std::span<const TextPair> lines, Draws& draws,
                                std::optional<metrics::Division> division = {}, const TermForms* forms = nullptr);

/// The emoji and symbols of kEmoji. Each is one code point, and none is changed by NFKC normalisation.
std::span<const std::string_view> symbols();

}  // namespace ventris::modifiers
