#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "architecture/transformer_fields.h"
#include "decoding/search.h"
#include "engine_parity/both_models.h"

namespace ventris::engine {
namespace {

using decoding::Continuations;
using test::BothModels;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr int32_t kBos = 2;

/// The log-probabilities of a row by id; -infinity for ids that are not among the continuations.
std::vector<float> by_id(const Continuations& found, size_t row, size_t vocab) {
  std::vector<float> all(vocab, -std::numeric_limits<float>::infinity());
  for (size_t i = row * vocab; i < (row + 1) * vocab; ++i) {
    if (found.ids[i] >= 0) all[static_cast<size_t>(found.ids[i])] = found.log_probs[i];
  }
  return all;
}

/// How far log-probabilities are apart.
struct Difference {
  double most = 0, sum = 0;
  int64_t count = 0;

  void add(double expected, double found) {
    most = std::max(most, std::abs(expected - found));
    sum += std::abs(expected - found);
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
};

/// Two scorers that get the same requests, as a search with changing beams would make them.
class TwoScorers {
 public:
  TwoScorers(const BothModels& models, Precision precision, uint32_t seed)
      : options_(models.module->options),
        random_(seed),
        expected_(models.backend()->make()),
        found_(models.engine(precision)->make()) {}

  /// Admits sentences, continues, repeats and drops rows, and compares the results.
  Difference run(int steps) {
    for (int step = 0; step < steps; ++step) {
      if (rows_.empty() || random_.between(0, 4) == 0) admit();
      choose_rows();
      decoding::StepRequest request;
      request.parents = parents_;
      request.last_ids = last_ids_;
      request.continuations = static_cast<int32_t>(options_.tgt_vocab);
      compare(expected_->advance(request), found_->advance(request));
    }
    return difference_;
  }

 private:
  struct Row {
    int sentence;
    bool fresh;
  };

  void admit() {
    std::vector<Ids> sources;
    for (int64_t i = random_.between(1, 3); i > 0; --i) {
      sources.push_back(test::random_ids(random_, random_.between(1, 40), options_.src_vocab));
      rows_.push_back({sentences_++, true});
    }
    const std::vector<std::span<const int32_t>> spans(sources.begin(), sources.end());
    expected_->admit(spans);
    found_->admit(spans);
  }

  /// Each sentence continues with up to four of its rows, in any order. Sometimes it is finished.
  void choose_rows() {
    parents_.clear();
    last_ids_.clear();
    std::vector<Row> next;
    for (size_t first = 0, end = 0; first < rows_.size(); first = end) {
      while (end < rows_.size() && rows_[end].sentence == rows_[first].sentence) ++end;
      const bool fresh = rows_[first].fresh, last = end == rows_.size() && next.empty();
      int64_t count = fresh ? 1 : random_.between(0, 12) == 0 && !last ? 0 : random_.between(1, 4);
      for (; count > 0; --count) {
        const int64_t parent = random_.between(static_cast<int64_t>(first), static_cast<int64_t>(end) - 1);
        parents_.push_back(static_cast<int32_t>(parent));
        last_ids_.push_back(fresh ? kBos : test::random_ids(random_, 1, options_.tgt_vocab)[0]);
        next.push_back({rows_[first].sentence, false});
      }
    }
    rows_ = next;
  }

  /// The difference also counts, for each place with another id, how much less probable this id is.
  void compare(const Continuations& expected, const Continuations& found) {
    const auto vocab = static_cast<size_t>(options_.tgt_vocab);
    for (size_t row = 0; row < rows_.size(); ++row) {
      const auto wanted = by_id(expected, row, vocab), all = by_id(found, row, vocab);
      for (size_t i = 0; i < vocab; ++i) {
        EXPECT_EQ(std::isinf(wanted[i]), std::isinf(all[i])) << "id " << i;
        if (std::isinf(wanted[i])) continue;
        difference_.add(wanted[i], all[i]);
        const size_t place = row * vocab + i;
        if (found.ids[place] == expected.ids[place] || found.ids[place] < 0) continue;
        difference_.add(expected.log_probs[place], wanted[static_cast<size_t>(found.ids[place])]);
      }
    }
  }

  const nn::TransformerOptions options_;
  RandomNumbers random_;
  std::unique_ptr<decoding::StepScorer> expected_, found_;
  std::vector<Row> rows_;
  int sentences_ = 0;
  Ids parents_, last_ids_;
  Difference difference_;
};

class EngineParity : public testing::TestWithParam<uint32_t> {
 protected:
  EngineParity() : random_(GetParam()), models_(test::random_options(random_), GetParam()) {}

  Difference difference(Precision precision) const { return TwoScorers(models_, precision, GetParam()).run(30); }
  std::string model() const { return test::described(models_.module->options); }

  RandomNumbers random_;
  BothModels models_;
};
INSTANTIATE_TEST_SUITE_P(RandomModels, EngineParity, testing::Range(0U, 120U));

TEST_P(EngineParity, StepsInF32AreThoseOfLibTorch) { EXPECT_LE(difference(Precision::kF32).most, 1e-4) << model(); }

TEST_P(EngineParity, StepsInBfloat16AreNearThoseOfLibTorch) {
  EXPECT_LE(difference(Precision::kBf16).mean(), 0.02 * test::share_of_rounding(models_.module->options)) << model();
}

TEST_P(EngineParity, StepsInInt8AreNearThoseOfLibTorch) {
  EXPECT_LE(difference(Precision::kInt8).mean(), 0.08 * test::share_of_rounding(models_.module->options)) << model();
}

TEST_P(EngineParity, ASearchFindsTheSameTranslations) {
  std::vector<decoding::Sentence> sentences;
  for (uint64_t i = 0; i < 4; ++i) {
    sentences.push_back({test::random_ids(random_, random_.between(1, 9), models_.module->options.src_vocab), {}, i});
  }
  const auto expected_scorer = models_.backend()->make(), found_scorer = models_.engine()->make();
  for (const int32_t beam : {1, 5}) {
    decoding::SearchOptions options;
    options.beam_size = beam;
    const auto expected = decoding::search(*expected_scorer, sentences, options);
    const auto found = decoding::search(*found_scorer, sentences, options);
    for (size_t i = 0; i < sentences.size(); ++i) {
      EXPECT_EQ(found[i].front().ids, expected[i].front().ids) << "beam " << beam << ", " << model();
      EXPECT_NEAR(found[i].front().score, expected[i].front().score, 1e-4);
    }
  }
}

/// A pair of texts of 1,024 tokens has the same log-probabilities.
void expect_agreement_on_long_texts(const nn::TransformerOptions& options) {
  const BothModels models(options, 1);
  const auto expected = models.backend()->make_pair_scorer(), found = models.engine()->make_pair_scorer();
  RandomNumbers random(1);
  const Ids source = test::random_ids(random, 1024, 50), target = test::random_ids(random, 1023, 50);
  const std::vector<decoding::Pair> pairs{{source, target}};
  const auto wanted = expected->answer(pairs, {}).front().log_probs, all = found->answer(pairs, {}).front().log_probs;
  ASSERT_EQ(all.size(), 1024U);
  for (size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(all[i], wanted[i], 1e-4) << "position " << i;
}

nn::TransformerOptions options_for_long_texts() {
  nn::TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 50;
  options.encoder_layers = options.decoder_layers = 2;
  options.d_model = 32;
  options.d_ff = 64;
  options.heads = 4;
  return options;
}

/// Texts that are cut into many windows or segments.
class EngineParityOfLength : public testing::TestWithParam<nn::SelfAttention> {
 protected:
  nn::TransformerOptions options() const {
    nn::TransformerOptions options = options_for_long_texts();
    options.self_attention = GetParam();
    switch (options.self_attention) {
      case nn::SelfAttention::kWindow:
        options.window = 61;
        options.global_positions = 19;
        break;
      case nn::SelfAttention::kLowRank: options.low_rank_size = 70; break;
      case nn::SelfAttention::kSegment:
        options.positions = nn::Positions::kRelative;
        options.segment = 67;
        options.segment_memory = 90;
        break;
      case nn::SelfAttention::kFull:
      case nn::SelfAttention::kSsru:
      case nn::SelfAttention::kLinear: break;
    }
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EngineParityOfLength,
                         testing::Values(nn::SelfAttention::kFull, nn::SelfAttention::kWindow,
                                         nn::SelfAttention::kLinear, nn::SelfAttention::kLowRank,
                                         nn::SelfAttention::kSegment, nn::SelfAttention::kSsru),
                         [](const auto& kind) { return core::name_of(kind.param, architecture::self_attentions()); });

TEST_P(EngineParityOfLength, LongTextsHaveTheLogProbabilitiesOfLibTorch) { expect_agreement_on_long_texts(options()); }

TEST(EngineParityOfRelativeBias, LongTextsHaveTheLogProbabilitiesOfLibTorch) {
  nn::TransformerOptions options = options_for_long_texts();
  options.positions = nn::Positions::kRelativeBias;
  expect_agreement_on_long_texts(options);
}

TEST(EngineParityOfRotation, LongTextsHaveTheLogProbabilitiesOfLibTorch) {
  nn::TransformerOptions options = options_for_long_texts();
  options.positions = nn::Positions::kRotary;
  expect_agreement_on_long_texts(options);
}

}  // namespace
}  // namespace ventris::engine
