#include "families/ssru.h"

#include <gtest/gtest.h>

namespace ventris::families {
namespace {

using torch::Tensor;

/// The formulas of the paper, one step after the other, so that autograd finds the gradients.
Tensor plain(Ssru& ssru, const Tensor& x) {
  const Tensor gates = torch::sigmoid(torch::linear(x, ssru->forget->weight, ssru->forget->bias));
  const Tensor inputs = torch::linear(x, ssru->input->weight);
  Tensor cell = torch::zeros({x.size(0), x.size(2)}, x.options());
  std::vector<Tensor> out;
  for (int64_t t = 0; t < x.size(1); ++t) {
    const Tensor gate = gates.select(1, t);
    cell = gate * cell + (1 - gate) * inputs.select(1, t);
    out.push_back(torch::relu(cell));
  }
  return torch::stack(out, 1);
}

TEST(Ssru, ResultsAndGradientsAreThoseOfTheFormulas) {
  torch::manual_seed(1);
  Ssru ssru(6);
  ssru->to(torch::kDouble);
  for (const int64_t length : {1, 2, 9}) {
    const Tensor x = torch::randn({3, length, 6}, torch::kDouble).requires_grad_();
    const Tensor wanted = torch::randn({3, length, 6}, torch::kDouble);
    std::vector<Tensor> inputs = ssru->parameters();
    inputs.push_back(x);
    const Tensor found = ssru(x), expected = plain(ssru, x);
    EXPECT_TRUE(torch::allclose(found, expected, 1e-12, 1e-12));
    const auto of_found = torch::autograd::grad({(found * wanted).sum()}, inputs);
    const auto of_expected = torch::autograd::grad({(expected * wanted).sum()}, inputs);
    for (size_t i = 0; i < inputs.size(); ++i) EXPECT_TRUE(torch::allclose(of_found[i], of_expected[i], 1e-10, 1e-12));
  }
}

TEST(Ssru, StepsAreThePositionsOfTheWhole) {
  torch::manual_seed(2);
  Ssru ssru(8);
  const torch::NoGradGuard no_grad;
  const Tensor x = torch::randn({4, 7, 8}), whole = ssru(x);
  Tensor cell = ssru->empty_cells(4);
  for (int64_t t = 0; t < x.size(1); ++t) {
    const Tensor step = ssru->step(x.narrow(1, t, 1), cell);
    EXPECT_TRUE(torch::allclose(step, whole.narrow(1, t, 1), 1e-6, 1e-7)) << t;
  }
}

TEST(Ssru, ALaterPositionChangesNoEarlierOne) {
  torch::manual_seed(3);
  Ssru ssru(8);
  const torch::NoGradGuard no_grad;
  Tensor x = torch::randn({2, 5, 8});
  const Tensor before = ssru(x);
  x.select(1, 4).fill_(1e3);
  EXPECT_TRUE(torch::equal(ssru(x).narrow(1, 0, 4), before.narrow(1, 0, 4)));
}

TEST(Ssru, TheInputHasNoBias) {
  EXPECT_EQ(Ssru(4)->named_parameters().keys(),
            (std::vector<std::string>{"input.weight", "forget.weight", "forget.bias"}));
}

}  // namespace
}  // namespace ventris::families
