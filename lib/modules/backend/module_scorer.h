#pragma once
#include <memory>

#include "backend/scorer_tools.h"
#include "decoding/step_scorer.h"
#include "nn/seq2seq.h"

namespace ventris::backend {

/// A scorer that uses the model's step model. Sentences may be admitted while others are being translated.
std::unique_ptr<decoding::StepScorer> make_module_scorer(const nn::Seq2Seq& model, const ScorerOptions& options);

/// Makes scorers for one model (in eval mode, on options.device), for any number of threads.
std::unique_ptr<decoding::ScorerFactory> make_module_factory(nn::Seq2Seq model, const ScorerOptions& options);

}  // namespace ventris::backend
