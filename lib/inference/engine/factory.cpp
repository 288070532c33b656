#include "engine/factory.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "decoding/pair_rows.h"
#include "decoding/row_scorer.h"
#include "engine/given_targets.h"
#include "engine/nat_scorer.h"
#include "engine/needs.h"
#include "engine/output_layer.h"
#include "engine/packed_file.h"
#include "engine/shortlist.h"
#include "engine/steps.h"

namespace ventris::engine {
namespace {

using layers::pack_weights;

/// A model that several threads share.
struct SharedModel {
  TransformerWeights weights;
  core::SpecialIds ids;
  std::vector<int32_t> never;
  std::unique_ptr<const Shortlist> shortlist;  // null = none
};
using Model = std::shared_ptr<const SharedModel>;

int64_t max_length(const SharedModel& model) { return model.weights.options.max_positions; }

decoding::ScorerInfo info_of(const SharedModel& model) {
  const architecture::TransformerOptions& options = model.weights.options;
  return {model.ids.bos, model.ids.eos, static_cast<int32_t>(options.tgt_vocab), max_length(model),
          memory_needs(options)};
}

/// A model with the memory of one thread for its steps. `Interface` is what it is used as.
template <typename Interface>
class ModelScorer : public Interface {
 protected:
  explicit ModelScorer(Model model)
      : model_(std::move(model)),
        steps_(arithmetic::kernels(), model_->weights),
        output_(arithmetic::kernels(), model_->weights.generator, model_->never, model_->ids.eos) {}

  Model model_;
  Steps steps_;
  Output output_;
};

class EngineScorer : public ModelScorer<decoding::StepScorer> {
 public:
  explicit EngineScorer(Model model) : ModelScorer(std::move(model)) {
    if (model_->shortlist != nullptr) rows_.emplace(*model_->shortlist);
  }

  decoding::ScorerInfo info() const override {
    decoding::ScorerInfo info = info_of(*model_);
    info.refills = true;
    if (rows_) info.memory.sentence += rows_->most_memory();
    return info;
  }
  void reset() override {
    steps_.reset();
    if (rows_) rows_->reset();
  }
  void release() override {
    steps_.release();
    output_.release();
    if (rows_) rows_.emplace(*model_->shortlist);
  }
  void admit(std::span<const std::span<const int32_t>> sources) override {
    steps_.admit(sources);
    if (rows_) rows_->admit(sources);
  }
  decoding::Continuations advance(const decoding::StepRequest& request) override {
    steps_.follow(request.parents);
    const float* states = steps_.run(request.last_ids);
    if (!rows_) return output_.best(states, request);
    rows_->follow(request.parents);
    rows_->allow(request);
    return output_.best(states, request, rows_->parts());
  }

 private:
  std::optional<ShortlistRows> rows_;  // none without a shortlist
};

/// For ensembles.
class EngineRowScorer : public ModelScorer<decoding::RowScorer> {
 public:
  explicit EngineRowScorer(Model model) : ModelScorer(std::move(model)) {}

  decoding::ScorerInfo info() const override { return info_of(*model_); }
  void reset() override { steps_.reset(); }
  void admit(std::span<const std::span<const int32_t>> sources) override { steps_.admit(sources); }
  void step(std::span<const int32_t> parents, std::span<const int32_t> last_ids) override {
    steps_.follow(parents);
    states_ = steps_.run(last_ids);
  }
  std::span<const float> log_probs(size_t first, size_t count) override {
    log_probs_.resize(count * static_cast<size_t>(model_->weights.options.tgt_vocab));
    output_.log_probs(states_ + first * static_cast<size_t>(model_->weights.options.d_model),
                      static_cast<int64_t>(count), log_probs_.data());
    return log_probs_;
  }

 private:
  const float* states_ = nullptr;  // of the last step: [rows, d_model]
  std::vector<float> log_probs_;
};

/// Computes given targets token by token, for kinds of self-attention that need it.
class EnginePairScorer : public ModelScorer<decoding::PairScorer> {
 public:
  explicit EnginePairScorer(Model model) : ModelScorer(std::move(model)) {}

  int64_t max_length() const override { return engine::max_length(*model_); }
  decoding::MemoryNeeds memory() const override { return pair_memory_needs(model_->weights.options); }
  decoding::AttentionShape attention_shape() const override {
    return {model_->weights.options.decoder_layers, model_->weights.decoder_options.heads};
  }
  std::vector<decoding::PairAnswer> answer(std::span<const decoding::Pair> pairs,
                                           const decoding::PairQuestion& question) override;

 private:
  void answer_group(std::span<const decoding::Pair> pairs, const decoding::PairQuestion& question,
                    std::span<decoding::PairAnswer> answers);
};

std::vector<decoding::PairAnswer> EnginePairScorer::answer(std::span<const decoding::Pair> pairs,
                                                           const decoding::PairQuestion& question) {
  decoding::check_pairs(pairs, question, attention_shape(), max_length());
  std::vector<decoding::PairAnswer> answers(pairs.size());
  decoding::each_group(pairs, [&](size_t first, size_t count) {
    core::throw_if_stopped("scoring");
    answer_group(pairs.subspan(first, count), question, std::span(answers).subspan(first, count));
  });
  return answers;
}

void EnginePairScorer::answer_group(std::span<const decoding::Pair> pairs, const decoding::PairQuestion& question,
                                    std::span<decoding::PairAnswer> answers) {
  decoding::PairRows rows(pairs);
  const int64_t heads = model_->weights.decoder_options.heads;
  const auto keep = [&](size_t row, const float* weights, int64_t length) {
    std::vector<float>& attention = answers[rows.pairs()[row]].attention;
    for (int64_t j = 0; j < length; ++j) {
      float sum = 0;
      for (int64_t head = 0; head < heads; ++head) {
        if (question.head < 0 || head == question.head) sum += weights[head * length + j];
      }
      attention.push_back(question.head < 0 ? sum / static_cast<float>(heads) : sum);
    }
  };
  steps_.watch(question.attention ? question.layer : -1, question.attention ? Steps::Watch(keep) : Steps::Watch());
  steps_.reset();
  steps_.admit(rows.sources());
  for (size_t position = 0; rows.follow(position, model_->ids.bos, model_->ids.eos); ++position) {
    steps_.follow(rows.parents());
    const float* states = steps_.run(rows.last_ids());
    if (!question.log_probs) continue;
    const std::vector<float> found = output_.log_probs_of(states, rows.next_ids());
    for (size_t row = 0; row < found.size(); ++row) answers[rows.pairs()[row]].log_probs.push_back(found[row]);
  }
  steps_.watch(-1, {});
}

class EngineFactory : public decoding::ScorerFactory {
 public:
  explicit EngineFactory(Model model) : model_(std::move(model)) {}
  std::unique_ptr<decoding::StepScorer> make() const override { return std::make_unique<EngineScorer>(model_); }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    if (!layers::sees_prefixes_at_once(model_->weights.options)) return std::make_unique<EnginePairScorer>(model_);
    return make_given_targets({model_, &model_->weights}, model_->ids);
  }
  std::unique_ptr<decoding::RowScorer> make_row_scorer() const override {
    return std::make_unique<EngineRowScorer>(model_);
  }

 private:
  Model model_;
};

using architecture::NatArchitecture;
using architecture::TransformerArchitecture;

const architecture::NatOptions* nat_options(const model::ModelConfig& config) {
  const auto* nat = dynamic_cast<const NatArchitecture*>(config.architecture.get());
  return nat == nullptr ? nullptr : &nat->options;
}

ModelShape shape_of(const model::ModelConfig& config) {
  if (const auto* nat = nat_options(config)) return *nat;
  const auto* transformer = dynamic_cast<const TransformerArchitecture*>(config.architecture.get());
  if (transformer == nullptr) throw std::invalid_argument("engine::make_factory: not a Transformer");
  return transformer->options;
}

std::unique_ptr<decoding::ScorerFactory> nat_factory(const model::ModelConfig& config,
                                                     const architecture::NatOptions& nat, TransformerWeights weights,
                                                     const EngineOptions& options) {
  if (options.lexicon != nullptr) {
    fail<ConfigError>("shortlist: is only for models that write token by token; leave it out");
  }
  const architecture::TransformerOptions& layers = nat.transformer;
  auto model = std::make_shared<NatModel>();
  model->weights = std::move(weights);
  model->info = {nat,
                 config.tokenizer.ids,
                 config.tokenizer.ids.never(options.allow_unk),
                 layers.max_positions,
                 {layers.decoder_layers, layers.decoder_side().heads},
                 kNatPositions,
                 nat_memory_needs(nat),
                 nat_pair_memory_needs(nat)};
  return nat::make_nat_factory([model] { return make_nat_scorer(model); });
}

std::unique_ptr<decoding::ScorerFactory> factory_of(const model::ModelConfig& config, TransformerWeights weights,
                                                    const EngineOptions& options) {
  if (const auto* nat = nat_options(config)) return nat_factory(config, *nat, std::move(weights), options);
  auto model = std::make_shared<SharedModel>();
  model->weights = std::move(weights);
  model->ids = config.tokenizer.ids;
  model->never = model->ids.never(options.allow_unk);
  if (options.lexicon != nullptr) {
    std::vector<int32_t> always{model->ids.eos};
    if (options.allow_unk) always.push_back(model->ids.unk);
    model->shortlist = std::make_unique<Shortlist>(model->weights.generator, options.lexicon, options.shortlist, always,
                                                   config.tokenizer.shared);
  }
  return std::make_unique<EngineFactory>(std::move(model));
}

}  // namespace

std::string unsupported(const model::ModelConfig& config) {
  using architecture::SelfAttention;
  const std::string family = config.architecture->family();
  if (family == "transformer") return "";
  if (family != "transformer-nat") return "the family '" + family + "'";
  const auto* nat = nat_options(config);
  const bool whole = nat != nullptr && (nat->transformer.self_attention == SelfAttention::kFull ||
                                        nat->transformer.self_attention == SelfAttention::kLowRank);
  return whole ? "" : "self_attention other than 'full' and 'low_rank' in the family 'transformer-nat'";
}

std::unique_ptr<decoding::ScorerFactory> make_factory(const model::ModelConfig& config,
                                                      const model::Safetensors& weights, const EngineOptions& options) {
  return factory_of(config, pack_weights(shape_of(config), weights, options.precision), options);
}

std::unique_ptr<decoding::ScorerFactory> make_packed_factory(const model::ModelConfig& config,
                                                             const model::Safetensors& packed,
                                                             const EngineOptions& options) {
  return factory_of(config, from_packed(shape_of(config), packed), options);
}

std::string pack_bundle(const model::Bundle& bundle, Precision precision) {
  const model::ModelConfig& config = bundle.package.config;
  if (const std::string reason = unsupported(config); !reason.empty()) {
    fail<ModelError>(bundle.package.path, ": cannot be packed: the engine does not support ", reason,
                     "; use --format torchscript");
  }
  return to_packed(pack_weights(shape_of(config), bundle.weights, precision));
}

}  // namespace ventris::engine
