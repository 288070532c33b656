#pragma once
#include <optional>
#include <vector>

#include "model/safetensors.h"
#include "nn/model.h"
#include "preparation/opened_run.h"
#include "preparation/run_tokenizers.h"
#include "preparation/word_vectors.h"

namespace ventris::training {

/// What a new run starts with besides random numbers; null = nothing.
struct InitialWeights {
  const model::Safetensors* all = nullptr;      ///< of a bundle (training.finetune_from)
  const model::Safetensors* encoder = nullptr;  ///< of a BERT (training.encoder_from)
  std::vector<preparation::EmbeddingVectors> vectors =
      {};  ///< for embeddings (training.source_vectors, target_vectors)
};

/// Those of a run; they point into it. None if the run is resumed: its checkpoint has all weights. Throws as
/// read_embedding_vectors does.
std::optional<InitialWeights> initial_weights_of(const settings::RunConfig& config, const preparation::OpenedRun& run,
                                                 const preparation::Tokenizers& tokenizers);

/// Sets all parameters: those that are not given are drawn with torch's default generator. Vectors are multiplied by
/// one number for each embedding, so that their mean square is that of the random vectors whose place they take. Throws
/// ModelError if given weights do not fit the model.
void set_initial_weights(nn::ModelImpl& model, const InitialWeights& initial);

}  // namespace ventris::training
