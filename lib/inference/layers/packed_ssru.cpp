#include "layers/packed_ssru.h"

namespace ventris::layers {

void SsruSteps::attend(size_t layer, float* projected, int64_t rows, float* out) {
  for (int64_t row = 0; row < rows; ++row, projected += 2 * width_, out += width_) {
    kernels_.ssru_step({projected, projected + width_, width_, cells_.of(layer, static_cast<size_t>(row)), out});
  }
}

}  // namespace ventris::layers
