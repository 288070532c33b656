#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "architecture/transformer_options.h"
#include "arithmetic/matrix.h"
#include "layers/attention_weights.h"
#include "layers/embedding.h"
#include "model/safetensors.h"

/// The weights of a Transformer (architecture/transformer_options.h), packed for products. Names as in
/// families/transformer.h.
namespace ventris::layers {

using arithmetic::Precision;

struct FeedForward {
  Matrix w_1, w_2;
  Matrix w_3;  ///< only if it is gated
  Matrix router;                     ///< with experts: [experts, d_model], always in f32; otherwise empty
  std::vector<FeedForward> experts;  ///< in place of the matrices above; empty = there are none
};

struct EncoderLayer {
  Matrix query_key_value;  ///< the projections side by side; that of queries is adapted to the score
  Matrix output;
  FeedForward feed_forward;
  std::vector<Norm> norms;  ///< [2]
  SelfAttentionWeights self_attention;
};

struct DecoderLayer {
  Matrix query_key_value, output;  ///< of self-attention; empty with an SSRU
  Matrix source_query, source_key_value, source_output;
  FeedForward feed_forward;
  std::vector<Norm> norms;     ///< [3]
  Elements<float> mixture;     ///< CrossAttention::kWeighted: [encoder layers], sums to 1; otherwise empty
  SelfAttentionWeights self_attention;
  Score source_score;
  Matrix ssru;  ///< SelfAttention::kSsru: [2 d_model, d_model], input and forget gate side by side; otherwise empty
};

/// The layers of a model, and what else its weights depend on.
struct ModelShape {
  ModelShape(const architecture::TransformerOptions& layers)  // NOLINT(google-explicit-constructor)
      : options(layers), target_positions(layers.max_positions) {}
  /// Of a model that writes all tokens at once.
  ModelShape(const architecture::NatOptions& model)  // NOLINT(google-explicit-constructor)
      : options(model.transformer),
        target_positions(model.most_positions()),
        length_classes(model.predicts_length() ? model.length_classes() : 0) {}

  architecture::TransformerOptions options;
  int64_t target_positions;    ///< positions that the target may have
  int64_t length_classes = 0;  ///< that the model chooses the length of a translation from; 0 = it does not
};

struct TransformerWeights {
  TransformerWeights() = default;
  explicit TransformerWeights(const architecture::TransformerOptions& settings)
      : options(settings), decoder_options(settings.decoder_side()) {}

  architecture::TransformerOptions options;          ///< `heads` and `d_ff` are those of the encoder
  architecture::TransformerOptions decoder_options;  ///< options.decoder_side(), with which the decoder computes
  Embedding source, target;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  Norm encoder_norm, decoder_norm;  ///< only with has_final_norm()
  Elements<float> encoder_bias, decoder_bias;  ///< Positions::kRelativeBias: [buckets, heads]; otherwise empty
  Matrix generator;  ///< [tgt_vocab, d_model]; if it is tied, it shares its weights with target.tokens
  core::SharedBytes file;  ///< the packed file in which the weights are; none if they have memory of their own
  Matrix length;  ///< [length classes, d_model], always in f32; only if the model predicts the length of a translation
};

/// The most inputs of a layer that kInt8 takes, so that 32-bit sums cannot overflow, and those of a model.
inline constexpr int64_t kMostInt8Inputs = 65536;
int64_t most_inputs(const architecture::TransformerOptions& options);

/// Adds what follows from positions: sinusoids to both embeddings, or the rotation, or the terms of distances, to each
/// self-attention.
void add_positions(TransformerWeights& weights);

/// Packs the weights of a model. Throws ModelError for a tensor that is missing, of another shape, or neither F32 nor
/// BF16; ConfigError for a layer that is too wide for kInt8. Tensors of a mapped file are released one by one, so that
/// the memory needed is that of the packed weights and one tensor.
TransformerWeights pack_weights(const ModelShape& shape, const model::Safetensors& file, Precision precision);

/// The same for the encoder alone: embeddings of the source, layers and final norm. The rest is empty.
TransformerWeights pack_encoder(const architecture::TransformerOptions& options, const model::Safetensors& file,
                                Precision precision);

/// The same for the encoder layers alone.
std::vector<EncoderLayer> pack_encoder_layers(const architecture::TransformerOptions& options,
                                              const model::Safetensors& file, Precision precision);

}  // namespace ventris::layers
