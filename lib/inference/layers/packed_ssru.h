#pragma once
#include <span>

#include "layers/packed_linear_attention.h"

namespace ventris::layers {

/// SelfAttention::kSsru: the cells of all prefixes. Source: as families::Ssru.
class SsruSteps : public DecoderAttention {
 public:
  SsruSteps(const Kernels& kernels, const architecture::TransformerOptions& options)
      : kernels_(kernels),
        width_(options.d_model),
        cells_(static_cast<size_t>(options.decoder_layers), options.d_model) {}

  /// What it needs besides a workspace and prefixes without entries.
  static decoding::MemoryNeeds needs(const architecture::TransformerOptions& options) {
    decoding::MemoryNeeds needs;
    needs.row = PrefixSums::bytes_of_row(options.decoder_layers, options.d_model) +
                arithmetic::grown(3 * kFloat * options.d_model);  // what is projected
    return needs;
  }

  void clear() override { cells_.clear(); }
  void add() override { cells_.add(); }
  void follow(std::span<const int32_t> parents) override { cells_.follow(parents); }
  void attend(size_t layer, float* projected, int64_t rows, float* out) override;

 private:
  const Kernels& kernels_;
  int64_t width_;
  PrefixSums cells_;
};

}  // namespace ventris::layers
