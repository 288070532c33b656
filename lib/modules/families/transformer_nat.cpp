#include "families/transformer_nat.h"

#include <limits>
#include <stdexcept>

#include "core/special_ids.h"
#include "nn/full_precision.h"

namespace ventris::families {

using torch::Tensor;

Tensor LengthPredictorImpl::forward(const Tensor& states, const Tensor& mask) {
  const Tensor seen = mask.squeeze(1).unsqueeze(2).to(states.scalar_type());  // [batch, src_len, 1]
  return proj((states * seen).sum(1) / seen.sum(1));
}

Tensor copy_weights(const Tensor& src_mask, const Tensor& lengths, architecture::DecoderInput input, double width) {
  const Tensor seen = src_mask.squeeze(1);  // [batch, src_len]
  const auto floats = torch::dtype(torch::kFloat).device(lengths.device());
  const Tensor last = seen.sum(1, /*keepdim=*/true).to(torch::kFloat) - 1;           // [batch, 1]
  const Tensor steps = (lengths.to(torch::kFloat) - 1).clamp_min(1).unsqueeze(1);    // [batch, 1]
  const Tensor target = torch::arange(lengths.max().item<int64_t>(), floats);        // [tgt_len]
  const Tensor place = (target.unsqueeze(0) * last / steps).minimum(last);           // [batch, tgt_len]
  const Tensor source = torch::arange(seen.size(1), floats);                         // [src_len]
  if (input == architecture::DecoderInput::kUniform) return place.round().unsqueeze(2).eq(source).to(torch::kFloat);
  const Tensor scores = (place.unsqueeze(2) - source).abs() / -width;  // [batch, tgt_len, src_len]
  return scores.masked_fill(seen.logical_not().unsqueeze(1), -std::numeric_limits<float>::infinity()).softmax(2);
}

NonAutoregressiveImpl::NonAutoregressiveImpl(const architecture::NatOptions& settings) : options(settings) {
  const TransformerParts made = TransformerParts::make(options.transformer, options.most_positions());
  encoder = register_module("encoder", made.encoder);
  decoder = register_module("decoder", made.decoder);
  src_embed = register_module("src_embed", made.src_embed);
  tgt_embed = register_module("tgt_embed", made.tgt_embed);
  generator = register_module("generator", made.generator);
  if (!options.predicts_length()) return;
  length = register_module("length", LengthPredictor(options.transformer.d_model, options.length_classes()));
}

nn::Memory NonAutoregressiveImpl::encode(const Tensor& src, const Tensor& src_mask) {
  return encode_source(parts(), options.transformer, src, src_mask);
}

/// Reads what the last decoder layer sees of the source.
Tensor NonAutoregressiveImpl::length_log_probs(const nn::Memory& memory) {
  if (length.is_empty()) throw std::logic_error("NonAutoregressive: this model does not predict lengths");
  const int64_t width = options.transformer.d_model;
  const Tensor states = memory.states.narrow(2, memory.states.size(2) - width, width);
  return length->forward(states, memory.mask).to(torch::kFloat).log_softmax(-1);
}

Tensor NonAutoregressiveImpl::first_input(const Tensor& src, const Tensor& src_mask, const Tensor& lengths) {
  if (options.decoder_input == architecture::DecoderInput::kMask) {
    const int64_t longest = lengths.max().item<int64_t>();
    return embed(torch::full({lengths.size(0), longest}, core::SpecialIds{}.bos, lengths.options()));
  }
  const Tensor copied = copy_weights(src_mask, lengths, options.decoder_input, options.copy_width);
  return nn::full_matmul(copied, src_embed->ptr<nn::EmbeddingsImpl>(0)->forward(src));  // [batch, tgt_len, d_model]
}

Tensor NonAutoregressiveImpl::embed(const Tensor& ids) { return tgt_embed->ptr<nn::EmbeddingsImpl>(0)->forward(ids); }

Tensor NonAutoregressiveImpl::decode(const nn::Memory& memory, const Tensor& input, const Tensor& tgt_mask) {
  const Tensor x = tgt_embed->ptr<nn::PositionalEncodingImpl>(1)->forward(input);
  return decoder->forward(x, memory.states, memory.mask, tgt_mask);
}

}  // namespace ventris::families
