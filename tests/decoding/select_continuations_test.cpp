#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "decoding/step_scorer.h"
#include "support/errors.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr float kForbidden = std::numeric_limits<float>::infinity();

struct Selected {
  Ids ids;
  std::vector<float> scores;
};

Selected select(const std::vector<float>& log_probs, const StepRequest& request, const Ids& never = {}) {
  Selected selected{Ids(static_cast<size_t>(request.continuations)),
                    std::vector<float>(static_cast<size_t>(request.continuations))};
  select_continuations(log_probs, request, 0, never, 3, selected.ids.data(), selected.scores.data());
  return selected;
}

StepRequest best(int32_t continuations) {
  StepRequest request;
  request.continuations = continuations;
  return request;
}

TEST(SelectContinuations, BestFirstAndEqualScoresByLowerId) {
  const auto selected = select({-2, -1, -3, -1, -2}, best(4));
  EXPECT_EQ(selected.ids, (Ids{1, 3, 0, 4}));
  EXPECT_EQ(selected.scores, (std::vector<float>{-1, -1, -2, -2}));
}

TEST(SelectContinuations, MissingOnesAreMarked) {
  const auto selected = select({-2, -1, kNothing, -4}, best(5), {0});
  EXPECT_EQ(selected.ids, (Ids{1, 3, -1, -1, -1}));
  EXPECT_EQ(selected.scores[2], kNothing);
}

TEST(SelectContinuations, EosCanBeForbidden) {
  const std::vector<uint8_t> forbid{1};
  StepRequest request = best(2);
  request.forbid_eos = forbid;
  EXPECT_EQ(select({-2, -3, -4, -1}, request).ids, (Ids{0, 1}));
}

TEST(SelectContinuations, PenaltiesChangeTheRankNotTheLogProbability) {
  const std::vector<Penalty> penalties{{0, 0, 3.0F}, {0, 4, kForbidden}, {1, 1, 9.0F}};
  StepRequest request = best(5);
  request.penalties = penalties;
  const auto selected = select({-1, -2, -4, -2.5F, -0.5F}, request);
  EXPECT_EQ(selected.ids, (Ids{1, 3, 0, 2, -1}));
  EXPECT_EQ(selected.scores, (std::vector<float>{-2, -2.5F, -1, -4, kNothing}));
}

TEST(SelectContinuations, PenaltiesCountInDraws) {
  const std::vector<Penalty> penalties{{0, 1, kForbidden}};
  for (const double noise : {0.0, 0.4, 0.999}) {
    const std::vector<double> all{noise};
    StepRequest request = best(1);
    request.penalties = penalties;
    request.sampling.enabled = true;
    request.noise = all;
    EXPECT_NE(select({-3, -0.1F, -3, -3}, request).ids, Ids{1});
  }
}

TEST(SelectContinuations, AForcedIdIsTheOnlyOneWithItsOwnScore) {
  const Ids forced{2};
  StepRequest request = best(2);
  request.forced = forced;
  const auto selected = select({-2, -3, -4, -1}, request, {2});
  EXPECT_EQ(selected.ids, (Ids{2, -1}));
  EXPECT_EQ(selected.scores, (std::vector<float>{-4, kNothing}));
  EXPECT_FAILS(select({-2, -3}, request), std::invalid_argument, "outside the vocabulary");
}

TEST(SelectContinuations, NoiseJustUnderOneStaysAmongTheAllowed) {
  const std::vector<double> noise{std::nextafter(1.0, 0.0)};
  StepRequest request = best(1);
  request.sampling.enabled = true;
  request.noise = noise;
  EXPECT_EQ(select({-1, -1, kNothing, -1, -1e4F}, request).ids, Ids{3});
}

TEST(SelectContinuations, ANucleusMayHoldAnyNumberOfIds) {
  const std::vector<float> equal(5000, -std::log(5000.0F));
  StepRequest request = best(1);
  request.sampling.enabled = true;
  for (const int32_t size : {1, 63, 64, 65, 511, 513, 4097, 5000}) {
    request.sampling.top_p = (size - 0.5) / 5000;
    const auto drawn = [&](double noise) {
      const std::vector<double> noises{noise};
      request.noise = noises;
      return select(equal, request).ids.front();
    };
    EXPECT_EQ(drawn(0), 0) << size;
    EXPECT_EQ(drawn(0.999999), size - 1) << size << ": of equal ones those with the lowest ids";
  }
}

TEST(SelectContinuations, AScoreThatIsNotANumberComesThrough) {
  const auto selected = select({-1, std::nanf(""), -2}, best(2));
  EXPECT_EQ(selected.ids, (Ids{1, -1}));
  EXPECT_TRUE(std::isnan(selected.scores[0]));
}

}  // namespace
}  // namespace ventris::decoding
