#include "training/learner.h"

#include <cmath>
#include <utility>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "core/error.h"
#include "core/process.h"
#include "core/random.h"
#include "preparation/training_data.h"
#include "training/schedule.h"

namespace ventris::training {
namespace {

constexpr int64_t kLateUpdate = 1LL << 40;  // losses that begin during a run have all their parts

}  // namespace

Learner::Learner(const settings::RunConfig& config, const model::Package& package,
                 const std::optional<InitialWeights>& initial, std::shared_ptr<distributed::ProcessGroup> group)
    : group_(std::move(group)),
      config_(config),
      architecture_(package.config.architecture),
      task_(make_task(config, package)),
      device_(config.training.device) {
  torch::manual_seed(config_.training.seed);
  model_ = make();
  if (initial) set_initial_weights(*model_, *initial);
  evaluated_ = make();
  model_->to(device_);
  evaluated_->to(device_);
  evaluated_->eval();
  const auto parameters = distinct_named_parameters(*model_);
  if (config_.training.ema_decay > 0) ema_ = std::make_unique<Ema>(parameters, config_.training.ema_decay);
  const auto& kept = ema_ ? ema_->average() : parameters;
  share_parameters(kept, distinct_named_parameters(*evaluated_));
  optimizer_ = std::make_unique<Adam>(parameters, config_.training.optimizer);
}

nn::Model Learner::make() const { return backend::make_module(*architecture_); }

void Learner::load(const run::Checkpoint& checkpoint) {
  backend::load_weights(*model_, checkpoint.weights);
  optimizer_->load(checkpoint.optimizer);
  if (ema_ && !checkpoint.ema)
    fail<ModelError>(checkpoint.path, ": has no ema.safetensors, although training.ema_decay is set");
  if (ema_) ema_->load(*checkpoint.ema);
}

void Learner::share() {
  const bool leads = group_->leads();
  const std::string weights_now = group_->broadcast(leads ? weights() : "");
  const std::string moments_now = group_->broadcast(leads ? moments() : "");
  const std::string average_now = group_->broadcast(leads ? average() : "");
  if (leads) return;
  const std::string from = "rank 0";
  backend::load_weights(*model_, model::Safetensors::parse(weights_now, from));
  optimizer_->load(model::Safetensors::parse(moments_now, from));
  if (ema_) ema_->load(model::Safetensors::parse(average_now, from));
}

void Learner::start(const data::PairStore& pairs, data::StepOptions steps, data::Position position) {
  steps.parts = replicas() * group_->size();
  steps.first_part = replicas() * group_->rank();
  steps.own_parts = replicas();
  make_replicas();
  steps_ = std::make_unique<data::Prefetcher>(pairs, preparation::batch_options(config_, pairs), task_.batches, steps,
                                              position);
}

void Learner::make_replicas() {
  const PassOptions options{device_, config_.training.uses_bf16()};
  replicas_ =
      std::make_unique<Replicas>(model_, replicas(), [this] { return make(); }, task_.objective, options, group_);
}

void Learner::try_batch(const data::PairStore& pairs, const data::StepOptions& steps,
                        const std::vector<uint32_t>& numbers) {
  if (!replicas_) make_replicas();
  std::vector<data::Batch> parts;
  for (const std::vector<uint32_t>& part : data::split_pairs(numbers, replicas())) {
    std::vector<data::SentencePair> examples = data::read_pairs(pairs, part);
    for (size_t i = 0; steps.sampler && i < part.size(); ++i) {  // a repeated pair is drawn as in another epoch
      steps.sampler->redraw(examples[i], part[i], pairs.summary().place_of(part[i]).tag_tokens, i);
    }
    parts.push_back(task_.batches->make(examples, {pairs, part}));
    parts.back().update = kLateUpdate;
  }
  if (config_.training.accumulate > 1) replicas_->run(parts, config_.training.seed, Pass::kMoreFollow);
  replicas_->run(parts, config_.training.seed);
  replicas_->take_gradients(0);
}

PassResult Learner::pass(int64_t number, data::Position& next) {
  PassResult sum;
  const int64_t batches = config_.training.accumulate;
  for (int64_t i = 0; i < batches; ++i) {
    if (const int signal = core::stop_signal(); signal != 0 && i > 0 && group_->size() == 1) {
      throw Interrupted(signal, "stopped by a signal between two batches of an update");  // resuming repeats it
    }
    data::Step step = steps_->next();
    for (data::Batch& part : step.parts) part.update = number;
    const uint64_t seed =
        core::derive_seed(config_.training.seed, static_cast<uint64_t>(number), static_cast<uint64_t>(i));
    sum += replicas_->run(step.parts, seed, i + 1 < batches ? Pass::kMoreFollow : Pass::kLast);
    next = step.next;
  }
  return sum;
}

double Learner::learn(const PassResult& pass) {
  const double clip_norm = config_.training.clip_norm;
  const auto gradients = replicas_->take_gradients(1.0 / (pass.target_weight > 0 ? pass.target_weight : 1));
  const double norm = global_norm(gradients);
  if (!std::isfinite(norm) || !std::isfinite(pass.loss)) return norm;
  if (clip_norm > 0 && norm > clip_norm) at::_foreach_mul_(gradients, clip_norm / norm);
  optimizer_->step(
      gradients, training::learning_rate(config_.training.schedule, optimizer_->updates() + 1, architecture_->width()));
  if (ema_) ema_->update();
  return norm;
}

double Learner::learning_rate() const {
  return training::learning_rate(config_.training.schedule, optimizer_->updates(), architecture_->width());
}

std::string Learner::weights() const { return backend::save_weights(*model_); }

int64_t Learner::parameter_count() const {
  int64_t count = 0;
  for (const auto& parameter : optimizer_->parameters()) count += parameter.value.numel();
  return count;
}

}  // namespace ventris::training
