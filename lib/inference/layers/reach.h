#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "architecture/transformer_options.h"

namespace ventris::layers {

/// Which positions of a target prefix its newest position sees: itself, some before it, and the first `globals`. What
/// no later position will see is not kept.
struct Reach {
  static constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

  int64_t globals = 0;
  int64_t recent = kAll;  ///< newest positions that are kept; 0 = none, not even the newest
  int64_t segment = 0;    ///< positions of a segment, or 0: of the `recent`, it sees those of its segment and the
                        ///< `recent - segment` before it. Without segments, it sees all `recent`

  static Reach of(const architecture::TransformerOptions& options) {
    using architecture::SelfAttention;
    switch (options.self_attention) {
      case SelfAttention::kWindow: return {options.global_positions, options.window + 1};
      case SelfAttention::kSegment: return {0, options.segment + options.segment_memory, options.segment};
      case SelfAttention::kLinear:
      case SelfAttention::kSsru: return {0, 0};
      case SelfAttention::kFull:
      case SelfAttention::kLowRank: break;
    }
    return {};
  }

  /// The most positions that are kept at a time.
  int64_t slots() const { return recent == kAll ? kAll : globals + recent; }
  /// Where a position is kept, in [0, slots()). The position that was there before is forgotten.
  int64_t slot(int64_t position) const {
    return position < slots() ? position : globals + (position - globals) % recent;
  }
  /// The oldest position that `position` sees, besides the global ones; `position + 1` if it sees none.
  int64_t oldest(int64_t position) const {
    const int64_t before = segment > 0 ? position % segment + recent - segment : recent - 1;
    return std::max(globals, position - std::min(position, before));
  }
};

}  // namespace ventris::layers
