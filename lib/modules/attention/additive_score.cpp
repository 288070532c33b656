#include "attention/additive_score.h"

#include <algorithm>

namespace ventris::attention {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kNumbersAtOnce = 1 << 20;  // of [batch, heads, queries, k_len, width]

/// Calls work(first query, number of queries) for groups that make at most kNumbersAtOnce numbers.
template <typename Work>
void for_queries(const Tensor& query, const Tensor& key, const Work& work) {
  const int64_t step = std::max<int64_t>(1, kNumbersAtOnce / std::max<int64_t>(1, key.numel()));
  for (int64_t first = 0; first < query.size(2); first += step) work(first, std::min(step, query.size(2) - first));
}

/// The tanh of the sums of some queries [batch, heads, queries, width] with all keys ->
/// [batch, heads, queries, k_len, width].
Tensor activations(const Tensor& queries, const Tensor& key) {
  return (queries.unsqueeze(3) + key.unsqueeze(2)).tanh_();
}

/// vector [heads, width] -> [1, heads, 1, 1, width].
Tensor spread(const Tensor& vector) { return vector.view({1, vector.size(0), 1, 1, vector.size(1)}); }

struct AdditiveScores : torch::autograd::Function<AdditiveScores> {
  static Tensor forward(AutogradContext* context, const Tensor& query, const Tensor& key, const Tensor& vector) {
    Tensor scores = at::empty({query.size(0), query.size(1), query.size(2), key.size(2)}, query.options());
    for_queries(query, key, [&](int64_t first, int64_t count) {
      const Tensor active = activations(query.narrow(2, first, count), key);
      scores.narrow(2, first, count).copy_((active * spread(vector)).sum(-1));
    });
    context->save_for_backward({query, key, vector});
    return scores;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &query = saved[0], &key = saved[1], &vector = saved[2];
    Tensor of_query = at::empty_like(query), of_key = at::zeros_like(key), of_vector = at::zeros_like(vector);
    for_queries(query, key, [&](int64_t first, int64_t count) {
      const Tensor active = activations(query.narrow(2, first, count), key);
      const Tensor gradient = outer[0].narrow(2, first, count).unsqueeze(-1);  // [batch, heads, queries, k_len, 1]
      of_vector.add_((gradient * active).sum({0, 2, 3}));
      const Tensor of_sums = (1 - active.square_()).mul_(spread(vector)).mul_(gradient);
      of_query.narrow(2, first, count).copy_(of_sums.sum(3));
      of_key.add_(of_sums.sum(2));
    });
    return {of_query, of_key, of_vector};
  }
};

}  // namespace

Tensor additive_scores(const Tensor& query, const Tensor& key, const Tensor& vector) {
  TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && vector.dim() == 2 && query.size(0) == key.size(0) &&
                  query.size(1) == key.size(1) && query.size(3) == key.size(3) && vector.size(0) == key.size(1) &&
                  vector.size(1) == key.size(3),
              "additive_scores: expected queries and keys [batch, heads, len, width] and a vector [heads, width], got ",
              query.sizes(), ", ", key.sizes(), ", ", vector.sizes());
  return AdditiveScores::apply(query, key, vector);
}

}  // namespace ventris::attention
