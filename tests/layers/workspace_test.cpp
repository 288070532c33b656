#include "layers/workspace.h"

#include <gtest/gtest.h>

namespace ventris::layers {
namespace {

TEST(Workspace, ARowNeedsItsInputsProjectionsAndHiddenLayer) {
  architecture::TransformerOptions options;
  options.d_model = 8;
  options.d_ff = 32;
  options.heads = 2;
  // 3 x 8 of inputs and norms, 4 x 8 of queries, keys and values, 32 hidden, 2 lengths; inputs of 8 and 16 bits.
  const int64_t bytes = 4 * (24 + 32 + 32 + 2) + 3 * 32 + 16;
  EXPECT_EQ(Workspace::bytes_of_row(options), bytes + bytes / 2);
  options.d_v = 100;
  const int64_t wide = 4 * (24 + 16 + 400 + 32 + 2) + 3 * 200 + 16;
  EXPECT_EQ(Workspace::bytes_of_row(options), wide + wide / 2) << "the widest input is that of the output layer";
}

}  // namespace
}  // namespace ventris::layers
