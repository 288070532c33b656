#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "architecture/transformer.h"
#include "engine/matrix.h"
#include "model/safetensors.h"

/// The weights of a Transformer (architecture/transformer.h), packed for products. Names as in families/transformer.h.
namespace ventris::engine {

struct Norm {
  std::vector<float> weight, bias;  ///< [d_model] each
};

struct FeedForward {
  Matrix w_1, w_2;
};

struct EncoderLayer {
  Matrix query_key_value;  ///< the projections side by side; queries are already scaled
  Matrix output;
  FeedForward feed_forward;
  std::vector<Norm> norms;  ///< [2]
};

struct DecoderLayer {
  Matrix query_key_value, output;  ///< of self-attention
  Matrix source_query, source_key_value, source_output;
  FeedForward feed_forward;
  std::vector<Norm> norms;     ///< [3]
  std::vector<float> mixture;  ///< CrossAttention::kWeighted: [encoder layers], sums to 1; otherwise empty
};

/// Token and position vectors of one side.
struct Embedding {
  std::shared_ptr<const std::vector<float>> tokens;     ///< [vocab, d_model], already scaled; shared by tied sides
  std::shared_ptr<const std::vector<float>> positions;  ///< [max_positions, d_model]; shared if they are sinusoids
  Norm norm;  ///< empty unless embedding_norm
};

struct TransformerWeights {
  architecture::TransformerOptions options;
  Embedding source, target;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  Norm encoder_norm, decoder_norm;  ///< empty with NormPlace::kPost
  Matrix generator;  ///< [tgt_vocab, d_model]
};

/// Why the engine cannot run a model with these settings; "" = it can.
std::string unsupported(const architecture::Architecture& architecture);

/// Packs the weights of a model for which unsupported() returns an empty text. Throws ModelError for a tensor that is
/// missing, of another shape, or neither F32 nor BF16; ConfigError for a layer that is too wide for kInt8.
TransformerWeights pack_weights(const architecture::TransformerOptions& options, const model::Safetensors& file,
                                Precision precision);

}  // namespace ventris::engine
