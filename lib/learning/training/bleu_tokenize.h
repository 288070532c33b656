#pragma once
#include <optional>

#include "metrics/tokenization.h"
#include "settings/run_config.h"

namespace ventris::training {

/// The tokenization that a setting names; none for kAuto.
std::optional<metrics::Tokenization> tokenization_of(settings::BleuTokenize tokenize);

/// Replaces kAuto in validation.tokenize: by the value that the resumed run was `begun` with, or else by the one that
/// suits the target side of the validation corpus (without one, of the first training corpus), and logs it. It stays
/// kAuto if the model does not translate or the corpus is still to come through standard input.
/// Throws DataError if the corpus cannot be read.
void choose_bleu_tokenize(settings::RunConfig& config, std::optional<settings::BleuTokenize> begun);

}  // namespace ventris::training
