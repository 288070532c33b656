#pragma once
#include <torch/torch.h>

#include "nn/dropout.h"
#include "nn/layer_options.h"
#include "nn/linear.h"
#include "nn/norm.h"

namespace ventris::nn {

/// Token vectors times embedding_factor(), in the paper sqrt(d_model). Source: Vaswani et al. 2017, section 3.4.
class EmbeddingsImpl : public torch::nn::Module {
 public:
  EmbeddingsImpl(const TransformerOptions& options, int64_t vocab);
  /// ids [...] (long) -> [..., d_model].
  torch::Tensor forward(const torch::Tensor& ids);
  Embedding lut{nullptr};

 private:
  double factor_;
};
TORCH_MODULE(Embeddings);

/// The vectors of positions or distances [count] (float, may be negative): [count, width], with sine and cosine
/// interleaved. Source: Vaswani et al. 2017, section 3.5.
torch::Tensor sinusoids(const torch::Tensor& positions, int64_t width);

/// The same, with all sines before the cosines, as architecture::halved_sinusoids(). `width` is even and at least 4.
torch::Tensor halved_sinusoids(const torch::Tensor& positions, int64_t width);

/// Adds position vectors, then (with embedding_norm) applies a norm, then dropout. Sinusoidal (a buffer): see
/// sinusoids() and halved_sinusoids(). Learned (a parameter): initially normal with standard deviation d_model^-0.5.
/// Relative, rotary: adds nothing, because self-attention knows the distances or the positions.
class PositionalEncodingImpl : public torch::nn::Module {
 public:
  explicit PositionalEncodingImpl(const TransformerOptions& options);
  /// x [batch, len, d_model], which begins at position `offset`. Throws std::invalid_argument beyond max_positions,
  /// unless positions are relative.
  torch::Tensor forward(const torch::Tensor& x, int64_t offset = 0);
  /// x [rows, d_model], positions [rows] (long), one per row -> [rows, d_model].
  torch::Tensor at_positions(const torch::Tensor& x, const torch::Tensor& positions);
  void pretty_print(std::ostream& out) const override;
  Dropout dropout{nullptr};
  Norm norm{nullptr};  ///< null without embedding_norm
  torch::Tensor pe;         ///< [1, max_positions, d_model]; undefined for relative and rotary positions

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, torch::nn::AnyValue(int64_t{0})})

 private:
  void make_vectors();
  torch::Tensor finish(const torch::Tensor& sum);
  Positions kind_;
  int64_t width_, max_positions_;
};
TORCH_MODULE(PositionalEncoding);

}  // namespace ventris::nn
