#pragma once
#include <cstdint>

namespace ventris::core {

/// The ids of the special tokens. They are the same in every tokenizer that Ventris learns, and stored in each bundle.
struct SpecialIds {
  int32_t pad = 0;
  int32_t unk = 1;
  int32_t bos = 2;
  int32_t eos = 3;
};

}  // namespace ventris::core
