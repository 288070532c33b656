#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arithmetic/matrix.h"
#include "layers/packed_relative_bias.h"
#include "layers/packed_rotation.h"
#include "layers/packed_score.h"

/// What the attention blocks of some kinds have besides their projections. Names as in lib/modules/attention.
namespace ventris::layers {

using arithmetic::Matrix;

/// The parameters of self-attention besides projections; those that its kind does not have are empty.
struct SelfAttentionWeights {
  Score score;
  Elements<float> key_mixtures, value_mixtures;  ///< kLowRank, of encoders: [low_rank_size, max_positions]
  Matrix distances;  ///< kSegment: W [heads * d_k, d_model], in f32, because it is used once for each distance
  Elements<float> content_bias, distance_bias;  ///< kSegment: u and v [heads * d_k], scaled as queries are
  std::shared_ptr<const Rotation> rotation;  ///< Positions::kRotary; all layers share it; otherwise null
  std::shared_ptr<const RelativeBias> relative_bias;  ///< kRelativeBias; the layers of a side share it; otherwise null
};

enum class Side { kEncoder, kDecoder };

/// Returns the elements of the tensor with this name, which must have this shape.
using ReadTensor = std::function<std::vector<float>(const std::string& name, const std::vector<int64_t>& shape)>;

/// Puts what the score multiplies queries with into their projection: x [heads * d_k, columns] is its weight, or its
/// bias with one column. So kScaledDot and kBilinear need no more than products. `block`: the attention block.
void adapt_queries(const architecture::TransformerOptions& options, const std::string& block, const ReadTensor& read,
                   std::vector<float>& x);

/// What packing does to the elements of some vectors.
using PreparedVector = void (*)(const architecture::TransformerOptions& options, std::vector<float>& x);
/// Multiplies x as kScaledDot does queries.
void scaled_queries(const architecture::TransformerOptions& options, std::vector<float>& x);
/// x = the lengths that kCosine gives to queries, from their logarithms.
void lengths_of_queries(const architecture::TransformerOptions& options, std::vector<float>& x);
/// x = shares that sum to 1, from their logarithms.
void softmax(const architecture::TransformerOptions& options, std::vector<float>& x);

/// What adapt_queries() multiplies queries with, if it is one number: 1 for other scores than kScaledDot.
float query_factor(const architecture::TransformerOptions& options);

}  // namespace ventris::layers
