#include "layers/bert_weights.h"

#include "architecture/bert_layers.h"
#include "layers/tensor_reader.h"

namespace ventris::layers {
namespace {

using architecture::BertOptions;

Norm norm_of(const TensorReader& reader, const std::string& name, int64_t width) {
  return {reader.read(name + ".weight", {width}), reader.read(name + ".bias", {width})};
}

/// The position vectors, each with the vector of segment 0 added: [max_positions * d_model].
std::vector<float> positions_of(const TensorReader& reader, const BertOptions& options) {
  const int64_t width = options.d_model;
  std::vector<float> positions =
      reader.read("bert.embeddings.position_embeddings.weight", {options.max_positions, width});
  const std::vector<float> segments = reader.read("bert.embeddings.token_type_embeddings.weight", {2, width});
  for (size_t i = 0; i < positions.size(); ++i) positions[i] += segments[i % static_cast<size_t>(width)];
  return positions;
}

Embedding embedding_of(const TensorReader& reader, const BertOptions& options) {
  Embedding made;
  made.tokens = reader.table("bert.embeddings.word_embeddings.weight", options.vocab, options.d_model);
  made.positions = positions_of(reader, options);
  made.norm = norm_of(reader, "bert.embeddings.LayerNorm", options.d_model);
  made.scaled = false;
  return made;
}

}  // namespace

BertWeights pack_bert(const BertOptions& options, int64_t labels, const model::Safetensors& file, Precision precision) {
  const TensorReader reader(file, precision), exact(file, Precision::kF32);
  const int64_t width = options.d_model;
  BertWeights weights;
  weights.encoder.options = architecture::encoder_options(options);
  weights.encoder.encoder = pack_encoder_layers(
      weights.encoder.options, file.with_names(architecture::bert_layer_tensors(options.layers)), precision);
  weights.encoder.source = embedding_of(reader, options);
  weights.pooler = exact.linear("bert.pooler.dense", width, width);
  if (labels > 0) {
    weights.classifier = exact.linear("classifier", labels, width);
    return weights;
  }
  const std::string head = "cls.predictions.";
  weights.transform = reader.linear(head + "transform.dense", width, width);
  weights.transform_norm = norm_of(reader, head + "transform.LayerNorm", width);
  const std::vector<float> bias = reader.read(head + "bias", {options.vocab});
  weights.predictions = {weights.encoder.source.tokens, arithmetic::padded_bias(bias.data(), options.vocab)};
  return weights;
}

}  // namespace ventris::layers
