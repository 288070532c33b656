#pragma once
#include <cstdint>

namespace ventris::engine {

/// How many target ids a sentence may use.
struct ShortlistOptions {
  int64_t first = 1000;  ///< the most frequent target ids, which every sentence may use, at least 0
  int64_t best = 50;    ///< target pieces of each source piece, which its sentence may use, at least 1
};

}  // namespace ventris::engine
