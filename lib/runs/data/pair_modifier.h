#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "data/corpus_forms.h"
#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "modifiers/modifier.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// What became of a change that was drawn for a pair. If it was not made, the pair stays as it is.
enum class ChangeResult {
  kMade,
  kNothing,  ///< the texts cannot be changed in this way
  kLength,   ///< the changed pair would not pass the filter (too long, or a bad length ratio), or no pair follows it
  kUnknown   ///< a side would have more unknown tokens than before
};

/// A change that was drawn for a pair.
struct DrawnChange {
  size_t modifier = 0;  ///< number in the list
  ChangeResult result = ChangeResult::kNothing;
};

/// Changes the texts of some pairs and tokenizes them again, as a function of (seed, epoch, pair). Several threads may
/// use it at the same time.
class PairModifier {
 public:
  /// `limits` are those of changed pairs. `forms` are those of the store, for the modifier `terms`; null = terms are
  /// written as in the target.
  PairModifier(const text::Tokenizer& source, const text::Tokenizer& target, modifiers::Modifiers modifiers,
               const CorpusFilter& limits, std::shared_ptr<const CorpusForms> forms = nullptr)
      : source_(source), target_(target), modifiers_(std::move(modifiers)), limits_(limits), forms_(std::move(forms)) {}

  /// Changes `pair`, which is pair `number` of `store` with its texts, if a change is drawn for it; the tag stays. A
  /// merged pair has the smallest line weight of its parts. Nullopt = none was drawn. Throws as PairStore::pair does.
  std::optional<DrawnChange> modify(const PairStore& store, uint64_t number, uint64_t epoch, SentencePair& pair) const;

  /// Replaces the lengths of those of these pairs that are changed in this epoch.
  void change_lengths(const PairStore& store, uint64_t epoch, std::span<const uint32_t> pairs, int threads,
                      std::span<PairLengths> lengths) const;

  const std::vector<modifiers::Modifier>& list() const { return modifiers_.list(); }

 private:
  ChangeResult change(const PairStore& store, uint64_t number, modifiers::Choice choice, SentencePair& pair) const;

  text::Tokenizer source_, target_;
  modifiers::Modifiers modifiers_;
  CorpusFilter limits_;
  std::shared_ptr<const CorpusForms> forms_;
};

}  // namespace ventris::data
