#include "nn/transformer.h"

#include <stdexcept>
#include <string>

#include "nn/parameters.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

template <typename Layer>
torch::nn::ModuleList make_layers(const TransformerOptions& options, int64_t count) {
  torch::nn::ModuleList list;
  for (int64_t i = 0; i < count; ++i) list->push_back(Layer(options));
  return list;
}

LayerNorm make_norm(const TransformerOptions& options) { return LayerNorm(options.d_model()); }

}  // namespace

EncoderImpl::EncoderImpl(const TransformerOptions& options) {
  layers = register_module("layers", make_layers<EncoderLayer>(options, options.encoder_layers()));
  if (options.norm() == NormPlace::kPre) norm = register_module("norm", make_norm(options));
}

Tensor EncoderImpl::forward(Tensor x, const Tensor& mask) {
  for (size_t i = 0; i < layers->size(); ++i) x = layers->ptr<EncoderLayerImpl>(i)->forward(x, mask);
  return norm.is_empty() ? x : norm(x);
}

DecoderImpl::DecoderImpl(const TransformerOptions& options) {
  layers = register_module("layers", make_layers<DecoderLayer>(options, options.decoder_layers()));
  if (options.norm() == NormPlace::kPre) norm = register_module("norm", make_norm(options));
}

Tensor DecoderImpl::forward(Tensor x, const Tensor& memory, const Tensor& src_mask, const Tensor& tgt_mask) {
  for (size_t i = 0; i < layers->size(); ++i) {
    x = layers->ptr<DecoderLayerImpl>(i)->forward(x, memory, src_mask, tgt_mask);
  }
  return normalize(x);
}

GeneratorImpl::GeneratorImpl(int64_t d_model, int64_t vocab) { proj = register_module("proj", Linear(d_model, vocab)); }

EncoderDecoderImpl::EncoderDecoderImpl(const TransformerOptions& settings) : options(settings) {
  if (options.tying() == Tying::kAll && options.src_vocab() != options.tgt_vocab()) {
    throw std::invalid_argument("EncoderDecoder: tying all embeddings needs one vocabulary, got " +
                                std::to_string(options.src_vocab()) + " source and " +
                                std::to_string(options.tgt_vocab()) + " target tokens");
  }
  encoder = register_module("encoder", Encoder(options));
  decoder = register_module("decoder", Decoder(options));
  src_embed = register_module("src_embed", torch::nn::Sequential(Embeddings(options.d_model(), options.src_vocab()),
                                                                 PositionalEncoding(options)));
  tgt_embed = register_module("tgt_embed", torch::nn::Sequential(Embeddings(options.d_model(), options.tgt_vocab()),
                                                                 PositionalEncoding(options)));
  generator = register_module("generator", Generator(options.d_model(), options.tgt_vocab()));
  tie();
}

void EncoderDecoderImpl::tie() {
  if (options.tying() == Tying::kNone) return;
  auto& source = *src_embed->ptr<EmbeddingsImpl>(0)->lut;
  auto& target = *tgt_embed->ptr<EmbeddingsImpl>(0)->lut;
  if (options.tying() == Tying::kAll) target.share_weight(source.weight);
  generator->proj->share_weight(target.weight);
}

Tensor EncoderDecoderImpl::encode(const Tensor& src, const Tensor& src_mask) {
  return encoder(src_embed->forward(src), src_mask);
}

Tensor EncoderDecoderImpl::decode(const Tensor& memory, const Tensor& src_mask, const Tensor& tgt,
                                  const Tensor& tgt_mask) {
  return decoder(tgt_embed->forward(tgt), memory, src_mask, tgt_mask);
}

Tensor EncoderDecoderImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask,
                                   const Tensor& tgt_mask) {
  return decode(encode(src, src_mask), src_mask, tgt, tgt_mask);
}

EncoderDecoder make_model(const TransformerOptions& options) {
  EncoderDecoder model(options);
  for (const Tensor& parameter : distinct_parameters(*model)) {
    // Learned positions, [1, positions, d_model], keep their own.
    if (parameter.dim() == 2) torch::nn::init::xavier_uniform_(parameter);
  }
  return model;
}

}  // namespace ventris::nn
