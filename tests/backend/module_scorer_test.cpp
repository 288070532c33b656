#include "backend/module_scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "decoding/search.h"
#include "nn/masks.h"
#include "support/tiny_model.h"

namespace ventris::backend {
namespace {

using Ids = std::vector<int32_t>;

std::vector<Ids> random_sources(size_t count, uint64_t seed) {
  const core::RandomStream random(seed, 0);
  std::vector<Ids> sources;
  uint64_t draw = 0;
  for (size_t i = 0; i < count; ++i) {
    Ids source;
    const uint64_t length = 1 + random.below(draw++, 9);
    for (uint64_t j = 0; j < length; ++j) source.push_back(static_cast<int32_t>(4 + random.below(draw++, 19)));
    source.push_back(3);
    sources.push_back(source);
  }
  return sources;
}

std::vector<std::span<const int32_t>> spans(const std::vector<Ids>& sources) {
  return {sources.begin(), sources.end()};
}

/// Log-probabilities of the token after `target`, decoded from scratch: [vocab].
torch::Tensor full_decoding(families::EncoderDecoder& model, const Ids& source, const Ids& target) {
  const torch::NoGradGuard no_grad;
  const auto src = torch::tensor(std::vector<int64_t>(source.begin(), source.end())).unsqueeze(0);
  const auto tgt = torch::tensor(std::vector<int64_t>(target.begin(), target.end())).unsqueeze(0);
  const auto hidden = model->forward(src, tgt, nn::padding_mask(src, 0), nn::subsequent_mask(tgt.size(1)));
  return model->generator->forward(hidden.select(1, -1)).squeeze(0);
}

void expect_continuations_of_full_decoding(families::EncoderDecoder& model, const Ids& source, const Ids& target,
                                           const decoding::Continuations& continuations, size_t row, size_t count) {
  const auto expected = full_decoding(model, source, target);
  for (size_t i = 0; i < count; ++i) {
    const int32_t id = continuations.ids[row * count + i];
    ASSERT_GE(id, 0);
    EXPECT_NEAR(continuations.log_probs[row * count + i], expected[id].item<float>(), 1e-4);
  }
}

class ModuleScorerNorm : public testing::TestWithParam<nn::NormPlace> {};
INSTANTIATE_TEST_SUITE_P(BothNorms, ModuleScorerNorm, testing::Values(nn::NormPlace::kPre, nn::NormPlace::kPost));

TEST_P(ModuleScorerNorm, CachedDecodingEqualsFullDecoding) {
  auto model = test::tiny_model(5, GetParam());
  const auto sources = random_sources(4, 1);
  const auto scorer = make_module_scorer(model, {});
  scorer->admit(spans(sources));
  std::vector<Ids> targets(4, Ids{2});
  std::vector<int32_t> parents{0, 1, 2, 3};
  for (int step = 0; step < 12; ++step) {
    Ids last;
    for (const Ids& target : targets) last.push_back(target.back());
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = last;
    request.continuations = 3;
    const auto continuations = scorer->advance(request);
    for (size_t row = 0; row < 4; ++row) {
      expect_continuations_of_full_decoding(model, sources[row], targets[row], continuations, row, 3);
      targets[row].push_back(continuations.ids[row * 3 + static_cast<size_t>(step) % 3]);
    }
  }
}

TEST(ModuleScorer, RowsMayRepeatVanishAndChangeOrder) {
  auto model = test::tiny_model(6);
  const auto sources = random_sources(3, 2);
  const auto scorer = make_module_scorer(model, {});
  scorer->admit(spans(sources));
  const std::vector<std::vector<int32_t>> plan{{0, 1, 2}, {2, 2, 0, 1, 0}, {4, 3, 0}, {0, 0, 0, 2}, {3, 1}};
  std::vector<Ids> targets(3, Ids{2});
  std::vector<size_t> sentence{0, 1, 2};
  const core::RandomStream random(3, 0);
  uint64_t draw = 0;
  for (const auto& parents : plan) {
    std::vector<Ids> next;
    std::vector<size_t> next_sentence;
    Ids last;
    for (const int32_t parent : parents) {
      next.push_back(targets[static_cast<size_t>(parent)]);
      next_sentence.push_back(sentence[static_cast<size_t>(parent)]);
      if (&parents != &plan.front()) next.back().push_back(static_cast<int32_t>(4 + random.below(draw++, 19)));
      last.push_back(next.back().back());
    }
    targets = next;
    sentence = next_sentence;
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = last;
    request.continuations = 2;
    const auto continuations = scorer->advance(request);
    for (size_t row = 0; row < parents.size(); ++row) {
      expect_continuations_of_full_decoding(model, sources[sentence[row]], targets[row], continuations, row, 2);
    }
  }
}

TEST(ModuleScorer, ASentenceAdmittedLaterIsTranslatedAsIfAlone) {
  auto model = test::tiny_model(7);
  const auto sources = random_sources(3, 4);
  const auto scorer = make_module_scorer(model, {});
  scorer->admit(std::vector<std::span<const int32_t>>{sources[0], sources[1]});
  std::vector<Ids> targets(2, Ids{2});
  for (int step = 0; step < 9; ++step) {
    if (step == 3) {
      scorer->admit(std::vector<std::span<const int32_t>>{sources[2]});
      targets.push_back({2});
    }
    std::vector<int32_t> parents, last;
    for (size_t row = 0; row < targets.size(); ++row) {
      parents.push_back(static_cast<int32_t>(row));
      last.push_back(targets[row].back());
    }
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = last;
    const auto continuations = scorer->advance(request);
    for (size_t row = 0; row < targets.size(); ++row) {
      expect_continuations_of_full_decoding(model, sources[row], targets[row], continuations, row, 1);
      targets[row].push_back(continuations.ids[row]);
    }
  }
}

TEST(ModuleScorer, RowsMayChangePlacesWhileSomeAreBehind) {
  auto model = test::tiny_model(7);
  const auto sources = random_sources(3, 4);
  const auto scorer = make_module_scorer(model, {});
  scorer->admit(std::vector<std::span<const int32_t>>{sources[0], sources[1]});
  std::vector<size_t> sentences{0, 1};
  std::vector<Ids> targets(2, Ids{2});
  for (int step = 0; step < 40; ++step) {  // far enough for the caches to grow twice
    std::vector<int32_t> parents(targets.size());
    std::iota(parents.begin(), parents.end(), 0);
    if (step == 6) {
      scorer->admit(std::vector<std::span<const int32_t>>{sources[2]});
      targets.push_back({2});
      sentences.push_back(2);
      parents.push_back(2);
    }
    if (step % 2 == 1) std::rotate(parents.begin(), parents.begin() + 1, parents.end());
    std::vector<int32_t> last;
    std::vector<Ids> moved;
    std::vector<size_t> moved_sentences;
    for (const int32_t parent : parents) {
      moved.push_back(targets[static_cast<size_t>(parent)]);
      moved_sentences.push_back(sentences[static_cast<size_t>(parent)]);
      last.push_back(moved.back().back());
    }
    targets = moved;
    sentences = moved_sentences;
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = last;
    const auto continuations = scorer->advance(request);
    for (size_t row = 0; row < targets.size(); ++row) {
      expect_continuations_of_full_decoding(model, sources[sentences[row]], targets[row], continuations, row, 1);
      targets[row].push_back(continuations.ids[row]);
    }
  }
}

TEST(ModuleScorer, PadBosAndUnkAreNoContinuationsAndEosOnlyWhereAllowed) {
  auto model = test::tiny_model(8);
  ScorerOptions options;
  options.never = {0, 1, 2};
  const auto scorer = make_module_scorer(model, options);
  const auto sources = random_sources(2, 5);
  scorer->admit(spans(sources));
  const std::vector<int32_t> parents{0, 1}, last{2, 2};
  const std::vector<uint8_t> forbid{1, 0};
  decoding::StepRequest request;
  request.parents = parents;
  request.last_ids = last;
  request.continuations = 23;
  request.forbid_eos = forbid;
  const auto continuations = scorer->advance(request);
  for (size_t row = 0; row < 2; ++row) {
    std::vector<int32_t> ids(continuations.ids.begin() + static_cast<int64_t>(row) * 23,
                             continuations.ids.begin() + static_cast<int64_t>(row + 1) * 23);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 0) + std::count(ids.begin(), ids.end(), 1) +
                  std::count(ids.begin(), ids.end(), 2),
              0);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 3), row == 0 ? 0 : 1);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), -1), row == 0 ? 4 : 3);
  }
}

TEST(ModuleScorer, BatchAndOrderChangeNoTranslation) {
  auto model = test::tiny_model(9);
  const auto sources = random_sources(24, 6);
  std::vector<decoding::Sentence> sentences;
  for (size_t i = 0; i < sources.size(); ++i) sentences.push_back({sources[i], {}, i});
  decoding::SearchOptions options;
  options.beam_size = 3;
  const auto scorer = make_module_scorer(model, {});
  const auto together = decoding::search(*scorer, sentences, options);
  for (size_t i = 0; i < sentences.size(); ++i) {
    scorer->reset();
    const auto alone = decoding::search(*scorer, std::span(&sentences[i], 1), options);
    const bool tied = std::abs(alone[0][0].score - together[i][0].score) < 1e-4;
    EXPECT_TRUE(alone[0][0].ids == together[i][0].ids || tied) << i;
    EXPECT_NEAR(alone[0][0].score, together[i][0].score, 1e-4);
  }
}

TEST(ModuleScorer, SamplingGivesOneContinuationWithTheModelsLogProbability) {
  auto model = test::tiny_model(10);
  const auto sources = random_sources(1, 7);
  const auto scorer = make_module_scorer(model, {});
  scorer->admit(spans(sources));
  const std::vector<int32_t> parents{0, 0}, last{2, 2};
  const std::vector<double> noise{0.1, 0.95};
  decoding::StepRequest request;
  request.parents = parents;
  request.last_ids = last;
  request.sampling.enabled = true;
  request.noise = noise;
  const auto continuations = scorer->advance(request);
  for (size_t row = 0; row < 2; ++row)
    expect_continuations_of_full_decoding(model, sources[0], {2}, continuations, row, 1);
}

}  // namespace
}  // namespace ventris::backend
