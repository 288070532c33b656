#include "engine/factory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <set>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "architecture/rnn_options.h"
#include "core/error.h"
#include "decoding/row_scorer.h"
#include "decoding/search.h"
#include "engine/packed_models.h"
#include "engine/random_model.h"
#include "layers/weights.h"
#include "support/changed_weights.h"
#include "support/errors.h"
#include "support/other_architecture.h"

namespace ventris::engine {
namespace {

using architecture::AttentionScore;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using decoding::Pair;
using decoding::PairQuestion;
using test::RandomModel;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr int32_t kVocab = 41, kBos = 2, kEos = 3;

TransformerOptions small_options() {
  return {.src_vocab = 37,
          .tgt_vocab = kVocab,
          .encoder_layers = 2,
          .decoder_layers = 2,
          .d_model = 20,
          .d_ff = 33,
          .heads = 2,
          .max_positions = 320,
          .tying = architecture::Tying::kDecoder};
}

/// A sentence with a given translation, which starts with bos.
struct Task {
  Ids source, target;
  size_t start = 0;  ///< the step before which it is admitted
};

Ids random_ids(RandomNumbers& random, int64_t count, int64_t vocab) {
  Ids ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(random.between(4, vocab - 1)));
  return ids;
}

/// Sentences of different lengths. One is longer than what is encoded together.
std::vector<Task> random_tasks(uint32_t seed) {
  RandomNumbers random(seed);
  std::vector<Task> tasks;
  for (int64_t i = 0; i < 14; ++i) {
    Task task{random_ids(random, i == 5 ? 300 : random.between(1, 40), 37), {kBos}};
    const Ids rest = random_ids(random, random.between(0, 9), kVocab);
    task.target.insert(task.target.end(), rest.begin(), rest.end());
    tasks.push_back(task);
  }
  return tasks;
}

/// A request for the best continuations.
decoding::StepRequest request_of(const Ids& parents, const Ids& last_ids, int32_t continuations = 1) {
  decoding::StepRequest request;
  request.parents = parents;
  request.last_ids = last_ids;
  request.continuations = continuations;
  return request;
}

/// Feeds the targets of some sentences to a scorer. In each step, the rows change their order.
class Feeder {
 public:
  Feeder(decoding::StepScorer& scorer, const std::vector<Task>& tasks)
      : scorer_(scorer), tasks_(tasks), found_(tasks.size()), position_(tasks.size()) {}

  /// Returns the log-probabilities [steps, vocab] of each sentence; those of ids that are never continuations are 0.
  std::vector<std::vector<float>> run() {
    scorer_.reset();
    size_t admitted = 0;
    for (size_t step = 0; admitted < tasks_.size() || !rows_.empty(); ++step) {
      admitted += admit(step);
      if (!advance() && admitted == tasks_.size()) break;
    }
    return found_;
  }

 private:
  size_t admit(size_t step) {
    std::vector<std::span<const int32_t>> sources;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].start != step) continue;
      sources.push_back(tasks_[i].source);
      rows_.push_back(i);
    }
    if (!sources.empty()) scorer_.admit(sources);
    return sources.size();
  }

  /// Returns false if no sentence has a token left.
  bool advance() {
    Ids parents, last_ids;
    std::vector<size_t> next;
    for (size_t row = rows_.size(); row-- > 0;) {
      const size_t task = rows_[row];
      if (position_[task] == tasks_[task].target.size()) continue;
      parents.push_back(static_cast<int32_t>(row));
      last_ids.push_back(tasks_[task].target[position_[task]++]);
      next.push_back(task);
    }
    if (next.empty()) return false;
    rows_ = next;
    keep(scorer_.advance(request_of(parents, last_ids, kVocab)));
    return true;
  }

  void keep(const decoding::Continuations& all) {
    for (size_t row = 0; row < rows_.size(); ++row) {
      std::vector<float>& found = found_[rows_[row]];
      const size_t first = found.size();
      found.resize(first + kVocab);
      for (size_t i = row * kVocab; i < (row + 1) * kVocab; ++i) {
        if (all.ids[i] >= 0) found[first + static_cast<size_t>(all.ids[i])] = all.log_probs[i];
      }
    }
  }

  decoding::StepScorer& scorer_;
  const std::vector<Task>& tasks_;
  std::vector<std::vector<float>> found_;
  std::vector<size_t> position_;  // of each sentence: tokens that were fed
  std::vector<size_t> rows_;      // the sentence of each row
};

std::vector<std::vector<float>> log_probs(decoding::StepScorer& scorer, const std::vector<Task>& tasks) {
  return Feeder(scorer, tasks).run();
}

std::unique_ptr<decoding::ScorerFactory> factory_of(const RandomModel& model, Precision precision = Precision::kF32) {
  return make_factory(model.config, model.file(), {precision});
}

/// Each sentence alone, in a scorer of its own.
std::vector<std::vector<float>> log_probs_alone(const decoding::ScorerFactory& factory,
                                                const std::vector<Task>& tasks) {
  std::vector<std::vector<float>> all;
  for (Task task : tasks) {
    task.start = 0;
    all.push_back(log_probs(*factory.make(), {task}).front());
  }
  return all;
}

/// A kind of model. The sentences of random_tasks() exceed the sizes of its attention.
struct Kind {
  std::string name;
  TransformerOptions options;
};

TransformerOptions with_score(AttentionScore score) {
  TransformerOptions options = small_options();
  options.attention_score = score;
  return options;
}

TransformerOptions with_self_attention(SelfAttention kind) {
  TransformerOptions options = small_options();
  options.self_attention = kind;
  if (kind == SelfAttention::kWindow) {
    options.window = 3;
    options.global_positions = 2;
  }
  if (kind == SelfAttention::kLowRank) options.low_rank_size = 5;
  if (kind == SelfAttention::kSegment) {
    options.positions = architecture::Positions::kRelative;
    options.segment = 4;
    options.segment_memory = 3;
  }
  return options;
}

TransformerOptions with_rms_norms() {
  TransformerOptions options = small_options();
  options.norm_kind = architecture::NormKind::kRms;
  options.norm = architecture::NormPlace::kPost;
  options.embedding_norm = true;
  return options;
}

TransformerOptions with_gates() {
  TransformerOptions options = small_options();
  options.gated_feed_forward = true;
  options.activation = architecture::Activation::kGelu;
  return options;
}

TransformerOptions with_rotary_positions() {
  TransformerOptions options = small_options();
  options.positions = architecture::Positions::kRotary;
  return options;
}

TransformerOptions with_relative_bias() {
  TransformerOptions options = small_options();
  options.positions = architecture::Positions::kRelativeBias;
  options.relative_buckets = 8;
  options.relative_max_distance = 12;
  return options;
}

TransformerOptions with_experts() {
  TransformerOptions options = small_options();
  options.experts = 3;
  options.experts_per_token = 2;
  return options;
}

/// All of them together, with SiLU and heads of a width of their own.
TransformerOptions with_recent_settings() {
  TransformerOptions options = with_rotary_positions();
  options.norm_kind = architecture::NormKind::kRms;
  options.gated_feed_forward = true;
  options.activation = architecture::Activation::kSilu;
  options.d_k = 6;
  options.d_v = 11;
  return options;
}

std::vector<Kind> kinds() {
  return {{"full", small_options()},
          {"dot", with_score(AttentionScore::kDot)},
          {"cosine", with_score(AttentionScore::kCosine)},
          {"bilinear", with_score(AttentionScore::kBilinear)},
          {"additive", with_score(AttentionScore::kAdditive)},
          {"gaussian", with_score(AttentionScore::kGaussian)},
          {"window", with_self_attention(SelfAttention::kWindow)},
          {"linear", with_self_attention(SelfAttention::kLinear)},
          {"low_rank", with_self_attention(SelfAttention::kLowRank)},
          {"segment", with_self_attention(SelfAttention::kSegment)},
          {"ssru", with_self_attention(SelfAttention::kSsru)},
          {"rms", with_rms_norms()},
          {"gated", with_gates()},
          {"experts", with_experts()},
          {"rotary", with_rotary_positions()},
          {"relative_bias", with_relative_bias()},
          {"recent", with_recent_settings()}};
}

using Variant = std::tuple<Kind, Precision>;

std::string variant_name(const testing::TestParamInfo<Variant>& info) {
  const auto& [kind, precision] = info.param;
  return kind.name + (precision == Precision::kF32 ? "_f32" : precision == Precision::kBf16 ? "_bf16" : "_int8");
}

class EngineFactory : public testing::TestWithParam<Variant> {
 protected:
  std::unique_ptr<decoding::ScorerFactory> factory() const {
    const auto& [kind, precision] = GetParam();
    return factory_of(test::random_model(kind.options, 1), precision);
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, EngineFactory,
                         testing::Combine(testing::ValuesIn(kinds()),
                                          testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8)),
                         variant_name);

TEST_P(EngineFactory, ASentenceHasTheSameLogProbabilitiesAloneAndAmongOthers) {
  const auto made = factory();
  const auto tasks = random_tasks(1);
  EXPECT_EQ(log_probs(*made->make(), tasks), log_probs_alone(*made, tasks));
}

TEST_P(EngineFactory, APackedModelGivesTheSame) {
  const auto& [kind, precision] = GetParam();
  const RandomModel model = test::random_model(kind.options, 1);
  const auto packed = make_packed_factory(model.config, test::packed_file(test::packed(model, precision)), {});
  const auto tasks = random_tasks(5);
  EXPECT_EQ(log_probs(*packed->make(), tasks), log_probs(*factory()->make(), tasks));
}

TEST_P(EngineFactory, ASentenceAdmittedLaterHasTheSameLogProbabilities) {
  const auto made = factory();
  auto tasks = random_tasks(2);
  for (size_t i = 0; i < tasks.size(); ++i) tasks[i].start = i * 5 % 11;
  EXPECT_EQ(log_probs(*made->make(), tasks), log_probs_alone(*made, tasks));
}

TEST_P(EngineFactory, AScorerThatWasUsedAndResetGivesTheSame) {
  const auto made = factory();
  const auto scorer = made->make();
  const auto tasks = random_tasks(3), others = random_tasks(4);
  const auto expected = log_probs(*scorer, tasks);
  EXPECT_EQ(log_probs(*scorer, tasks), expected) << "all sentences were finished before";
  log_probs(*scorer, others);
  EXPECT_EQ(log_probs(*scorer, tasks), expected) << "other sentences were finished before";
}

TEST_P(EngineFactory, UnfinishedSentencesLeaveNothingBehindAfterReset) {
  const auto made = factory();
  const auto scorer = made->make();
  const auto tasks = random_tasks(3), others = random_tasks(4);
  for (int round = 0; round < 3; ++round) {
    scorer->admit(std::vector<std::span<const int32_t>>{others[0].source, others[1].source});
    const Ids parents{1, 1, 0}, last_ids{kBos, kBos, kBos};
    scorer->advance(request_of(parents, last_ids));
    scorer->reset();
  }
  EXPECT_EQ(log_probs(*scorer, tasks), log_probs(*made->make(), tasks));
}

TEST_P(EngineFactory, TwoThreadsWithScorersOfTheirOwnGetTheSame) {
  auto made = factory();
  const auto tasks = random_tasks(5);
  const auto expected = log_probs(*made->make(), tasks);
  std::vector<std::vector<float>> found[2];
  std::vector<std::thread> threads;
  for (auto& own : found) {
    threads.emplace_back([&own, &tasks, scorer = std::shared_ptr<decoding::StepScorer>(made->make())] {
      for (int round = 0; round < 3; ++round) own = log_probs(*scorer, tasks);
    });
  }
  made.reset();  // the scorers outlive it
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], expected);
  EXPECT_EQ(found[1], expected);
}

TEST_P(EngineFactory, PairsHaveTheLogProbabilitiesOfTheSteps) {
  const double tolerance = std::get<1>(GetParam()) == Precision::kF32 ? 1e-5 : 0.02;  // of the order of the sums
  const auto made = factory();
  const auto tasks = random_tasks(6);
  const auto steps = log_probs(*made->make(), tasks);
  std::vector<Pair> pairs;
  for (const Task& task : tasks) pairs.push_back({task.source, std::span(task.target).subspan(1)});
  const auto answers = made->make_pair_scorer()->answer(pairs, {});
  for (size_t i = 0; i < tasks.size(); ++i) {
    ASSERT_EQ(answers[i].log_probs.size(), tasks[i].target.size());
    for (size_t t = 0; t < tasks[i].target.size(); ++t) {
      const int32_t id = t + 1 < tasks[i].target.size() ? tasks[i].target[t + 1] : kEos;
      EXPECT_NEAR(answers[i].log_probs[t], steps[i][t * kVocab + static_cast<size_t>(id)], tolerance);
    }
    EXPECT_TRUE(answers[i].attention.empty());
  }
}

TEST_P(EngineFactory, GreedySearchFindsTheSameWithoutLogProbabilities) {
  std::vector<decoding::Sentence> sentences;
  for (const Task& task : random_tasks(7)) sentences.push_back({task.source, {}, 0});
  sentences[1].prefix = {5, 6};
  decoding::SearchOptions plain, blocked;
  plain.longest = blocked.longest = 310;
  blocked.repetition = {.no_repeat_ngram = 2, .penalty = 1.2};
  const auto scorer = factory()->make();
  for (decoding::SearchOptions options : {plain, blocked}) {
    const auto with = decoding::search(*scorer, sentences, options);
    options.log_probs = false;
    const auto without = decoding::search(*scorer, sentences, options);
    for (size_t i = 0; i < sentences.size(); ++i) EXPECT_EQ(without[i].front().ids, with[i].front().ids);
  }
}

TEST_P(EngineFactory, RowsHaveTheLogProbabilitiesOfTheContinuationsInPartsOfAnySize) {
  const auto made = factory();
  const auto rows = made->make_row_scorer();
  const auto steps = made->make();
  const Ids parents{2, 0, 1, 1, 2}, bos(parents.size(), kBos);
  const Ids a{5, 6, 7}, b{8}, c{9, 10};
  const std::vector<std::span<const int32_t>> sources{a, b, c};
  rows->admit(sources);
  rows->step(parents, bos);
  steps->admit(sources);
  const auto expected = steps->advance(request_of(parents, bos, kVocab));
  for (const size_t size : {1U, 2U, 5U}) {
    for (size_t first = 0; first < parents.size(); first += size) {
      const size_t count = std::min(size, parents.size() - first);
      const auto found = rows->log_probs(first, count);
      ASSERT_EQ(found.size(), count * kVocab);
      for (size_t i = 0; i < found.size(); ++i) {
        const size_t place = first * kVocab + i, row = i / kVocab;
        if (expected.ids[place] < 0) continue;
        EXPECT_EQ(found[row * kVocab + static_cast<size_t>(expected.ids[place])], expected.log_probs[place]);
      }
    }
  }
  EXPECT_EQ(rows->info().vocab, kVocab);
  EXPECT_EQ(rows->info().max_length, 320);
}

/// Models with tensors of every kind.
std::vector<RandomModel> models_with_all_tensors() {
  TransformerOptions options = small_options();
  options.positions = architecture::Positions::kLearned;
  options.cross_attention = architecture::CrossAttention::kWeighted;
  options.tying = architecture::Tying::kNone;
  options.embedding_norm = true;
  std::vector<RandomModel> models{test::random_model(options, 2)};
  const std::set<std::string> without{"full", "dot", "window", "rms", "gated", "rotary"};  // have no others
  for (Kind kind : kinds()) {
    if (without.contains(kind.name)) continue;
    kind.options.tying = architecture::Tying::kNone;
    models.push_back(test::random_model(kind.options, 2));
  }
  return models;
}

/// Calls check(model, tensor) for each name of a tensor, with the first model that has it.
template <typename Check>
void for_each_tensor(const Check& check) {
  std::set<std::string> checked;
  for (const RandomModel& model : models_with_all_tensors()) {
    const model::Safetensors file = model.file();  // keeps the names
    for (const model::TensorView& tensor : file.tensors()) {
      if (checked.insert(tensor.name).second) check(model, tensor);
    }
  }
}

class EnginePrecision : public testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, EnginePrecision,
                         testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8));

TEST_P(EnginePrecision, ANaNInAnyTensorIsSeenInTheLogProbabilities) {
  const Ids source{5, 6, 7}, parents{0}, last_ids{kBos};
  for_each_tensor([&](const RandomModel& model, const model::TensorView& tensor) {
    if (tensor.name.ends_with("lut.weight")) return;  // only the token of its row would show it
    if (tensor.name.find(".experts.") != std::string::npos) return;  // and only a token that takes the expert
    RandomModel changed = model;
    changed.weights = test::with_value(model.weights, tensor.name, std::numeric_limits<float>::quiet_NaN());
    const auto scorer = factory_of(changed, GetParam())->make();
    scorer->admit(std::vector<std::span<const int32_t>>{source});
    const auto found = scorer->advance(request_of(parents, last_ids));
    EXPECT_TRUE(std::isnan(found.log_probs[0]) && found.ids[0] >= 0) << tensor.name;
  });
}

TEST(EngineFactoryInfo, IsThatOfTheModel) {
  const auto made = factory_of(test::random_model(small_options(), 1));
  const decoding::ScorerInfo info = made->make()->info();
  EXPECT_EQ(info.bos, kBos);
  EXPECT_EQ(info.eos, kEos);
  EXPECT_EQ(info.vocab, kVocab);
  EXPECT_EQ(info.max_length, 320);
  EXPECT_EQ(made->make_pair_scorer()->max_length(), 320);
  EXPECT_EQ(made->make_pair_scorer()->attention_shape().layers, 2);
  EXPECT_EQ(made->make_pair_scorer()->attention_shape().heads, 2);
}

TEST(EngineFactoryInfo, UnkIsAContinuationOnlyIfItIsAllowed) {
  const RandomModel model = test::random_model(small_options(), 1);
  for (const bool allow : {false, true}) {
    const auto scorer = make_factory(model.config, model.file(), {Precision::kF32, allow})->make();
    const Ids source{5}, parents{0}, last_ids{kBos};
    scorer->admit(std::vector<std::span<const int32_t>>{source});
    const auto found = scorer->advance(request_of(parents, last_ids, kVocab));
    EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), 1), allow ? 1 : 0);
    EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), 0), 0);
    EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), kBos), 0);
  }
}

std::string unsupported_family(architecture::ArchitecturePtr architecture) {
  model::ModelConfig config;
  config.architecture = std::move(architecture);
  return unsupported(config);
}

TEST(EngineSupport, TransformersAreSupportedAndOtherFamiliesAreNamed) {
  for (const Kind& kind : kinds()) EXPECT_EQ(unsupported(test::random_model(kind.options, 1).config), "");
  EXPECT_EQ(unsupported_family(std::make_shared<architecture::RnnArchitecture>()), "the family 'rnn'");
  EXPECT_EQ(unsupported_family(std::make_shared<test::OtherArchitecture>()), "the family 'other'");
  architecture::NatOptions nat;
  nat.transformer.self_attention = SelfAttention::kWindow;
  EXPECT_EQ(unsupported_family(std::make_shared<architecture::NatArchitecture>(nat)),
            "self_attention other than 'full' and 'low_rank' in the family 'transformer-nat'");
}

/// The model with one tensor changed by change(), which returns false to leave it out.
template <typename Change>
RandomModel with_tensor(const RandomModel& model, const std::string& name, const Change& change) {
  const model::Safetensors file = model.file();
  std::vector<model::TensorView> views;
  for (model::TensorView tensor : file.tensors()) {
    if (tensor.name != name || change(tensor)) views.push_back(tensor);
  }
  return {model.config, model::write_safetensors(views, file.metadata())};
}

TEST(EngineWeights, AMissingTensorIsNamed) {
  for_each_tensor([](const RandomModel& model, const model::TensorView& tensor) {
    const auto changed = with_tensor(model, tensor.name, [](model::TensorView&) { return false; });
    EXPECT_FAILS(factory_of(changed), ModelError, tensor.name);
  });
}

TEST(EngineWeights, ATensorOfAnotherTypeIsNamed) {
  for_each_tensor([](const RandomModel& model, const model::TensorView& tensor) {
    const auto changed = with_tensor(model, tensor.name, [](model::TensorView& view) {
      view.dtype = model::DType::kF16;
      view.bytes = view.bytes.substr(0, view.bytes.size() / 2);
      return true;
    });
    EXPECT_FAILS(factory_of(changed), ModelError,
                 "weights: " + tensor.name + ": expected an F32 or BF16 tensor, found F16");
  });
}

TEST(EngineWeights, ATensorOfAnotherShapeIsNamed) {
  for_each_tensor([](const RandomModel& model, const model::TensorView& tensor) {
    const std::vector<int64_t> other{1, tensor.elements(), 1};
    const auto changed = with_tensor(model, tensor.name, [&](model::TensorView& view) {
      view.shape = other;
      return true;
    });
    EXPECT_FAILS(factory_of(changed), ModelError,
                 "weights: " + tensor.name + ": expected shape " + model::shape_text(tensor.shape) + ", found " +
                     model::shape_text(other));
  });
}

/// The weights cut to bfloat16: as tensors of this type, or as f32.
RandomModel cut_to_bf16(const RandomModel& model, model::DType type) {
  const model::Safetensors file = model.file();
  std::vector<model::TensorView> views = file.tensors();
  std::list<std::string> memory;
  for (model::TensorView& tensor : views) {
    std::string& bytes = memory.emplace_back();
    for (size_t i = 0; i < tensor.bytes.size(); i += 4) {
      if (type == model::DType::kF32) bytes += std::string(2, '\0');
      bytes += tensor.bytes.substr(i + 2, 2);
    }
    tensor.dtype = type;
    tensor.bytes = bytes;
  }
  return {model.config, model::write_safetensors(views, file.metadata())};
}

TEST(EngineWeights, MayBeStoredInBfloat16) {
  const RandomModel model = models_with_all_tensors().front();
  const auto tasks = random_tasks(7);
  EXPECT_EQ(log_probs(*factory_of(cut_to_bf16(model, model::DType::kBf16))->make(), tasks),
            log_probs(*factory_of(cut_to_bf16(model, model::DType::kF32))->make(), tasks));
}

TEST(EngineWeights, LayersThatAreTooWideForInt8AreRefused) {
  RandomModel model = test::random_model(small_options(), 1);
  TransformerOptions options = small_options();
  options.d_ff = 65537;
  model.config.architecture = std::make_shared<architecture::TransformerArchitecture>(options);
  EXPECT_FAILS(factory_of(model, Precision::kInt8), ConfigError,
               "precision int8: takes layers of at most 65536 inputs, but this model has 65537; use f32 or bf16");
}

TEST(EngineScorer, RefusesSentencesThatAreEmptyOrTooLongAndUnknownIds) {
  const auto scorer = factory_of(test::random_model(small_options(), 1))->make();
  const auto admit = [&](const Ids& source) { scorer->admit(std::vector<std::span<const int32_t>>{source}); };
  EXPECT_FAILS(admit({}), std::invalid_argument, "a sentence is empty, or longer than the model allows");
  EXPECT_FAILS(admit(Ids(321, 5)), std::invalid_argument, "a sentence is empty, or longer than the model allows");
  for (const int32_t id : {-1, 37}) {
    EXPECT_FAILS(admit({5, id}), std::invalid_argument, "an id is outside the vocabulary");
  }
}

TEST(EngineScorer, RefusesRequestsThatDoNotFitItsRows) {
  TransformerOptions options = small_options();
  options.max_positions = 2;
  const auto scorer = factory_of(test::random_model(options, 1))->make();
  const Ids source{5}, row{0}, two{0, 0}, bos{kBos}, unknown{kVocab};
  scorer->admit(std::vector<std::span<const int32_t>>{source});
  EXPECT_FAILS(scorer->advance(request_of(row, unknown)), std::invalid_argument, "an id is outside the vocabulary");
  EXPECT_FAILS(scorer->advance(request_of(two, bos)), std::invalid_argument, "expected one id for each row");
  scorer->advance(request_of(row, bos));
  scorer->advance(request_of(row, source));
  EXPECT_FAILS(scorer->advance(request_of(row, source)), std::invalid_argument, "longer than the model allows");
}

TEST(EnginePairs, HaveTheSameAnswersInLargeGroupsAndAlone) {
  const auto scorer = factory_of(test::random_model(small_options(), 1))->make_pair_scorer();
  RandomNumbers random(9);
  std::vector<Ids> sources, targets;
  for (int64_t i = 0; i < 40; ++i) {
    sources.push_back(random_ids(random, random.between(1, 320), 37));
    targets.push_back(random_ids(random, random.between(0, 90), kVocab));
  }
  std::vector<Pair> pairs;
  for (size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i], i % 3 > 0});
  const PairQuestion question{.log_probs = true, .attention = true, .layer = 1, .head = -1};
  const auto all = scorer->answer(pairs, question);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto alone = scorer->answer(std::span(pairs).subspan(i, 1), question).front();
    EXPECT_EQ(all[i].log_probs, alone.log_probs);
    EXPECT_EQ(all[i].attention, alone.attention);
    EXPECT_EQ(alone.attention.size(), pairs[i].tokens() * sources[i].size());
  }
}

TEST(EnginePairs, MayBeAsLongAsTheModelAllows) {
  TransformerOptions options = small_options();
  options.max_positions = 8;
  const auto scorer = factory_of(test::random_model(options, 3))->make_pair_scorer();
  const auto answer = [&](size_t source, size_t target, bool ends) {
    const Ids source_ids(source, 5), target_ids(target, 6);
    return scorer->answer(std::vector<Pair>{{source_ids, target_ids, ends}}, {}).front().log_probs.size();
  };
  EXPECT_EQ(answer(8, 7, true), 8U);
  EXPECT_EQ(answer(8, 8, false), 8U);  // a target that was cut has no eos
  EXPECT_EQ(answer(1, 0, false), 0U);
  EXPECT_FAILS(answer(9, 1, true), std::invalid_argument, "longer than the model allows");
  EXPECT_FAILS(answer(1, 8, true), std::invalid_argument, "longer than the model allows");
  EXPECT_FAILS(answer(1, 9, false), std::invalid_argument, "longer than the model allows");
  EXPECT_FAILS(answer(0, 1, true), std::invalid_argument, "a source has no tokens");
}

TEST(EnginePairs, HaveAttentionOnlyOfTheModelsLayersAndHeads) {
  const auto scorer = factory_of(test::random_model(small_options(), 3))->make_pair_scorer();
  const Ids source{5, 6, 7}, target{8, 9};
  const std::vector<Pair> pairs{{source, target}};
  const auto ask = [&](int64_t layer, int64_t head) {
    return scorer->answer(pairs, {.log_probs = false, .attention = true, .layer = layer, .head = head}).front();
  };
  for (int64_t head = -1; head < 2; ++head) {
    EXPECT_EQ(ask(1, head).attention.size(), 9U);
    EXPECT_TRUE(ask(1, head).log_probs.empty());
  }
  EXPECT_FAILS(ask(2, 0), std::invalid_argument, "no attention of layer");
  EXPECT_FAILS(ask(-1, 0), std::invalid_argument, "no attention of layer");
  EXPECT_FAILS(ask(0, 2), std::invalid_argument, "no attention of layer");
}

}  // namespace
}  // namespace ventris::engine
