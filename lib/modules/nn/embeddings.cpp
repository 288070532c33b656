#include "nn/embeddings.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace ventris::nn {

using torch::Tensor;

Tensor sinusoids(const Tensor& positions, int64_t width) {
  const double step = -std::log(10000.0) / static_cast<double>(width);
  const Tensor scale = torch::exp(torch::arange(0, width, 2, positions.options()) * step);
  const Tensor angle = positions.unsqueeze(1) * scale;  // [count, ceil(width / 2)]
  return torch::stack({torch::sin(angle), torch::cos(angle)}, 2).flatten(1).narrow(1, 0, width);
}

EmbeddingsImpl::EmbeddingsImpl(int64_t d_model, int64_t vocab) {
  lut = register_module("lut", Embedding(vocab, d_model));
}

Tensor EmbeddingsImpl::forward(const Tensor& ids) { return lut(ids) * std::sqrt(static_cast<double>(d_model())); }

PositionalEncodingImpl::PositionalEncodingImpl(const TransformerOptions& options) : kind_(options.positions) {
  dropout = register_module("dropout", Dropout(options.embedding_dropout.value_or(options.dropout)));
  const int64_t width = options.d_model;
  if (kind_ == Positions::kLearned) {
    const Tensor table = torch::randn({1, options.max_positions, width}) / std::sqrt(static_cast<double>(width));
    pe = register_parameter("pe", table);
  } else if (kind_ == Positions::kSinusoidal) {
    const Tensor places = torch::arange(options.max_positions, torch::kFloat);
    pe = register_buffer("pe", sinusoids(places, width).unsqueeze(0).contiguous());
  }
  if (options.embedding_norm) norm = register_module("norm", LayerNorm(width, options.norm_epsilon));
}

Tensor PositionalEncodingImpl::finish(const Tensor& sum) { return dropout(norm.is_empty() ? sum : norm(sum)); }

Tensor PositionalEncodingImpl::forward(const Tensor& x, int64_t offset) {
  if (kind_ == Positions::kRelative) return finish(x);
  if (offset + x.size(1) > pe.size(1)) {
    throw std::invalid_argument("PositionalEncoding: " + std::to_string(offset + x.size(1)) +
                                " positions requested, but there are " + std::to_string(pe.size(1)));
  }
  return finish(x + pe.narrow(1, offset, x.size(1)));
}

Tensor PositionalEncodingImpl::at_positions(const Tensor& x, const Tensor& positions) {
  return finish(kind_ == Positions::kRelative ? x : x + pe[0].index_select(0, positions));
}

void PositionalEncodingImpl::pretty_print(std::ostream& out) const {
  if (kind_ == Positions::kRelative) {
    out << "ventris::nn::PositionalEncoding(relative)";
    return;
  }
  out << "ventris::nn::PositionalEncoding(" << (kind_ == Positions::kLearned ? "learned" : "sinusoidal")
      << ", max_positions=" << pe.size(1) << ", d_model=" << pe.size(2) << ")";
}

}  // namespace ventris::nn
