#include "attention/gpu_attention.h"

#include <ATen/ops/_efficient_attention_backward.h>
#include <ATen/ops/_scaled_dot_product_efficient_attention.h>

#include <limits>

namespace ventris::attention {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kAlignment = 16;  // bytes; LibTorch's kernels need it of each head, and of each row of a bias

/// LibTorch's own gradient of this attention divides long keys among blocks that add up in any order, so that two runs
/// differ. Here, one block takes all keys of a query.
struct EfficientAttention : torch::autograd::Function<EfficientAttention> {
  /// bias [batch, heads, q_len, k_len]: -inf where a query may not look; empty = it may look everywhere
  static Tensor forward(AutogradContext* context, const Tensor& query, const Tensor& key, const Tensor& value,
                        const Tensor& bias, double p, bool learn) {
    const auto given = bias.dim() == 4 ? std::optional<Tensor>(bias) : std::nullopt;
    const auto [mixed, log_sums, seed, offset] =
        at::_scaled_dot_product_efficient_attention(query, key, value, given, learn, p);
    if (learn) {
      context->save_for_backward({query, key, value, bias, mixed, log_sums, seed, offset});
      context->saved_data["p"] = p;
    }
    return mixed;
  }

  static variable_list backward(AutogradContext* context, const variable_list& of_mixed) {
    const variable_list saved = context->get_saved_variables();
    const auto rows = [](const Tensor& x) { return x.transpose(1, 2); };  // [batch, len, heads, width]
    const auto bias = saved[3].dim() == 4 ? std::optional<Tensor>(saved[3]) : std::nullopt;
    const auto [of_query, of_key, of_value, of_bias] = at::_efficient_attention_backward(
        rows(of_mixed[0]), rows(saved[0]), rows(saved[1]), rows(saved[2]), bias, rows(saved[4]), std::nullopt,
        std::nullopt, saved[0].size(2), saved[1].size(2), saved[5], context->saved_data["p"].toDouble(), saved[6],
        saved[7], /*custom_mask_type=*/0, /*bias_requires_grad=*/false, /*scale=*/std::nullopt, /*num_splits_key=*/1);
    return {rows(of_query), rows(of_key), rows(of_value), Tensor(), Tensor(), Tensor()};
  }
};

/// -> [batch, heads, q_len, k_len] in the type of the queries, with rows that begin at multiples of kAlignment
Tensor bias_of(const Tensor& mask, const Tensor& query, int64_t k_len) {
  const int64_t step = kAlignment / query.element_size(), padded = (k_len + step - 1) / step * step;
  Tensor bias = at::zeros({mask.size(0), 1, mask.size(1), padded}, query.options());
  bias = bias.slice(-1, 0, k_len);
  bias.masked_fill_(mask.unsqueeze(1).logical_not(), -std::numeric_limits<double>::infinity());
  return bias.expand({query.size(0), query.size(1), query.size(2), k_len});
}

bool is_aligned(const Tensor& x) {
  if (x.scalar_type() == torch::kFloat64) return false;  // no kernel has this type
  const int64_t step = kAlignment / x.element_size();
  return x.size(3) % step == 0 && x.stride(3) == 1;
}

}  // namespace

Tensor gpu_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask, double p) {
  TORCH_CHECK(!mask.defined() || mask.dim() == 3, "attention: expected a mask [batch, q_len, k_len], got ",
              mask.sizes());
  Tensor mixed;  // [batch, heads, q_len, width]
  if (is_aligned(query) && is_aligned(key) && is_aligned(value)) {
    const Tensor bias = mask.defined() ? bias_of(mask, query, key.size(2)) : at::empty({0}, query.options());
    mixed = EfficientAttention::apply(query, key, value, bias, p, at::GradMode::is_enabled());
  } else {
    const auto visible = mask.defined() ? std::optional<Tensor>(mask.unsqueeze(1)) : std::nullopt;
    mixed = at::scaled_dot_product_attention(query, key, value, visible, p);
  }
  return mixed.transpose(1, 2).flatten(2);
}

}  // namespace ventris::attention
