#pragma once
#include "engine/matrix.h"

namespace ventris::engine {

/// Memory of one thread for intermediate results. It grows to the largest size needed and is then reused.
struct Workspace {
  Inputs inputs;
  Aligned<float> normed, projected, context, hidden, scores, packed, squares;
};

}  // namespace ventris::engine
