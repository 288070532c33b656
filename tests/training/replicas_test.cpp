#include "training/replicas.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <mutex>

#include "support/tiny_learning.h"
#include "support/two_processes.h"
#include "training/translation_objective.h"

namespace ventris::training {
namespace {

const auto kObjective = std::make_shared<TranslationObjective>(TranslationOptions{});

/// Always the same; threads draw from one generator, so one at a time.
families::EncoderDecoder seeded_model() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  torch::manual_seed(3);
  return test::tiny_model(0.3);
}

std::vector<data::Batch> parts_of(const data::ParallelCorpus& pairs, int parts) {
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < pairs.size(); ++i) all.push_back(i);
  std::vector<data::Batch> batches;
  for (const auto& part : data::split_pairs(all, parts))
    batches.push_back(data::PairBatchMaker().make(data::read_pairs(pairs, part)));
  return batches;
}

std::vector<torch::Tensor> gradients(int replicas, double dropout, uint64_t seed, PassResult* result = nullptr) {
  torch::manual_seed(3);
  auto model = test::tiny_model(dropout);
  Replicas group(model, replicas, [&] { return test::tiny_model(dropout); }, kObjective, {});
  const auto pairs = test::tiny_pairs();
  const auto pass = group.run(parts_of(pairs, replicas), seed);
  if (result != nullptr) *result = pass;
  return group.take_gradients(1.0);
}

TEST(Replicas, GiveTheGradientOfTheWholeBatch) {
  PassResult one, three;
  const auto whole = gradients(1, 0.0, 1, &one), split = gradients(3, 0.0, 1, &three);
  EXPECT_EQ(one.target_tokens, three.target_tokens);
  EXPECT_NEAR(one.loss, three.loss, 1e-3);
  ASSERT_EQ(whole.size(), split.size());
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_TRUE(torch::allclose(whole[i], split[i], 1e-4, 1e-4)) << i;
}

TEST(Replicas, WithDropoutTheSameSeedGivesTheSameBits) {
  for (const int replicas : {1, 2, 3}) {
    const auto first = gradients(replicas, 0.3, 7), second = gradients(replicas, 0.3, 7),
               other = gradients(replicas, 0.3, 8);
    bool differs = false;
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(torch::equal(first[i], second[i])) << replicas << " replicas, parameter " << i;
      differs = differs || !torch::equal(first[i], other[i]);
    }
    EXPECT_TRUE(differs) << "the seed must matter";
  }
}

TEST(Replicas, APairOfWeightTwoTeachesAsThePairTwice) {
  const auto run = [](float weight, int times, PassResult& result) {
    torch::manual_seed(3);
    auto model = test::tiny_model(0.0);
    Replicas group(model, 2, [] { return test::tiny_model(0.0); }, kObjective, {});
    std::vector<data::Batch> parts;
    for (int part = 0; part < 2; ++part) {
      std::vector<data::SentencePair> pairs{{{5, 6}, {7, 8, 9}, "", "", 1}};
      for (int i = 0; i < times; ++i) pairs.push_back({{9}, {11, 6}, "", "", weight});
      parts.push_back(data::PairBatchMaker().make(pairs));
    }
    result = group.run(parts, 1);
    return group.take_gradients(1.0);
  };
  PassResult weighted, repeated;
  const auto found = run(2, 1, weighted), expected = run(1, 2, repeated);
  EXPECT_NEAR(weighted.loss, repeated.loss, 1e-3);
  EXPECT_NEAR(weighted.nll, repeated.nll, 1e-3);
  EXPECT_EQ(weighted.target_weight, 20);
  EXPECT_EQ(repeated.target_weight, 20);
  EXPECT_EQ(weighted.target_tokens, 14);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-4)) << i;
}

TEST(Replicas, MoreReplicasThanPairsStillWork) {
  torch::manual_seed(3);
  auto model = test::tiny_model(0.0);
  Replicas group(model, 3, [] { return test::tiny_model(0.0); }, kObjective, {});
  data::ParallelCorpus pairs;
  pairs.add(std::vector<int32_t>{5}, std::vector<int32_t>{6});
  const PassResult result = group.run(parts_of(pairs, 3), 1);
  EXPECT_EQ(result.target_tokens, 2);
  EXPECT_GT(global_norm(group.take_gradients(1.0)), 0.0);
}

/// Gradients of the corpus by two processes of one replica each, or by one of two; two batches an update.
std::vector<torch::Tensor> gradients_of_two(std::shared_ptr<distributed::ProcessGroup> group, int64_t bucket_bytes) {
  const int each = group->size() == 2 ? 1 : 2;
  auto model = seeded_model();
  Replicas replicas(model, each, [] { return test::tiny_model(0.3); }, kObjective, {}, group, bucket_bytes);
  const auto pairs = test::tiny_pairs();
  const auto parts = parts_of(pairs, 2);
  const auto own = parts.begin() + group->rank() * each;
  replicas.run({own, own + each}, 5, Pass::kMoreFollow);
  replicas.run({own, own + each}, 6);
  std::vector<torch::Tensor> copies;
  for (const auto& gradient : replicas.take_gradients(0.5)) copies.push_back(gradient.clone());
  return copies;
}

TEST(Replicas, TwoProcessesGiveTheBitsOfTwoReplicas) {
  const auto expected = gradients_of_two(std::make_shared<distributed::SingleProcess>(), 0);
  for (const int64_t bucket_bytes : {0, 2000, 1}) {
    test::as_two_processes([&](const std::shared_ptr<test::ThreadGroup>& group) {
      const auto found = gradients_of_two(group, bucket_bytes);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(torch::equal(found[i], expected[i])) << "parameter " << i << ", buckets of " << bucket_bytes;
      EXPECT_EQ(group->sums, bucket_bytes == 0 ? 1 : bucket_bytes == 1 ? static_cast<int>(found.size()) : group->sums);
    });
  }
}

TEST(Replicas, AProcessWithoutPairsTakesPartInTheSum) {
  test::as_two_processes([](const std::shared_ptr<test::ThreadGroup>& group) {
    auto model = test::tiny_model(0.0);
    Replicas replicas(model, 1, [] { return test::tiny_model(0.0); }, kObjective, {}, group, 1);
    data::ParallelCorpus pairs;
    pairs.add(std::vector<int32_t>{5}, std::vector<int32_t>{6});
    const auto parts = parts_of(pairs, 2);
    replicas.run({parts[static_cast<size_t>(group->rank())]}, 1);
    EXPECT_GT(global_norm(replicas.take_gradients(1.0)), 0.0);
  });
}

TEST(Replicas, SeeTheOptimisersChangesAtOnce) {
  torch::manual_seed(3);
  auto model = test::tiny_model(0.0);
  Replicas group(model, 2, [] { return test::tiny_model(0.0); }, kObjective, {});
  const auto pairs = test::tiny_pairs();
  const double before = group.run(parts_of(pairs, 2), 1).loss;
  Adam adam(distinct_named_parameters(*model), {});
  for (int step = 0; step < 5; ++step) {
    adam.step(group.take_gradients(1.0 / 40), 0.01);
    group.run(parts_of(pairs, 2), 1);
  }
  group.take_gradients(1.0);
  EXPECT_LT(group.run(parts_of(pairs, 2), 1).loss, before * 0.9);
}

}  // namespace
}  // namespace ventris::training
