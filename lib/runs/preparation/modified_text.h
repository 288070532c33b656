#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/pair_modifier.h"
#include "data/pair_store.h"
#include "preparation/run_tokenizers.h"
#include "settings/run_config.h"

/// Changes of the training text (data.modifiers).
namespace ventris::preparation {

/// Null if the settings have no modifiers. A changed pair must pass the filter of the corpus, and must fit into a
/// batch. `forms` are for the modifier `terms`; null = terms are written as in the target.
std::shared_ptr<const data::PairModifier> modifier_of(const settings::RunConfig& config, const Tokenizers& tokenizers,
                                                      std::shared_ptr<const data::CorpusForms> forms = nullptr);

/// data::forms_in(); null if no modifier needs them.
std::shared_ptr<const data::CorpusForms> term_forms_of(const settings::RunConfig& config, const data::PairStore& pairs);

/// What became of the pairs for which a modifier was drawn.
struct ModifierCounts {
  int64_t drawn = 0;
  int64_t made = 0;
  int64_t unknown = 0;  ///< not made, because there would be more unknown tokens
};

/// Counts, for each modifier, all pairs in the first epoch or, if there are more than `most`, pairs spread evenly over
/// the store. Throws DataError if a pair cannot be read.
std::vector<ModifierCounts> count_changes(const data::PairStore& pairs, const data::PairModifier& modifier,
                                          uint64_t most = 1 << 14);

/// For the log, of pairs spread evenly over the store.
struct Changes {
  std::string text;                   ///< how many pairs each modifier changes; empty = there are no modifiers
  std::vector<std::string> warnings;  ///< of modifiers that would add unknown tokens to most of their pairs
};

Changes changes_of(const settings::RunConfig& config, const data::PairStore& pairs, const Tokenizers& tokenizers);

/// Logs changes_of().
void log_changes(const settings::RunConfig& config, const data::PairStore& pairs, const Tokenizers& tokenizers);

}  // namespace ventris::preparation
