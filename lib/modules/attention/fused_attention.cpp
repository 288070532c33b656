#include "attention/fused_attention.h"

#include <ATen/Parallel.h>

#include <array>

#include "kernels/attention_kernels.h"
#include "nn/cpu_types.h"

namespace ventris::attention {
namespace {

using kernels::DropDraw;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kProblemGrain = 16;  // problems that a thread takes at once

/// The place of queries, keys and values: the tensor and the column.
struct Columns {
  size_t tensor;
  int64_t column;
};

struct Layout {
  explicit Layout(const std::array<Tensor, 3>& tensors) : parts(tensors) {
    const int64_t count = parts[2].defined() ? 3 : parts[1].defined() ? 2 : 1;
    d_model = parts[0].size(2) / (count == 1 ? 3 : 1);
    if (count == 1) places = {{{0, 0}, {0, d_model}, {0, 2 * d_model}}};
    if (count == 2) places = {{{0, 0}, {1, 0}, {1, d_model}}};
  }
  const Tensor& tensor(size_t which) const { return parts[places[which].tensor]; }
  template <typename T>
  T* at(const std::array<Tensor, 3>& tensors, size_t which) const {
    return nn::data<T>(tensors[places[which].tensor]) + places[which].column;
  }

  std::array<Tensor, 3> parts;
  std::array<Columns, 3> places{{{0, 0}, {1, 0}, {2, 0}}};  // of queries, keys, values
  int64_t d_model = 0;
};

kernels::AttentionShape shape_of(const Layout& layout, int64_t heads) {
  const Tensor &q = layout.tensor(0), &k = layout.tensor(1), &v = layout.tensor(2);
  return {q.size(0), heads, q.size(1), k.size(1), layout.d_model / heads, q.stride(1), k.stride(1), v.stride(1)};
}

kernels::AttentionMask mask_of(const Tensor& mask) {
  if (!mask.defined()) return {};
  return {mask.const_data_ptr<bool>(), mask.size(0) == 1 ? 0 : mask.stride(0), mask.size(1) == 1 ? 0 : mask.stride(1)};
}

/// torch's functions do not accept undefined tensors, so an empty tensor replaces a missing one.
Tensor or_empty(const Tensor& x) { return x.defined() ? x : at::empty({0}); }
Tensor or_undefined(const Tensor& x) { return x.dim() == 3 ? x.contiguous() : Tensor(); }

struct CpuAttention : torch::autograd::Function<CpuAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& first, const Tensor& second, const Tensor& third,
                        int64_t heads, const Tensor& mask, double p, int64_t seed, bool learn) {
    const Layout layout({or_undefined(first), or_undefined(second), or_undefined(third)});
    const auto shape = shape_of(layout, heads);
    const Tensor allowed = or_undefined(mask);
    const Tensor& q = layout.tensor(0);
    Tensor out = at::empty({shape.batch, shape.q_len, layout.d_model}, q.options());
    Tensor log_sums;
    if (learn) log_sums = at::empty({shape.batch, heads, shape.q_len}, q.options().dtype(torch::kFloat));
    const DropDraw draw(p, static_cast<uint64_t>(seed));
    nn::for_cpu_type(q, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, shape.batch * heads, kProblemGrain, [&](int64_t begin, int64_t end) {
        kernels::attention_kernels<T>().forward({shape, layout.at<T>(layout.parts, 0), layout.at<T>(layout.parts, 1),
                                                 layout.at<T>(layout.parts, 2), mask_of(allowed), draw},
                                                begin, end, nn::data<T>(out),
                                                learn ? nn::data<float>(log_sums) : nullptr);
      });
    });
    context->save_for_backward({layout.parts[0], layout.parts[1], layout.parts[2], allowed, log_sums});
    context->saved_data["heads"] = heads;
    context->saved_data["p"] = p;
    context->saved_data["seed"] = seed;
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Layout layout({saved[0], saved[1], saved[2]});
    const auto shape = shape_of(layout, context->saved_data["heads"].toInt());
    std::array<Tensor, 3> gradients;
    for (size_t i = 0; i < 3; ++i) {
      if (layout.parts[i].defined()) gradients[i] = at::empty_like(layout.parts[i]);
    }
    const Tensor of_out = outer[0].contiguous();
    const DropDraw draw(context->saved_data["p"].toDouble(),
                        static_cast<uint64_t>(context->saved_data["seed"].toInt()));
    nn::for_cpu_type(of_out, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, shape.batch * shape.heads, kProblemGrain, [&](int64_t begin, int64_t end) {
        kernels::attention_kernels<T>().backward(
            {shape, layout.at<T>(layout.parts, 0), layout.at<T>(layout.parts, 1), layout.at<T>(layout.parts, 2),
             mask_of(saved[3]), draw},
            begin, end, nn::data<float>(saved[4]), nn::data<T>(of_out),
            {layout.at<T>(gradients, 0), layout.at<T>(gradients, 1), layout.at<T>(gradients, 2)});
      });
    });
    return {gradients[0], gradients[1], gradients[2], Tensor(), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

/// Checks the sizes, because the kernels do not. Expands the mask to [batch|1, q_len|1, k_len].
Tensor check_and_expand(const Projections& projections, int64_t heads, const Tensor& mask) {
  const Layout layout({projections.first, projections.second, projections.third});
  const Tensor &q = layout.tensor(0), &k = layout.tensor(1), &v = layout.tensor(2);
  const bool thirds = projections.second.defined() || projections.first.size(2) % 3 == 0;
  for (const Tensor& part : {projections.second, projections.third}) {
    TORCH_CHECK(!part.defined() || part.scalar_type() == projections.first.scalar_type(),
                "cpu_attention: expected projections of the same type");
  }
  const int64_t merged = projections.third.defined() ? 1 : 2;
  const auto wide = [&](const Tensor& part, int64_t count) {
    return !part.defined() || part.size(2) == count * layout.d_model;
  };
  TORCH_CHECK(wide(projections.second, merged) && wide(projections.third, 1),
              "cpu_attention: expected keys and values as wide as the queries, ", layout.d_model, " each, got ",
              k.sizes(), ", ", v.sizes());
  TORCH_CHECK(thirds && q.size(0) == k.size(0) && q.size(0) == v.size(0) && k.size(1) == v.size(1) &&
                  layout.d_model % heads == 0,
              "cpu_attention: expected queries [batch, q_len, d_model], keys and values [batch, k_len, d_model] with "
              "d_model a multiple of ",
              heads, ", got ", q.sizes(), ", ", k.sizes(), ", ", v.sizes());
  if (!mask.defined()) return or_empty(mask);
  const auto fits = [&](int64_t i, int64_t size) { return mask.size(i) == 1 || mask.size(i) == size; };
  TORCH_CHECK(mask.dim() == 3 && mask.scalar_type() == torch::kBool && fits(0, q.size(0)) && fits(1, q.size(1)) &&
                  fits(2, k.size(1)),
              "cpu_attention: expected a bool mask that can be broadcast to [", q.size(0), ", ", q.size(1), ", ",
              k.size(1), "], got ", mask.sizes());
  return mask.expand({-1, -1, k.size(1)});
}

}  // namespace

Tensor cpu_attention(const Projections& projections, int64_t heads, const Tensor& mask, double p, int64_t seed) {
  const Tensor whole_mask = check_and_expand(projections, heads, mask);
  return CpuAttention::apply(projections.first, or_empty(projections.second), or_empty(projections.third), heads,
                             whole_mask, p, seed, at::GradMode::is_enabled());
}

}  // namespace ventris::attention
