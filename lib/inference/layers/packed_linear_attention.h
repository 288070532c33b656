#pragma once
#include <deque>
#include <span>
#include <vector>

#include "layers/decoder_attention.h"
#include "layers/encoder_attention.h"
#include "layers/widths.h"

/// SelfAttention::kLinear. Source: as attention::LinearAttention.
namespace ventris::layers {

class LinearAttention : public EncoderAttention {
 public:
  explicit LinearAttention(const Context& context) : context_(context) {}

  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  void attend(float* projected, int64_t len, float* out) override;

 private:
  /// Packs the sums over keys k and values v [len] of a head: k (v, 1), a matrix [d_k, d_v + 1].
  void sum_up(const float* keys, const float* values, int64_t len, float* packed);

  const Context context_;
  const architecture::TransformerOptions& options_ = context_.options;
  Aligned<float> keys_, values_, sums_;
};

/// The sums of the prefixes of a decoder. Each row has sums of its own, which follow it when rows are reordered.
class PrefixSums {
 public:
  /// `size`: floats of a row in each layer.
  PrefixSums(size_t layers, int64_t size) : size_(size), pools_(layers) {}

  /// The bytes of a row, with that before it.
  static int64_t bytes_of_row(int64_t layers, int64_t size) {
    return arithmetic::grown(2 * kFloat * layers * size) + 128 * layers;
  }

  void clear();
  void add();  ///< a row with sums of 0
  void follow(std::span<const int32_t> parents);
  float* of(size_t layer, size_t row) { return pools_[layer][rows_[row]].data(); }

 private:
  size_t new_place();

  int64_t size_;
  std::vector<std::deque<Aligned<float>>> pools_;  // of each layer: sums by place
  std::vector<size_t> free_;                       // places
  std::vector<size_t> rows_, next_rows_;           // the place of each row
  std::vector<char> taken_;                        // whether a new row has the place of this old one
};

class LinearSteps : public DecoderAttention {
 public:
  LinearSteps(const Kernels& kernels, const architecture::TransformerOptions& options);

  /// What it needs besides a workspace and prefixes without entries.
  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  void clear() override { sums_.clear(); }
  void add() override { sums_.add(); }
  void follow(std::span<const int32_t> parents) override { sums_.follow(parents); }
  void attend(size_t layer, float* projected, int64_t rows, float* out) override;

 private:
  const Kernels& kernels_;
  const architecture::TransformerOptions& options_;
  PrefixSums sums_;
};

}  // namespace ventris::layers
