#include "attention/visible_positions.h"

namespace ventris::attention {

torch::Tensor visible_positions(const torch::Tensor& mask, const torch::Tensor& x, bool causal, const char* kind) {
  if (!mask.defined()) return torch::ones({1, x.size(1)}, x.options().dtype(torch::kBool));
  TORCH_CHECK(mask.dim() == 3 && (causal || mask.size(1) == 1), kind,
              " attention: expected a mask [batch, 1, len] or, if causal, [batch, len, len], got ", mask.sizes());
  return mask.select(1, mask.size(1) - 1).expand({-1, x.size(1)});
}

}  // namespace ventris::attention
