#pragma once
#include <cstdint>
#include <vector>

namespace ventris::core {

/// The ids of the special tokens. They are the same in every tokenizer that Ventris learns, and stored in each bundle.
struct SpecialIds {
  int32_t pad = 0;
  int32_t unk = 1;
  int32_t bos = 2;
  int32_t eos = 3;

  /// The ids that are never generated: pad, bos, and unk unless it is allowed.
  std::vector<int32_t> never(bool allow_unk) const {
    return allow_unk ? std::vector<int32_t>{pad, bos} : std::vector<int32_t>{pad, bos, unk};
  }
};

}  // namespace ventris::core
