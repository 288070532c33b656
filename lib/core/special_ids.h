#pragma once
#include <cstdint>

namespace ventris::core {

/// Ids with a meaning of their own; the same in every tokenizer we learn, and stored in each bundle.
struct SpecialIds {
  int32_t pad = 0;
  int32_t unk = 1;
  int32_t bos = 2;
  int32_t eos = 3;
};

}  // namespace ventris::core
