#include "families/transformer_nat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "nn/masks.h"
#include "support/nat_kinds.h"

namespace ventris::families {
namespace {

using torch::Tensor;

class NatKinds : public testing::TestWithParam<std::pair<std::string, architecture::NatOptions>> {
 protected:
  /// Hidden states [1, len, width] of a source on its own, with this many target positions.
  Tensor hidden(const std::vector<int64_t>& ids, int64_t length) {
    const Tensor src = torch::tensor(ids).unsqueeze(0), mask = nn::padding_mask(src, 0);
    const Tensor lengths = torch::tensor({length});
    return model->decode(model->encode(src, mask), model->first_input(src, mask, lengths),
                         nn::length_mask(lengths, length));
  }

  NonAutoregressive model = test::random_nat(GetParam().second);
  torch::NoGradGuard no_grad;
};
INSTANTIATE_TEST_SUITE_P(Kinds, NatKinds, testing::ValuesIn(test::nat_kinds()),
                         [](const auto& kind) { return kind.param.first; });

TEST_P(NatKinds, NeitherPaddingNorOtherSentencesChangeAResult) {
  const Tensor src = torch::tensor({{5, 6, 3, 0, 0}, {8, 9, 10, 11, 3}}), mask = nn::padding_mask(src, 0);
  const Tensor lengths = torch::tensor({4, 7}), tgt_mask = nn::length_mask(lengths, 7);
  const nn::Memory memory = model->encode(src, mask);
  const Tensor both = model->decode(memory, model->first_input(src, mask, lengths), tgt_mask);
  EXPECT_TRUE(torch::allclose(both[0].narrow(0, 0, 4), hidden({5, 6, 3}, 4)[0], 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(both[1], hidden({8, 9, 10, 11, 3}, 7)[0], 1e-4, 1e-5));
  if (!model->options.predicts_length()) return;
  const Tensor short_one = torch::tensor({{5, 6, 3}});
  const Tensor alone = model->length_log_probs(model->encode(short_one, nn::padding_mask(short_one, 0)));
  EXPECT_TRUE(torch::allclose(model->length_log_probs(memory)[0], alone[0], 1e-4, 1e-5));
}

TEST_P(NatKinds, EveryPositionSeesAllOthers) {
  const Tensor src = torch::tensor({{5, 6, 7, 3}}), mask = nn::padding_mask(src, 0), lengths = torch::tensor({4});
  const nn::Memory memory = model->encode(src, mask);
  Tensor input = model->first_input(src, mask, lengths);
  const Tensor before = model->decode(memory, input, nn::length_mask(lengths, 4));
  input = input.clone();
  input[0][3] = model->embed(torch::tensor(17));
  const Tensor after = model->decode(memory, input, nn::length_mask(lengths, 4));
  EXPECT_FALSE(torch::allclose(before[0][0], after[0][0], 1e-4, 1e-5));
}

TEST(NonAutoregressive, LengthsAreADistributionOrNotThere) {
  NonAutoregressive model = test::random_nat(test::nat_kind("mask_predict"));
  const Tensor src = torch::tensor({{5, 6, 3}});
  const Tensor found = model->length_log_probs(model->encode(src, nn::padding_mask(src, 0)));
  EXPECT_EQ(found.sizes(), (torch::IntArrayRef{1, 13}));
  EXPECT_NEAR(found.exp().sum().item<double>(), 1, 1e-5);
  NonAutoregressive other = test::random_nat(test::nat_kind("ctc_uniform"));
  EXPECT_THROW(other->length_log_probs(other->encode(src, nn::padding_mask(src, 0))), std::logic_error);
}

TEST(CopyWeights, AUniformCopyIsSpreadEvenly) {
  const Tensor mask = torch::tensor({{{true, true, true, false}}});
  const auto chosen = [&](int64_t length) {
    const Tensor weights = copy_weights(mask, torch::tensor({length}), architecture::DecoderInput::kUniform, 0);
    EXPECT_TRUE(weights.sum(2).eq(1).all().item<bool>());
    return weights.argmax(2)[0];
  };
  EXPECT_TRUE(torch::equal(chosen(6), torch::tensor({0, 0, 1, 1, 2, 2})));
  EXPECT_TRUE(torch::equal(chosen(3), torch::tensor({0, 1, 2})));
  EXPECT_TRUE(torch::equal(chosen(2), torch::tensor({0, 2})));
  EXPECT_TRUE(torch::equal(chosen(1), torch::tensor({0})));
}

TEST(CopyWeights, ASoftCopyHasMostWeightAtTheSamePlaceAndNoneAtPadding) {
  const Tensor mask = torch::tensor({{{true, true, true, false}}});
  const Tensor narrow = copy_weights(mask, torch::tensor({5}), architecture::DecoderInput::kSoft, 1e-3);
  const Tensor wide = copy_weights(mask, torch::tensor({5}), architecture::DecoderInput::kSoft, 1.0);
  EXPECT_TRUE(torch::allclose(narrow[0][2], torch::tensor({0.0, 1.0, 0.0, 0.0}).to(torch::kFloat)));
  EXPECT_TRUE(torch::allclose(wide.sum(2), torch::ones({1, 5})));
  EXPECT_EQ(wide[0][0][3].item<float>(), 0);
  const float e = std::exp(-1.0F);
  EXPECT_NEAR(wide[0][2][0].item<float>(), e / (1 + 2 * e), 1e-6);
}

}  // namespace
}  // namespace ventris::families
