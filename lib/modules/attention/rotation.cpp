#include "attention/rotation.h"

#include <cmath>

#include "nn/full_precision.h"

namespace ventris::attention {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// turns [len, 1, width / 2], complex: a rotation is a product of complex numbers.
Tensor turned(const Tensor& x, const Tensor& turns, int64_t columns) {
  Tensor out = x.clone(at::MemoryFormat::Contiguous);
  Tensor pairs = out.narrow(-1, 0, columns).unflatten(-1, {-1, turns.size(-1), 2});  // [..., len, heads, width / 2, 2]
  if (out.element_size() < 4) {
    const Tensor wide = pairs.to(torch::kFloat).contiguous();
    pairs.copy_(at::view_as_real(at::view_as_complex(wide).mul_(turns)));
  } else {
    at::view_as_complex(pairs).mul_(turns);
  }
  return out;
}

struct Rotate : torch::autograd::Function<Rotate> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& turns, int64_t columns) {
    context->save_for_backward({turns});
    context->saved_data["columns"] = columns;
    return turned(x, turns, columns);
  }

  /// Rotates back.
  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const Tensor turns = context->get_saved_variables()[0];
    return {turned(outer[0], turns.conj(), context->saved_data["columns"].toInt()), Tensor(), Tensor()};
  }
};

}  // namespace

Tensor rotations(int64_t count, int64_t width) {
  const Tensor pairs = torch::arange(0, width, 2, torch::kDouble);
  const Tensor speeds = torch::exp(pairs * (-std::log(10000.0) / static_cast<double>(width)));
  const Tensor angles = torch::arange(count, torch::kDouble).unsqueeze(1) * speeds;  // [count, width / 2]
  return torch::stack({angles.cos(), angles.sin()}, 2).to(torch::kFloat);
}

Tensor rotate(const Tensor& x, const Tensor& turns, int64_t columns) {
  const Tensor numbers = at::view_as_complex(nn::at_least_f32(turns).contiguous());  // [len, width / 2]
  return Rotate::apply(x, numbers.unsqueeze(1), columns);
}

}  // namespace ventris::attention
