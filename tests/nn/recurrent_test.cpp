#include "nn/recurrent.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <sstream>

#include "nn/random_scope.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

class RecurrentOfEitherCell : public testing::TestWithParam<RecurrentCell> {
 protected:
  Recurrent make(int64_t layers, bool bidirectional, double dropout = 0) const {
    torch::manual_seed(1);
    return Recurrent(
        RecurrentOptions(3, 4).cell(GetParam()).layers(layers).bidirectional(bidirectional).dropout(dropout));
  }

  std::vector<RecurrentState> zeros(int64_t layers, int64_t rows) const {
    const bool cells = GetParam() == RecurrentCell::kLstm;
    return std::vector<RecurrentState>(static_cast<size_t>(layers),
                                       {torch::zeros({rows, 4}), cells ? torch::zeros({rows, 4}) : Tensor()});
  }
};
INSTANTIATE_TEST_SUITE_P(Cells, RecurrentOfEitherCell, testing::Values(RecurrentCell::kGru, RecurrentCell::kLstm),
                         [](const auto& cell) { return cell.param == RecurrentCell::kGru ? "Gru" : "Lstm"; });

TEST_P(RecurrentOfEitherCell, HasTheNamesOfLibTorch) {
  std::vector<std::string> expected;
  if (GetParam() == RecurrentCell::kGru) {
    expected = torch::nn::GRU(torch::nn::GRUOptions(3, 4).num_layers(2).bidirectional(true))->named_parameters().keys();
  } else {
    expected =
        torch::nn::LSTM(torch::nn::LSTMOptions(3, 4).num_layers(2).bidirectional(true))->named_parameters().keys();
  }
  EXPECT_EQ(make(2, true)->named_parameters().keys(), expected);
}

TEST_P(RecurrentOfEitherCell, RunningEqualsStepByStepAndReading) {
  auto network = make(2, false);
  const auto x = torch::randn({2, 5, 3});
  const auto all = network->run(x, zeros(2, 2));
  auto states = zeros(2, 2);
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(torch::allclose(network->step(x.select(1, i), states), all.select(1, i), 1e-5, 1e-6)) << i;
  }
  const auto read = network->read(x, torch::full({2}, 5, torch::kLong));
  EXPECT_TRUE(torch::allclose(read.layers.back(), all, 1e-5, 1e-6));
  for (size_t layer = 0; layer < 2; ++layer) {
    EXPECT_TRUE(torch::allclose(read.finals[layer].hidden, states[layer].hidden, 1e-5, 1e-6));
    if (states[layer].cell.defined()) {
      EXPECT_TRUE(torch::allclose(read.finals[layer].cell, states[layer].cell, 1e-5, 1e-6));
    }
  }
}

TEST_P(RecurrentOfEitherCell, PaddingAndOrderChangeNothing) {
  auto network = make(2, true);
  const auto x = torch::randn({3, 5, 3});
  const auto together = network->read(x, torch::tensor({3, 5, 1}));
  for (int64_t row = 0; row < 3; ++row) {
    const int64_t length = std::vector<int64_t>{3, 5, 1}[static_cast<size_t>(row)];
    const auto alone = network->read(x.narrow(0, row, 1).narrow(1, 0, length), torch::tensor({length}));
    for (size_t layer = 0; layer < 2; ++layer) {
      const auto found = together.layers[layer][row];
      EXPECT_TRUE(torch::allclose(found.narrow(0, 0, length), alone.layers[layer][0], 1e-5, 1e-6));
      EXPECT_TRUE(found.slice(0, length).eq(0).all().item<bool>()) << "zeros at padding";
      EXPECT_TRUE(torch::allclose(together.finals[layer].hidden[row], alone.finals[layer].hidden[0], 1e-5, 1e-6));
    }
  }
}

TEST_P(RecurrentOfEitherCell, DropoutIsBetweenTheLayersAndFromTheScope) {
  const auto x = torch::randn({2, 5, 3});
  const auto with_seed = [&](Recurrent& network, uint64_t seed) {
    const RandomScope scope(at::detail::createCPUGenerator(seed));
    return network->read(x, torch::full({2}, 5, torch::kLong)).layers.back();
  };
  auto one = make(1, true, 0.5), two = make(2, true, 0.5);
  EXPECT_TRUE(torch::equal(with_seed(one, 1), with_seed(one, 2))) << "one layer has nothing between";
  EXPECT_TRUE(torch::equal(with_seed(two, 1), with_seed(two, 1)));
  EXPECT_FALSE(torch::allclose(with_seed(two, 1), with_seed(two, 2)));
  two->eval();
  EXPECT_TRUE(torch::equal(with_seed(two, 1), with_seed(two, 2)));
}

TEST_P(RecurrentOfEitherCell, InitialisationMakesEachGateOrthogonalAndOpensTheForgetGate) {
  auto network = make(1, true);
  network->initialise();
  const auto parameters = network->named_parameters();
  for (const Tensor& gate : parameters["weight_hh_l0_reverse"].split(4)) {
    EXPECT_TRUE(torch::allclose(gate.mm(gate.t()), torch::eye(4), 1e-4, 1e-5));
  }
  const double sum = parameters["bias_ih_l0"].sum().item<double>();
  EXPECT_EQ(sum, GetParam() == RecurrentCell::kLstm ? 4 : 0);
  const bool open = parameters["bias_ih_l0"].narrow(0, 4, 4).eq(1).all().item<bool>();
  EXPECT_EQ(open, sum > 0);
  EXPECT_EQ(parameters["bias_hh_l0"].abs().sum().item<double>(), 0);
}

TEST_P(RecurrentOfEitherCell, PrintsItsOptions) {
  std::ostringstream text;
  text << *make(2, true);
  EXPECT_NE(text.str().find("d_input=3, d_hidden=4, layers=2, bidirectional, dropout=0)"), std::string::npos)
      << text.str();
}

}  // namespace
}  // namespace ventris::nn
