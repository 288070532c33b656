#pragma once
#include <cstdint>

#include "layers/packed_score.h"

/// Attention to a sequence whose keys and values are packed: for each head, keys as a matrix [d_k, len], their terms
/// (only if has_key_terms()), and values as a matrix [len, d_v].
namespace ventris::layers {

using arithmetic::ProductF32;

/// A packed sequence.
struct PackedSequence {
  const float* data;
  int64_t len;
};

/// The floats of a packed sequence.
int64_t packed_size(const architecture::TransformerOptions& options, int64_t len);
/// Those of each position. A sequence has keys, with their terms, for up to kPanel positions more.
struct PackedWidth {
  int64_t keys, values;

  int64_t both() const { return keys + values; }
};
PackedWidth packed_width(const architecture::TransformerOptions& options);

/// Packs prepared keys [len, heads * d_k] and values [len, heads * d_v], with `stride` elements from row to row.
void pack_keys_values(const Context& context, const float* keys, const float* values, int64_t stride, int64_t len,
                      float* packed);

/// One head of a packed sequence.
struct PackedHead {
  const float* keys;    ///< [panels_of(len)][d_k][kPanel]
  const float* terms;   ///< [panels_of(len)][kPanel], or null
  const float* values;  ///< [panels_of(d_v)][len][kPanel]
};
PackedHead packed_head(const architecture::TransformerOptions& options, const PackedSequence& packed, int64_t head);

/// Vectors [len, width], with `stride` elements from row to row, as the columns of a packed matrix [width, len].
/// Returns the end of the matrix.
float* pack_columns(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed);
/// The same as its rows: a packed matrix [len, width].
float* pack_rows(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed);

/// The scores of `product`, whose a are prepared queries of a head and whose b are keys. `terms`: of the keys, or null.
void multiply_scores(const Kernels& kernels, const Score& score, int64_t head, ProductF32 product, const float* terms);

/// Prepared queries [rows, heads * d_k], with `stride` elements from row to row.
struct Queries {
  const float* data;
  int64_t stride;
  int64_t rows;
};

/// Attention of queries to a packed sequence -> out [rows, heads * d_v]. If `weights` is not null, it gets the
/// attention weights [rows, heads, len].
void attend(const Context& context, const Score& score, const Queries& queries, const PackedSequence& packed,
            float* out, float* weights = nullptr, const PackedSequence& next = {nullptr, 0});

/// The same where query i sees only the positions up to i of `packed`, which has a position for each query. Not for
/// scores of an additive kind.
void attend_to_prefixes(const Context& context, const Queries& queries, const PackedSequence& packed, float* out);

}  // namespace ventris::layers
