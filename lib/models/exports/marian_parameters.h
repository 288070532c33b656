#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "model/safetensors.h"

/// The parameters of a Transformer as Marian has them.
namespace ventris::exports {

/// A matrix [in, out], a vector [1, out], or a table of embeddings [rows, d_model].
struct MarianParameter {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// A row that is no token of ours: zeros, and never generated.
inline constexpr int64_t kFillerRow = -1;

/// Our ids in the order of the rows of Marian, for a vocabulary of so many tokens: </s>, <unk>, then all others but
/// padding and start, which Marian does not have. Then come kFillerRow, until the number of rows is a multiple of
/// `multiple`.
std::vector<int64_t> marian_order(int64_t vocab, int64_t multiple);

/// The parameters under the names of Marian; tables have the rows of marian_order(). A bias that the model does not
/// have is zeros.
std::vector<MarianParameter> marian_parameters(const model::Safetensors& weights,
                                               const architecture::TransformerOptions& options, int64_t multiple);

/// Whether the embedding of bos in the decoder is zeros, as it is in Marian.
bool starts_with_zeros(const model::Safetensors& weights, const architecture::TransformerOptions& options);

}  // namespace ventris::exports
