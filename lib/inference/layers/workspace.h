#pragma once
#include "arithmetic/matrix.h"

namespace ventris::layers {

using arithmetic::Aligned;
using arithmetic::Inputs;

/// Memory of one thread for intermediate results. It grows to the largest size needed and is then reused.
struct Workspace {
  Inputs inputs;
  Aligned<float> normed, projected, context, hidden, scores, packed, squares;
};

}  // namespace ventris::layers
