#pragma once
#include <cstdint>

namespace ventris::core {

/// How the models of a family write a translation. Which settings of decoding make sense depends on it.
struct Writing {
  bool all_at_once = false;  ///< all tokens in one pass; false = token by token, by a search
  bool refines = false;      ///< may write a translation again, from the tokens that it is most sure of
  bool has_paths = false;    ///< all tokens at once by CTC, so that a beam can search over the paths
  int64_t lengths = 0;       ///< how many lengths the model predicts the probability of; 0 = it predicts none
};

}  // namespace ventris::core
