#include "engine/whole_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/random_model.h"

namespace ventris::engine {
namespace {

using nat::NatPass;
using nat::NatRow;
using States = std::vector<float>;

architecture::NatOptions nat_for_whole() {
  architecture::NatOptions options;
  options.transformer.src_vocab = options.transformer.tgt_vocab = 12;
  options.transformer.encoder_layers = 1;
  options.transformer.decoder_layers = 2;
  options.transformer.d_model = 8;
  options.transformer.d_ff = 12;
  options.transformer.heads = 2;
  options.transformer.max_positions = 20;
  return options;
}

/// The decoder of a small random model, with two sentences of 3 and 2 tokens.
class EngineWholeDecoder : public testing::Test {
 protected:
  EngineWholeDecoder() {
    const std::vector<int32_t> first{4, 5, 6}, second{7, 8};
    const std::vector<std::span<const int32_t>> sources{first, second};
    encoder.encode(sources);
    decoder.read(encoder, std::vector<int64_t>{3, 2});
  }
  States run(const NatPass& pass, const States& from) {
    std::ranges::copy(from, decoder.input(static_cast<int64_t>(from.size()) / 8));
    const float* states = decoder.run(pass);
    const size_t count =
        pass.wanted.empty() ? from.size() / 8 : static_cast<size_t>(std::ranges::count(pass.wanted, 1));
    return {states, states + 8 * count};
  }
  static States part(const States& all, size_t first, size_t count) {
    return {all.begin() + static_cast<std::ptrdiff_t>(8 * first),
            all.begin() + static_cast<std::ptrdiff_t>(8 * (first + count))};
  }
  static void expect_near(const States& found, const States& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-5) << i;
  }

  architecture::NatOptions options = nat_for_whole();
  TransformerWeights weights =
      layers::pack_weights(options, test::random_model(options, 1).file(), arithmetic::Precision::kF32);
  layers::Workspace work;
  Context context{arithmetic::kernels(), weights.options, work};
  Encoder encoder{context, weights};
  WholeDecoder decoder{context, weights};
  const States x = test::RandomNumbers(3).values(int64_t{7} * 8);
  const std::vector<NatRow> both{{0, 4}, {1, 3}}, one{{0, 4}}, other{{1, 3}};
};

TEST_F(EngineWholeDecoder, ARowHasTheSameStatesAloneAndAmongOthers) {
  const States all = run({both}, x);
  expect_near(run({one}, part(x, 0, 4)), part(all, 0, 4));
  expect_near(run({other}, part(x, 4, 3)), part(all, 4, 3));
}

TEST_F(EngineWholeDecoder, APositionSeesAllOfItsRowAndNoneOfAnother) {
  const States all = run({both}, x);
  States changed = x;
  for (size_t i = 0; i < 8; ++i) changed[size_t{3} * 8 + i] += 1;  // the last position of the first row
  const States found = run({both}, changed);
  EXPECT_NE(part(found, 0, 1), part(all, 0, 1));
  expect_near(part(found, 4, 3), part(all, 4, 3));
}

TEST_F(EngineWholeDecoder, WantedPositionsHaveTheStatesThatTheyHaveAmongAll) {
  const States all = run({both}, x);
  const std::vector<uint8_t> wanted{0, 1, 0, 1, 0, 0, 1};
  States expected = part(all, 1, 1);
  for (const size_t place : {3, 6}) {
    const States more = part(all, place, 1);
    expected.insert(expected.end(), more.begin(), more.end());
  }
  expect_near(run({.rows = both, .wanted = wanted}, x), expected);
  const std::vector<uint8_t> none(7, 0);
  EXPECT_TRUE(run({.rows = both, .wanted = none}, x).empty());
}

TEST_F(EngineWholeDecoder, TheAttentionOfTheWatchedLayerIsKeptRowAfterRow) {
  run({.rows = both, .watched_layer = 0}, x);
  const float* attention = decoder.attention();
  for (const auto& [positions, length] : {std::pair(4, 3), std::pair(3, 2)}) {
    for (int i = 0; i < 2 * positions; ++i, attention += length) {
      float sum = 0;
      for (int j = 0; j < length; ++j) sum += attention[j];
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
}

}  // namespace
}  // namespace ventris::engine
