#pragma once
#include <cstdint>

namespace ventris::architecture {

/// How the models of a family write a translation. Which settings of decoding make sense depends on it.
struct Writing {
  bool all_at_once = false;  ///< all tokens in one pass; false = token by token, by a search
  bool refines = false;      ///< may write a translation again, from the tokens that it is most sure of
  /// With CTC, the symbols of a path for each source token. A beam can search over the paths. 0 = there are no paths.
  int64_t path_positions = 0;
  int64_t lengths = 0;  ///< how many lengths the model predicts the probability of; 0 = it predicts none
};

}  // namespace ventris::architecture
