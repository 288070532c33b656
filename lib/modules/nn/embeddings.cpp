#include "nn/embeddings.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "architecture/sinusoids.h"
#include "architecture/transformer_fields.h"

namespace ventris::nn {

using torch::Tensor;

Tensor sinusoids(const Tensor& positions, int64_t width) {
  const double step = -std::log(10000.0) / static_cast<double>(width);
  const Tensor scale = torch::exp(torch::arange(0, width, 2, positions.options()) * step);
  const Tensor angle = positions.unsqueeze(1) * scale;  // [count, ceil(width / 2)]
  return torch::stack({torch::sin(angle), torch::cos(angle)}, 2).flatten(1).narrow(1, 0, width);
}

Tensor halved_sinusoids(const Tensor& positions, int64_t width) {
  const double step = architecture::halved_frequency_step(width);
  const Tensor scale = torch::exp(torch::arange(width / 2, positions.options()) * step);
  const Tensor angle = positions.unsqueeze(1) * scale;  // [count, width / 2]
  return torch::cat({torch::sin(angle), torch::cos(angle)}, 1);
}

EmbeddingsImpl::EmbeddingsImpl(const TransformerOptions& options, int64_t vocab) : factor_(options.embedding_factor()) {
  lut = register_module("lut", Embedding(vocab, options.d_model));
}

Tensor EmbeddingsImpl::forward(const Tensor& ids) { return lut(ids) * factor_; }

PositionalEncodingImpl::PositionalEncodingImpl(const TransformerOptions& options)
    : kind_(options.positions), width_(options.d_model), max_positions_(options.max_positions) {
  dropout = register_module("dropout", Dropout(options.embedding_dropout.value_or(options.dropout)));
  make_vectors();
  if (options.embedding_norm) norm = register_module("norm", Norm(options));
}

void PositionalEncodingImpl::make_vectors() {
  switch (kind_) {
    case Positions::kSinusoidal:
    case Positions::kHalvedSinusoidal: {
      const Tensor places = torch::arange(max_positions_, torch::kFloat);
      const auto vectors = kind_ == Positions::kSinusoidal ? sinusoids : halved_sinusoids;
      pe = register_buffer("pe", vectors(places, width_).unsqueeze(0).contiguous());
      return;
    }
    case Positions::kLearned: {
      const Tensor table = torch::randn({1, max_positions_, width_}) / std::sqrt(static_cast<double>(width_));
      pe = register_parameter("pe", table);
      return;
    }
    case Positions::kRelative:
    case Positions::kRotary:
    case Positions::kRelativeBias: return;
  }
}

Tensor PositionalEncodingImpl::finish(const Tensor& sum) { return dropout(norm.is_empty() ? sum : norm(sum)); }

Tensor PositionalEncodingImpl::forward(const Tensor& x, int64_t offset) {
  const int64_t end = offset + x.size(1);
  if (kind_ != Positions::kRelative && end > max_positions_) {
    throw std::invalid_argument("PositionalEncoding: " + std::to_string(end) + " positions requested, but there are " +
                                std::to_string(max_positions_));
  }
  return finish(pe.defined() ? x + pe.narrow(1, offset, x.size(1)) : x);
}

Tensor PositionalEncodingImpl::at_positions(const Tensor& x, const Tensor& positions) {
  return finish(pe.defined() ? x + pe[0].index_select(0, positions) : x);
}

void PositionalEncodingImpl::pretty_print(std::ostream& out) const {
  out << "ventris::nn::PositionalEncoding(" << core::name_of(kind_, architecture::positions());
  if (kind_ != Positions::kRelative) out << ", max_positions=" << max_positions_;
  if (pe.defined()) out << ", d_model=" << width_;
  out << ")";
}

}  // namespace ventris::nn
