#include "engine/given_targets.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/factory.h"
#include "engine/random_model.h"
#include "layers/encoder_attention.h"
#include "support/errors.h"
#include "support/random_numbers.h"

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;
using decoding::Pair;
using Ids = std::vector<int32_t>;

TransformerOptions options_of_given() {
  TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 30;
  options.encoder_layers = 1;
  options.decoder_layers = 2;
  options.d_model = 12;
  options.d_ff = 20;
  options.heads = 2;
  options.max_positions = 1500;
  return options;
}

std::unique_ptr<decoding::PairScorer> scorer_of_given() {
  const TransformerOptions options = options_of_given();
  const auto model = test::random_model(options, 1);
  auto weights = std::make_shared<layers::TransformerWeights>(
      layers::pack_weights(options, model.file(), arithmetic::Precision::kF32));
  return make_given_targets(std::move(weights), model.config.tokenizer.ids);
}

Ids ids_of_given(size_t count, uint32_t seed) {
  test::RandomNumbers random(seed);
  Ids ids(count);
  for (int32_t& id : ids) id = static_cast<int32_t>(random.between(4, 29));
  return ids;
}

TEST(EngineGivenTargets, LaterTokensDoNotChangeALogProbability) {
  const Ids source = ids_of_given(7, 1), target = ids_of_given(1400, 2);
  const auto scorer = scorer_of_given();
  const auto whole = scorer->answer(std::vector<Pair>{{source, target}}, {}).front().log_probs;
  ASSERT_EQ(whole.size(), 1401U);
  for (const size_t count : {1U, 17U, 300U, 1399U}) {
    const Pair part{source, std::span(target).first(count), /*ends=*/false};
    const auto found = scorer->answer(std::vector<Pair>{part}, {}).front().log_probs;
    EXPECT_EQ(found, std::vector<float>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count)));
  }
}

TEST(EngineGivenTargets, PairsWithoutTokensHaveEmptyAnswers) {
  const Ids source = ids_of_given(7, 1), target = ids_of_given(3, 2);
  const Pair nothing{source, {}, /*ends=*/false}, some{source, target};
  const decoding::PairQuestion question{.log_probs = true, .attention = true, .layer = 0};
  const auto scorer = scorer_of_given();
  const auto answers = scorer->answer(std::vector<Pair>{nothing, some, nothing}, question);
  const auto alone = scorer->answer(std::vector<Pair>{some}, question).front();
  EXPECT_TRUE(answers[0].log_probs.empty() && answers[2].log_probs.empty() && answers[0].attention.empty());
  EXPECT_EQ(answers[1].log_probs, alone.log_probs);
  EXPECT_EQ(answers[1].attention, alone.attention);
  EXPECT_TRUE(scorer->answer(std::vector<Pair>{nothing}, question).front().log_probs.empty());
}

TEST(EngineGivenTargets, IdsOutsideAVocabularyAreRefused) {
  const Ids good{5}, high{30}, negative{-1};
  const auto scorer = scorer_of_given();
  for (const Ids& bad : {high, negative}) {
    EXPECT_FAILS(scorer->answer(std::vector<Pair>{{bad, good}}, {}), std::invalid_argument, "outside the vocabulary");
    EXPECT_FAILS(scorer->answer(std::vector<Pair>{{good, bad}}, {}), std::invalid_argument, "outside the vocabulary");
  }
  EXPECT_EQ(scorer->answer(std::vector<Pair>{{good, good}}, {}).front().log_probs.size(), 2U);
}

TEST(EngineGivenTargets, AreForFullAttentionWithScoresThatAreProducts) {
  TransformerOptions options = options_of_given();
  EXPECT_TRUE(layers::sees_prefixes_at_once(options));
  options.self_attention = architecture::SelfAttention::kLowRank;
  EXPECT_TRUE(layers::sees_prefixes_at_once(options));
  options.self_attention = architecture::SelfAttention::kWindow;
  EXPECT_FALSE(layers::sees_prefixes_at_once(options));
  options = options_of_given();
  options.attention_score = architecture::AttentionScore::kAdditive;
  EXPECT_FALSE(layers::sees_prefixes_at_once(options));
  options = options_of_given();
  options.positions = architecture::Positions::kRelativeBias;
  EXPECT_FALSE(layers::sees_prefixes_at_once(options));
}

}  // namespace
}  // namespace ventris::engine
