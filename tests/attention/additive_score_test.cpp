#include "attention/additive_score.h"

#include <gtest/gtest.h>

namespace ventris::attention {
namespace {

using torch::Tensor;

struct Inputs {
  Inputs(int64_t q_len, int64_t k_len, int64_t width)
      : query(torch::randn({2, 3, q_len, width})),
        key(torch::randn({2, 3, k_len, width})),
        vector(torch::randn({3, width})) {
    for (Tensor* x : {&query, &key, &vector}) x->requires_grad_();
  }

  Tensor by_formula() const {
    return (torch::tanh(query.unsqueeze(3) + key.unsqueeze(2)) * vector.view({1, 3, 1, 1, -1})).sum(-1);
  }
  /// The gradients of a product of `scores` with some numbers.
  std::vector<Tensor> gradients(const Tensor& scores) const {
    const Tensor factors = torch::arange(scores.numel(), torch::kFloat).cos().view(scores.sizes());
    return torch::autograd::grad({(scores * factors).sum()}, {query, key, vector});
  }

  Tensor query, key, vector;
};

TEST(AdditiveScores, AgreeWithTheFormulaAndItsGradients) {
  torch::manual_seed(1);
  const Inputs inputs(4, 5, 6);
  const Tensor found = additive_scores(inputs.query, inputs.key, inputs.vector), expected = inputs.by_formula();
  EXPECT_TRUE(torch::allclose(found, expected, 1e-5, 1e-6));
  const auto ours = inputs.gradients(found), theirs = inputs.gradients(expected);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-4, 1e-5)) << i;
}

TEST(AdditiveScores, ManyGroupsOfQueriesGiveWhatOneDoes) {
  torch::manual_seed(1);
  const Inputs inputs(50, 200, 64);  // 3.8 million numbers, four groups
  const Tensor found = additive_scores(inputs.query, inputs.key, inputs.vector), expected = inputs.by_formula();
  EXPECT_TRUE(torch::allclose(found, expected, 1e-4, 1e-4));
  const auto ours = inputs.gradients(found), theirs = inputs.gradients(expected);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-3, 1e-3)) << i;
}

TEST(AdditiveScores, HaveNoPlaceForOtherShapes) {
  const Inputs inputs(4, 5, 6);
  EXPECT_THROW(additive_scores(inputs.query, inputs.key, torch::zeros({2, 6})), c10::Error);
  EXPECT_THROW(additive_scores(inputs.query, inputs.key.narrow(3, 0, 5), inputs.vector), c10::Error);
  EXPECT_EQ(additive_scores(torch::zeros({0, 3, 4, 6}), torch::zeros({0, 3, 5, 6}), inputs.vector).sizes(),
            (std::vector<int64_t>{0, 3, 4, 5}));
}

}  // namespace
}  // namespace ventris::attention
