#include "backend/scorer_tools.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::backend {
namespace {

using Ids = std::vector<int32_t>;
constexpr int32_t kVocab = 23;

decoding::StepRequest request_of(const Ids& last_ids, int32_t continuations) {
  decoding::StepRequest request;
  request.last_ids = last_ids;
  request.continuations = continuations;
  return request;
}

/// The selector's continuations are those that select_continuations finds row by row.
void expect_those_of_the_host(const torch::Tensor& log_probs, const decoding::StepRequest& request) {
  ScorerOptions options;
  options.never = {0, 1, 2};
  ContinuationSelector selector(options);
  const auto found = selector.select(log_probs.clone(), request);
  const auto width = static_cast<size_t>(request.continuations);
  ASSERT_EQ(found.ids.size(), static_cast<size_t>(log_probs.size(0)) * width);
  Ids ids(width);
  std::vector<float> scores(width);
  for (size_t row = 0; row < request.last_ids.size(); ++row) {
    const std::span all(log_probs.const_data_ptr<float>() + row * kVocab, kVocab);
    decoding::select_continuations(all, request, row, options.never, options.ids.eos, ids.data(), scores.data());
    const auto begin = static_cast<std::ptrdiff_t>(row * width), end = begin + request.continuations;
    EXPECT_EQ(Ids(found.ids.begin() + begin, found.ids.begin() + end), ids) << "row " << row;
    EXPECT_EQ(std::vector<float>(found.log_probs.begin() + begin, found.log_probs.begin() + end), scores)
        << "row " << row;
  }
}

class ContinuationSelectorTest : public testing::Test {
 protected:
  ContinuationSelectorTest() {
    torch::manual_seed(4);
    log_probs = torch::randn({4, kVocab}).log_softmax(1);
  }
  torch::Tensor log_probs;
  const Ids last{5, 6, 7, 8};
};

TEST_F(ContinuationSelectorTest, FindsTheBestAndMarksWhatIsMissing) {
  for (const int32_t continuations : {1, 4, kVocab, kVocab + 5})
    expect_those_of_the_host(log_probs, request_of(last, continuations));
}

TEST_F(ContinuationSelectorTest, ForbidsEosInTheRowsThatSaySo) {
  log_probs.select(1, 3).fill_(-0.01F);  // eos is everybody's best
  const std::vector<uint8_t> forbid{1, 0, 0, 1};
  auto request = request_of(last, 6);
  request.forbid_eos = forbid;
  expect_those_of_the_host(log_probs, request);
}

TEST_F(ContinuationSelectorTest, ForcesInSomeRowsAndChoosesInTheOthers) {
  const Ids forced{-1, 2, -1, 9};  // bos is never chosen, but may be forced
  auto request = request_of(last, 3);
  request.forced = forced;
  expect_those_of_the_host(log_probs, request);
}

TEST_F(ContinuationSelectorTest, PenaltiesCountInTheRowsThatHaveThem) {
  const float forbidden = std::numeric_limits<float>::infinity();
  std::vector<decoding::Penalty> penalties;
  for (int32_t id = 3; id < kVocab; id += 2) penalties.push_back({1, id, id % 3 == 0 ? forbidden : 1.7F});
  penalties.push_back({3, 4, 20.F});
  for (const int32_t continuations : {1, 5, kVocab}) {
    auto request = request_of(last, continuations);
    request.penalties = penalties;
    expect_those_of_the_host(log_probs, request);
  }
}

TEST_F(ContinuationSelectorTest, DrawsByTheNoise) {
  const std::vector<double> noise{0.0, 0.3, 0.6, 0.99};
  auto request = request_of(last, 1);
  request.noise = noise;
  request.sampling.enabled = true;
  expect_those_of_the_host(log_probs, request);
}

TEST_F(ContinuationSelectorTest, EqualScoresComeByLowerId) {
  expect_those_of_the_host(torch::full({4, kVocab}, -3.F), request_of(last, kVocab));
}

TEST_F(ContinuationSelectorTest, AScoreThatIsNotANumberComesFirst) {
  log_probs[2][17] = std::nanf("");
  ContinuationSelector selector{ScorerOptions()};
  const auto found = selector.select(log_probs, request_of(last, 3));
  EXPECT_EQ(found.ids[6], 17);
  EXPECT_TRUE(std::isnan(found.log_probs[6]));
}

TEST(PadSources, PadsAtTheEndAndHidesThePadding) {
  const Ids one{5, 6, 3}, two{7, 3};
  ScorerOptions options;
  options.ids.pad = 9;
  const auto padded = pad_sources(std::vector<std::span<const int32_t>>{one, two}, options);
  EXPECT_TRUE(torch::equal(padded.ids, torch::tensor({{5, 6, 3}, {7, 3, 9}})));
  EXPECT_TRUE(torch::equal(padded.mask, torch::tensor({{{true, true, true}}, {{true, true, false}}})));
}

TEST(PadSources, NoneAreAnEmptyBatch) {
  EXPECT_EQ(pad_sources({}, {}).ids.sizes(), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(pad_sources({}, {}).mask.sizes(), (std::vector<int64_t>{0, 1, 0}));
}

TEST(ParseDevice, NamesWhatItExpectsAndWhatItGot) {
  EXPECT_TRUE(parse_device("cpu").is_cpu());
  for (const std::string text : {"gpu", "", "CPU", "cuda:", "cuda:x", "cuda:-2", "meta", "mps"}) {
    EXPECT_FAILS(parse_device(text), ConfigError, "device: expected cpu, cuda or cuda:N, got '" + text + "'");
  }
}

TEST(ParseDevice, RefusesAGpuThatIsNotThere) {
  EXPECT_FAILS(parse_device("cuda:99"), ConfigError, "device cuda:99: this machine or this LibTorch has");
  if (torch::cuda::is_available()) GTEST_SKIP() << "a GPU is there";
  EXPECT_FAILS(parse_device("cuda"), ConfigError, "has 0 CUDA devices");
}

}  // namespace
}  // namespace ventris::backend
