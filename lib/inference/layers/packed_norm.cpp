#include "layers/packed_norm.h"

namespace ventris::layers {

void normalise(const Context& context, const Norm& norm, const float* x, int64_t rows, float* out) {
  const architecture::TransformerOptions& options = context.options;
  const auto epsilon = static_cast<float>(options.norm_epsilon);
  switch (options.norm_kind) {
    case architecture::NormKind::kLayer:
      return context.kernels.layer_norm(x, rows, options.d_model, norm.weight.data(), norm.bias.data(), epsilon, out);
    case architecture::NormKind::kRms:
      return context.kernels.rms_norm(x, rows, options.d_model, norm.weight.data(), epsilon, out);
  }
}

}  // namespace ventris::layers
