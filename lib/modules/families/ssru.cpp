#include "families/ssru.h"

#include <vector>

#include "nn/full_precision.h"

namespace ventris::families {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// The cells [batch, len, d_model] for gates f and inputs x of the same shape. Only the sums over time are one step
/// after the other: c_t = x_t + f_t (c_{t-1} - x_t).
struct Cells : torch::autograd::Function<Cells> {
  static Tensor forward(AutogradContext* context, const Tensor& f, const Tensor& x) {
    Tensor cells = at::empty_like(x, at::MemoryFormat::Contiguous);
    Tensor cell = at::zeros_like(x.select(1, 0));
    for (int64_t t = 0; t < x.size(1); ++t) {
      cell = at::lerp(x.select(1, t), cell, f.select(1, t));
      cells.select(1, t).copy_(cell);
    }
    context->save_for_backward({f, x, cells});
    return cells;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &f = saved[0], &x = saved[1], &cells = saved[2];
    Tensor of_cells = gradients[0].clone(at::MemoryFormat::Contiguous);  // gets what reaches a cell from later ones
    for (int64_t t = x.size(1) - 1; t > 0; --t) {
      of_cells.select(1, t - 1).addcmul_(of_cells.select(1, t), f.select(1, t));
    }
    const Tensor before = at::constant_pad_nd(cells.narrow(1, 0, x.size(1) - 1), {0, 0, 1, 0});
    return {of_cells * (before - x), of_cells * (1 - f)};
  }
};

}  // namespace

SsruImpl::SsruImpl(int64_t d_model) {
  input = register_module("input", nn::Linear(torch::nn::LinearOptions(d_model, d_model).bias(false)));
  forget = register_module("forget", nn::Linear(d_model, d_model));
}

Tensor SsruImpl::forward(const Tensor& x) {
  const Tensor in = nn::at_least_f32(input(x)), gate = nn::at_least_f32(forget(x));
  const nn::WithoutAutocast plain;
  return at::relu(Cells::apply(at::sigmoid(gate), in));
}

Tensor SsruImpl::step(const Tensor& x, Tensor& cell) {
  const Tensor newest = x.squeeze(1), gate = nn::at_least_f32(forget(newest));
  cell = at::lerp(nn::at_least_f32(input(newest)), cell, at::sigmoid(gate));
  return at::relu(cell).unsqueeze(1);
}

Tensor SsruImpl::empty_cells(int64_t rows) const {
  return torch::zeros({rows, input->weight.size(1)}, forget->bias.options().requires_grad(false));
}

void SsruImpl::pretty_print(std::ostream& out) const {
  out << "ventris::families::Ssru(d_model=" << input->weight.size(1) << ")";
}

}  // namespace ventris::families
