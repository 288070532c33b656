#pragma once
#include <vector>

#include "data/batch_plan.h"
#include "model/package.h"
#include "settings/run_config.h"

namespace ventris::training {

/// What tells the model the languages of each training corpus: as translation::LanguageMarks. Empty if no setting names
/// a language, and none need be told. Throws ConfigError, which names the corpus, for a language that the model does
/// not have or that must be named.
std::vector<data::PairMarks> marks_of_corpora(const settings::RunConfig& config, const model::Package& package);

/// The settings with a validation corpus in the place of the training corpora. Languages that it does not name are
/// those of DataConfig.
settings::RunConfig with_validation(settings::RunConfig config, const settings::FurtherCorpus& corpus);

}  // namespace ventris::training
