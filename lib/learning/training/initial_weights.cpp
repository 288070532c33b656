#include "training/initial_weights.h"

#include "backend/encoder_weights.h"
#include "backend/module_weights.h"

namespace ventris::training {

namespace {

using torch::Tensor;

void set_vectors(Tensor& embedding, const preparation::PieceVectors& given) {
  if (given.ids.empty()) return;
  const torch::NoGradGuard no_grad;
  const Tensor ids = torch::tensor(std::vector<int64_t>(given.ids.begin(), given.ids.end()));
  const Tensor vectors = torch::tensor(given.values).view({-1, given.width});  // [ids, width]
  const Tensor random = embedding.index_select(0, ids), mean_square = vectors.square().mean();
  if (mean_square.item<float>() == 0) return;  // zeros say nothing
  embedding.index_copy_(0, ids, vectors * (random.square().mean() / mean_square).sqrt());
}

}  // namespace

std::optional<InitialWeights> initial_weights_of(const settings::RunConfig& config, const preparation::OpenedRun& run,
                                                 const preparation::Tokenizers& tokenizers) {
  if (run.checkpoint) return std::nullopt;
  return InitialWeights{run.base ? &run.base->weights : nullptr, run.encoder ? &run.encoder->weights : nullptr,
                        preparation::read_embedding_vectors(config, tokenizers)};
}

void set_initial_weights(nn::ModelImpl& model, const InitialWeights& initial) {
  if (initial.all != nullptr) {
    backend::load_weights(model, *initial.all);
    return;
  }
  model.initialise();
  if (initial.encoder != nullptr) backend::load_encoder(model, *initial.encoder);
  auto parameters = model.named_parameters();
  for (const auto& [tensor, vectors] : initial.vectors) set_vectors(parameters[tensor], vectors);
}

}  // namespace ventris::training
