#include "decoding/ensemble_factory.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "decoding/decoder.h"
#include "decoding/ensembles.h"
#include "support/errors.h"

namespace ventris::decoding {
namespace {

TEST(Ensemble, EqualWeightsAreTheDefault) {
  const std::vector<Sentence> sentences{sentence_of({5, 6, 7})};
  const auto translate = [&](const std::vector<double>& weights) {
    const auto ensemble =
        make_ensemble({table_model(1), table_model(2), table_model(3)}, {.weights = weights, .never = kNeverInTables});
    return search(*ensemble->make(), sentences, {.beam_size = 3}).front().front().token_log_probs;
  };
  EXPECT_EQ(translate({}), translate({2.0, 2.0, 2.0}));
  EXPECT_NE(translate({}), translate({2.0, 1.0, 1.0}));
}

TEST(Ensemble, ATargetMayBeAsLongAsEveryModelAllows) {
  const auto ensemble = make_ensemble({table_model(1, {2, 3, kTableVocab, 14}), table_model(1, {2, 3, kTableVocab, 9})},
                                      {.never = kNeverInTables});
  EXPECT_EQ(ensemble->make()->info().max_length, 9);
  EXPECT_EQ(ensemble->make_pair_scorer()->max_length(), 9);
  EXPECT_EQ(ensemble->make_decoder()->max_length(), 9);
}

TEST(Ensemble, RefusesModelsThatDoNotFit) {
  EXPECT_FAILS(make_ensemble({}, {}), std::invalid_argument, "at least one model");
  EXPECT_FAILS(make_ensemble({table_model(1)}, {.weights = {1.0, 2.0}}), std::invalid_argument, "a weight for each");
  EXPECT_FAILS(make_ensemble({table_model(1)}, {.weights = {0.0}}), std::invalid_argument, "not over 0");
  for (const ScorerInfo& other :
       {ScorerInfo{2, 3, kTableVocab + 1, 14}, {2, 4, kTableVocab, 14}, {1, 3, kTableVocab, 14}}) {
    const auto ensemble = make_ensemble({table_model(1), table_model(2, other)}, {});
    EXPECT_FAILS(ensemble->make(), std::invalid_argument, "different vocabularies");
  }
}

/// A factory that says nothing of ensembles.
class OtherFactory : public ScorerFactory {
 public:
  std::unique_ptr<StepScorer> make() const override { return nullptr; }
  std::unique_ptr<PairScorer> make_pair_scorer() const override { return nullptr; }
};

TEST(Ensemble, RefusesAFactoryWithoutRows) {
  EXPECT_FAILS(make_ensemble({std::make_shared<OtherFactory>()}, {})->make(), std::logic_error, "part of an ensemble");
}

}  // namespace
}  // namespace ventris::decoding
