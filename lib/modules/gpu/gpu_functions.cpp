#include "gpu/gpu_functions.h"

#include <algorithm>
#include <optional>
#include <string>

#include "gpu/gpu_program.h"

namespace ventris::gpu {
namespace {

using kernels::DropDraw;
using kernels::SmoothedTarget;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int kThreads = 256;
constexpr int kLossThreads = 256, kRowsPerBlock = 4, kPacks = 32, kRowsAtOnce = 8;  // as in kSource
constexpr int64_t kLeastRows = 128;  // of a share of column sums

int64_t blocks_for(int64_t count, int64_t each) { return (count + each - 1) / each; }

/// How many neighbouring elements a thread can read at once if rows have `width` elements: 4 or 1.
int pack_size(int64_t width, std::initializer_list<const Tensor*> tensors) {
  if (width % 4 != 0) return 1;
  for (const Tensor* tensor : tensors) {
    if (!tensor->defined()) continue;
    const auto bytes = static_cast<uintptr_t>(tensor->element_size() * 4);
    if (reinterpret_cast<uintptr_t>(tensor->data_ptr()) % bytes != 0) return 1;
  }
  return 4;
}

std::string kernel(const char* name, const std::string& types, int pack) {
  return std::string(name) + "<" + types + ", " + std::to_string(pack) + ">";
}

Grid element_grid(int64_t count, int pack) {
  return {.blocks_x = blocks_for(count, kThreads * pack), .threads_x = kThreads};
}

/// Without type: the kernels know it.
void* place(const Tensor& x) { return x.defined() ? x.data_ptr() : nullptr; }

Tensor dropped(const Tensor& x, const DropDraw& draw, torch::ScalarType type) {
  const Tensor dense = x.contiguous();
  Tensor out = at::empty_like(dense, dense.options().dtype(type));
  const int pack = pack_size(dense.numel(), {&dense, &out});
  const std::string types = std::string(type_name(dense)) + ", " + type_name(out);
  launch(dense.device(), kernel("drop", types, pack), element_grid(dense.numel(), pack), place(dense), place(out),
         dense.numel(), draw);
  return out;
}

/// p and the seed of a draw, for the backward pass, which computes the mask again.
void save_draw(AutogradContext* context, const DropDraw& draw) {
  context->saved_data["low"] = static_cast<int64_t>(draw.low);
  context->saved_data["high"] = static_cast<int64_t>(draw.high);
  context->saved_data["lowest_kept"] = static_cast<int64_t>(draw.lowest_kept);
  context->saved_data["scale"] = static_cast<double>(draw.scale);
}

DropDraw saved_draw(AutogradContext* context) {
  DropDraw draw(0, 0);
  draw.low = static_cast<uint32_t>(context->saved_data["low"].toInt());
  draw.high = static_cast<uint32_t>(context->saved_data["high"].toInt());
  draw.lowest_kept = static_cast<int32_t>(context->saved_data["lowest_kept"].toInt());
  draw.scale = static_cast<float>(context->saved_data["scale"].toDouble());
  return draw;
}

torch::ScalarType saved_type(AutogradContext* context) {
  return static_cast<torch::ScalarType>(context->saved_data["type"].toInt());
}

struct Drop : torch::autograd::Function<Drop> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const DropDraw& draw) {
    save_draw(context, draw);
    return dropped(x, draw, x.scalar_type());
  }
  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    return {dropped(outer[0], saved_draw(context), outer[0].scalar_type()), Tensor()};
  }
};

struct AddDropped : torch::autograd::Function<AddDropped> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& y, const DropDraw& draw) {
    const Tensor base = x.contiguous(), addend = y.contiguous();
    Tensor out = at::empty_like(base);
    const int pack = pack_size(base.numel(), {&base, &addend, &out});
    launch(base.device(), kernel("add_dropped", type_name(addend), pack), element_grid(base.numel(), pack), place(base),
           place(addend), place(out), base.numel(), draw);
    save_draw(context, draw);
    context->saved_data["type"] = static_cast<int64_t>(y.scalar_type());
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    return {outer[0], dropped(outer[0], saved_draw(context), saved_type(context)), Tensor()};
  }
};

/// The result shows which elements were kept.
struct ReluDropped : torch::autograd::Function<ReluDropped> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const DropDraw& draw) {
    const Tensor dense = x.contiguous();
    Tensor out = at::empty_like(dense);
    const int pack = pack_size(dense.numel(), {&dense, &out});
    launch(dense.device(), kernel("relu_dropped", type_name(dense), pack), element_grid(dense.numel(), pack),
           place(dense), place(out), dense.numel(), draw);
    context->save_for_backward({out});
    save_draw(context, draw);
    return out;
  }
  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const Tensor gradient = outer[0].contiguous(), result = context->get_saved_variables()[0];
    Tensor of_x = at::empty_like(gradient);
    const int pack = pack_size(gradient.numel(), {&gradient, &result, &of_x});
    launch(gradient.device(), kernel("relu_dropped_gradient", type_name(gradient), pack),
           element_grid(gradient.numel(), pack), place(gradient), place(result), place(of_x), gradient.numel(),
           saved_draw(context).scale);
    return {of_x, Tensor()};
  }
};

/// How the rows of a matrix [rows, width] are shared between blocks that sum up its columns.
struct Shares {
  explicit Shares(const Tensor& x)
      : rows(x.size(0)),
        width(static_cast<int>(x.size(1))),
        rows_per_block(std::max(kLeastRows, blocks_for(rows, 64))),
        count(blocks_for(rows, rows_per_block)) {}
  Grid grid(int pack) const { return {blocks_for(width, kPacks * pack), count, kPacks, kRowsAtOnce}; }
  int64_t rows;
  int width;
  int64_t rows_per_block, count;
};

/// x (float) [rows, width] -> [width] in f32, always in the same order.
Tensor column_sums(const Tensor& x) {
  const Shares shares(x);
  const Tensor sums = at::empty({shares.count, shares.width}, x.options().dtype(torch::kFloat));
  const int pack = pack_size(shares.width, {&x, &sums});
  launch(x.device(), kernel("column_sums", type_name(x), pack), shares.grid(pack), place(x), place(sums), shares.rows,
         shares.width, shares.rows_per_block);
  return sums.sum(0);
}

struct NormBranch : torch::autograd::Function<NormBranch> {
  static variable_list forward(AutogradContext* context, const Tensor& x, const Tensor& gain, const Tensor& bias,
                               double epsilon, torch::ScalarType type) {
    const Tensor rows = x.contiguous().view({-1, x.size(-1)}), factor = gain.contiguous(), addend = bias.contiguous();
    const Tensor moments = at::empty({2, rows.size(0)}, rows.options());
    Tensor out = at::empty(x.sizes(), x.options().dtype(type));
    const int width = static_cast<int>(rows.size(1)), pack = pack_size(width, {&rows, &factor, &addend, &out});
    launch(rows.device(), kernel("norm", type_name(out), pack), grid_of(rows), place(rows), place(factor),
           place(addend), place(out), place(moments), rows.size(0), width, static_cast<float>(epsilon));
    context->save_for_backward({rows, factor, moments});
    context->set_materialize_grads(false);
    context->saved_data["type"] = static_cast<int64_t>(type);
    return {x, out};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    if (!outer[1].defined()) return {outer[0], Tensor(), Tensor(), Tensor(), Tensor()};
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &gain = saved[1], &moments = saved[2];
    const Tensor of_out = outer[1].to(saved_type(context)).contiguous();
    const Tensor residual = outer[0].defined() ? outer[0].contiguous() : Tensor();
    Tensor of_x = at::empty(outer[1].sizes(), rows.options());
    const int width = static_cast<int>(rows.size(1));
    const int pack = pack_size(width, {&rows, &gain, &of_out, &residual, &of_x});
    launch(rows.device(), kernel("norm_gradient", type_name(of_out), pack), grid_of(rows), place(rows), place(gain),
           place(moments), place(of_out), place(residual), place(of_x), rows.size(0), width);
    const Shares shares(rows);
    const Tensor sums = at::empty({2, shares.count, width}, rows.options());
    const int pack_of_columns = pack_size(width, {&rows, &of_out, &sums});
    launch(rows.device(), kernel("norm_column_sums", type_name(of_out), pack_of_columns), shares.grid(pack_of_columns),
           place(rows), place(moments), place(of_out), place(sums[0]), place(sums[1]), shares.rows, width,
           shares.rows_per_block);
    const Tensor of_both = sums.sum(1);
    return {of_x, of_both[0], of_both[1], Tensor(), Tensor()};
  }

 private:
  static Grid grid_of(const Tensor& rows) {
    return {.blocks_x = blocks_for(rows.size(0), kRowsPerBlock), .threads_x = kRowsPerBlock * 32};
  }
};

struct Bf16Linear : torch::autograd::Function<Bf16Linear> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const Tensor rows = x.to(torch::kBFloat16).reshape({-1, x.size(-1)}), table = weight.to(torch::kBFloat16);
    context->save_for_backward({rows, table});
    context->saved_data["type"] = static_cast<int64_t>(x.scalar_type());
    context->saved_data["biased"] = bias.has_value();
    auto sizes = x.sizes().vec();
    sizes.back() = weight.size(0);
    const Tensor products = bias ? at::addmm(bias->to(torch::kBFloat16), rows, table.t()) : at::mm(rows, table.t());
    return products.view(sizes);
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &table = saved[1];
    const Tensor gradient = outer[0].to(torch::kBFloat16).reshape({-1, table.size(0)}).contiguous();
    const bool wide = saved_type(context) == torch::kFloat;
    const Tensor of_x = wide ? at::mm(gradient, table, torch::kFloat) : at::mm(gradient, table);
    auto sizes = outer[0].sizes().vec();
    sizes.back() = table.size(1);
    return {of_x.view(sizes), at::mm(gradient.t(), rows, torch::kFloat),
            context->saved_data["biased"].toBool() ? column_sums(gradient) : Tensor()};
  }
};

struct SmoothedLoss : torch::autograd::Function<SmoothedLoss> {
  static variable_list forward(AutogradContext* context, const Tensor& logits, const Tensor& targets,
                               const std::optional<Tensor>& of_tokens, const SmoothedTarget& target) {
    const Tensor rows = logits.contiguous(), wanted = targets.contiguous();
    const Tensor weights = of_tokens ? of_tokens->contiguous() : Tensor();
    const Tensor sums = at::empty({3, rows.size(0)}, rows.options().dtype(torch::kFloat));  // logs, losses, nlls
    launch(rows.device(), kernel("smoothed_loss", type_name(rows), pack_size(rows.size(1), {&rows})), grid_of(rows),
           place(rows), place(wanted), place(weights), place(sums[0]), place(sums[1]), place(sums[2]),
           static_cast<int>(rows.size(1)), target);
    context->save_for_backward({rows, wanted, sums, weights});
    context->saved_data["on_target"] = static_cast<double>(target.on_target);
    context->saved_data["elsewhere"] = static_cast<double>(target.elsewhere);
    context->saved_data["pad"] = static_cast<int64_t>(target.pad);
    const Tensor both = sums.narrow(0, 1, 2).sum(1);
    const Tensor nll = both[1].clone();
    context->mark_non_differentiable({nll});
    return {both[0].clone(), nll};
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &weights = saved[3];
    const SmoothedTarget target{static_cast<float>(context->saved_data["on_target"].toDouble()),
                                static_cast<float>(context->saved_data["elsewhere"].toDouble()), 0,
                                static_cast<int32_t>(context->saved_data["pad"].toInt())};
    const Tensor factor = outer[0].to(torch::kFloat).contiguous();
    Tensor of_logits = at::empty_like(rows);
    launch(rows.device(),
           kernel("smoothed_loss_gradient", type_name(rows), pack_size(rows.size(1), {&rows, &of_logits})),
           grid_of(rows), place(rows), place(saved[1]), place(weights), place(saved[2][0]), place(factor),
           place(of_logits), static_cast<int>(rows.size(1)), target);
    return {of_logits, Tensor(), Tensor(), Tensor()};
  }

 private:
  static Grid grid_of(const Tensor& rows) { return {.blocks_x = rows.size(0), .threads_x = kLossThreads}; }
};

}  // namespace

Tensor drop(const Tensor& x, const DropDraw& draw) { return Drop::apply(x, draw); }

Tensor add_dropped(const Tensor& x, const Tensor& y, const DropDraw& draw) { return AddDropped::apply(x, y, draw); }

Tensor relu_dropped(const Tensor& x, const DropDraw& draw) { return ReluDropped::apply(x, draw); }

std::pair<Tensor, Tensor> norm_branch(const Tensor& x, const Tensor& gain, const Tensor& bias, double epsilon,
                                      torch::ScalarType type) {
  const auto both = NormBranch::apply(x, gain, bias, epsilon, type);
  return {both[0], both[1]};
}

Tensor bf16_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return Bf16Linear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

std::pair<Tensor, Tensor> smoothed_loss(const Tensor& logits, const Tensor& targets, const Tensor& weights,
                                        const SmoothedTarget& target) {
  TORCH_CHECK(targets.scalar_type() == torch::kLong && (!weights.defined() || weights.scalar_type() == torch::kFloat),
              "smoothed_loss: expected long targets and float weights, got ", targets.scalar_type());
  const auto both =
      SmoothedLoss::apply(logits, targets, weights.defined() ? std::optional(weights) : std::nullopt, target);
  return {both[0], both[1]};
}

}  // namespace ventris::gpu
