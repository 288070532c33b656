#pragma once
#include <cstdint>

#include "nn/watch.h"

namespace ventris::nn {

/// A block whose attention weights can be watched.
class AttentionBlock {
 public:
  virtual int64_t heads() const = 0;

 protected:
  ~AttentionBlock() = default;
};

/// Keeps the attention weights [batch, heads, q_len, k_len] of blocks, before dropout. Blocks that are not watched use
/// code that need not compute them, where there is such code.
using AttentionWatch = Watch<AttentionBlock>;

}  // namespace ventris::nn
