#pragma once
#include <cstdint>

#include "architecture/transformer_options.h"

/// The widths of an attention block over all heads.
namespace ventris::layers {

inline constexpr int64_t kFloat = sizeof(float);

inline int64_t key_size(const architecture::TransformerOptions& options) { return options.heads * options.key_width(); }
inline int64_t value_size(const architecture::TransformerOptions& options) {
  return options.heads * options.value_width();
}

}  // namespace ventris::layers
