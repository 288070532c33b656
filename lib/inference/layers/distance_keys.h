#pragma once
#include "layers/attention_weights.h"
#include "layers/workspace.h"

namespace ventris::layers {

using arithmetic::kPanel;

/// The keys of distances in one layer with segments, W R_d. They are computed when they are first needed.
class DistanceKeys {
 public:
  /// `side`: a decoder has no distances under 0.
  DistanceKeys(const Kernels& kernels, const architecture::TransformerOptions& options, const Matrix& w, Side side);

  /// The most distances that there are, in whole panels, and the bytes of the keys of so many.
  static int64_t most_of_encoder(const architecture::TransformerOptions& options);
  static int64_t most_of_decoder(const architecture::TransformerOptions& options);
  static int64_t bytes(const architecture::TransformerOptions& options, int64_t distances);

  /// Makes sure that there are the distances from `largest` down to `smallest`, which may be negative.
  void reserve(int64_t largest, int64_t smallest);

  /// The most columns of a row of multiply().
  static constexpr int64_t most_columns(int64_t distances) { return distances + kPanel - 1; }
  /// out [rows, most_columns()] = the products of queries [rows, d_k] of one head with the distances from `largest`
  /// down to `smallest`, with `ldo` elements from row to row. Returns the column of `largest`; those before it are
  /// others'.
  int64_t multiply(int64_t head, const float* queries, int64_t stride, int64_t rows, int64_t largest, int64_t smallest,
                   float* out, int64_t ldo) const;

 private:
  void compute();

  const Kernels& kernels_;
  const architecture::TransformerOptions& options_;
  const Matrix& w_;
  int64_t most_, least_;              // distances that can occur
  int64_t largest_ = -1, smallest_ = 0;  // distances that there are
  Aligned<float> packed_;             // for each head, a matrix [d_k, distances]
};

/// A query [size] of segments gets the biases u, and `of_distances` [size] what is multiplied with distances: the query
/// with the bias v.
void add_biases(const SelfAttentionWeights& weights, int64_t size, float* query, float* of_distances);

}  // namespace ventris::layers
