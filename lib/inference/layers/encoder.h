#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "layers/encoder_attention.h"
#include "layers/layers.h"

namespace ventris::layers {

/// Encodes sentences one after the other in memory, without padding.
class Encoder {
 public:
  Encoder(const Context& context, const TransformerWeights& weights);

  /// Its memory, with that of the workspace.
  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options);

  /// Encodes several sentences; each has at least one id.
  void encode(std::span<const std::span<const int32_t>> sentences);
  /// The same only up to a layer, whose output is then states(); 0 = the embeddings. Without the final norm.
  void encode_to(size_t layer, std::span<const std::span<const int32_t>> sentences);

  /// Frees all memory.
  void release();

  int64_t rows() const { return rows_; }  ///< tokens of the group
  const float* states() const { return x_.data(); }  ///< the last output, [rows, d_model]; valid until the next call
  /// What a decoder layer sees of the source, [rows, d_model]; valid until the next call. Ask for layer 0 first.
  const float* memory(size_t decoder_layer);

 private:
  void make_attention();
  void begin(std::span<const std::span<const int32_t>> sentences);
  void run_layer(size_t i, std::span<const std::span<const int32_t>> sentences);
  void keep_output(size_t layer);
  const float* mean(std::span<const float> shares);

  const Context context_;
  const TransformerWeights& weights_;
  std::vector<std::unique_ptr<EncoderAttention>> self_attention_;  // of each layer
  int64_t rows_ = 0;
  Aligned<float> x_, mixed_;
  std::vector<Aligned<float>> outputs_;  // of each layer, after the final norm; only if the decoder needs them
  std::vector<int32_t> ids_;
  std::vector<int64_t> positions_;
};

}  // namespace ventris::layers
