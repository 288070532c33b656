#include "training/trainer.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "backend/module_weights.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/process.h"
#include "core/random.h"
#include "data/prefetcher.h"
#include "training/adam.h"
#include "training/ema.h"
#include "training/kept_models.h"
#include "training/model_keeper.h"
#include "training/observer.h"
#include "training/replicas.h"
#include "training/run_setup.h"
#include "training/saver.h"
#include "training/schedule.h"
#include "training/training_data.h"
#include "training/validation.h"

namespace ventris::training {
namespace {

/// A run in memory, from its setting up to its end.
class Trainer {
 public:
  Trainer(const RunConfig& config, const OpenedRun& run, const Tokenizers& tokenizers);
  void loop();

 private:
  nn::EncoderDecoder make() const { return nn::make_model(backend::to_options(package_.config.transformer)); }
  void take_checkpoint(const Checkpoint& checkpoint);
  void update();
  void run_to_the_end();
  void handle_what_is_due();
  void apply(const PassResult& pass);
  ValidationResult validation_result(nn::EncoderDecoder& model);
  void validate();
  Saver::Save snapshot();
  void save_if_possible();
  void save_now();
  void finish();
  void average_models();
  bool better(double value) const;
  bool out_of_patience() const;
  bool done() const;

  RunConfig config_;
  RunFolder folder_;
  model::Package package_;
  std::unique_ptr<const data::PairStore> pairs_;
  std::optional<Validator> validator_;
  TrainingState state_;
  Window window_;
  torch::Device device_;
  nn::EncoderDecoder model_{nullptr};       // trains, is replica 0
  nn::EncoderDecoder evaluated_{
      nullptr};   // what is validated and kept, in eval mode: the same weights, or their average
  std::unique_ptr<Ema> ema_;                // null = none is kept
  std::unique_ptr<Adam> optimizer_;
  std::unique_ptr<Replicas> replicas_;
  std::unique_ptr<data::Prefetcher> steps_;
  std::unique_ptr<Observer> observer_;
  double sitting_started_ = 0;    // seconds
  double minutes_before_ = 0;     // of earlier sittings
  std::unique_ptr<ModelKeeper> keeper_;
  Saver saver_;
};

Trainer::Trainer(const RunConfig& config, const OpenedRun& run, const Tokenizers& tokenizers)
    : config_(config),
      folder_(run.folder),
      package_(package_of(config, tokenizers)),
      pairs_(load_training_pairs(config, tokenizers)),
      device_(config.training.device) {
  const TrainingConfig& training = config_.training;
  if (!config_.data.valid.source.empty()) validator_.emplace(config_, tokenizers.source, tokenizers.target);
  torch::manual_seed(training.seed);
  model_ = make();
  if (run.base) backend::load_weights(*model_, run.base->weights);
  evaluated_ = make();
  model_->to(device_);
  evaluated_->to(device_);
  evaluated_->eval();
  const auto parameters = distinct_named_parameters(*model_);
  if (training.ema_decay > 0) ema_ = std::make_unique<Ema>(parameters, training.ema_decay);
  const auto& kept = ema_ ? ema_->average() : parameters;
  const auto shared = distinct_named_parameters(*evaluated_);
  for (size_t i = 0; i < shared.size(); ++i) shared[i].value.set_data(kept[i].value.detach());
  optimizer_ = std::make_unique<Adam>(parameters, training.optimizer);
  keeper_ = std::make_unique<ModelKeeper>(config_, folder_, package_, evaluated_);
  if (run.checkpoint) take_checkpoint(*run.checkpoint);

  PassOptions pass;
  pass.label_smoothing = training.label_smoothing;
  pass.pad = text::SpecialIds{}.pad;
  pass.device = device_;
  pass.bf16 = training.uses_bf16();
  pass.word_dropout = training.word_dropout;
  pass.r_drop = training.r_drop;
  const int replicas = device_.is_cuda() ? 1 : static_cast<int>(training.threads);
  replicas_ = std::make_unique<Replicas>(model_, replicas, [this] { return make(); }, pass);
  steps_ = std::make_unique<data::Prefetcher>(*pairs_, batch_options(config_, *pairs_), text::SpecialIds{},
                                              step_options(config_, tokenizers, replicas), state_.position);

  int64_t count = 0;
  for (const auto& parameter : parameters) count += parameter.value.numel();
  core::log_info(fmt::format("{} parameters, {} pairs, {} target tokens, {} replica(s) on {}", count, pairs_->size(),
                             pairs_->summary().target_tokens + static_cast<int64_t>(pairs_->size()), replicas,
                             training.device));
}

void Trainer::take_checkpoint(const Checkpoint& checkpoint) {
  backend::load_weights(*model_, checkpoint.weights);
  optimizer_->load(checkpoint.optimizer);
  if (ema_ && !checkpoint.ema)
    fail<ModelError>(checkpoint.path, ": has no ema.safetensors, though training.ema_decay is set");
  if (ema_) ema_->load(*checkpoint.ema);
  state_ = checkpoint.state;
  window_ = checkpoint.state.window;
  minutes_before_ = state_.progress.minutes;
  core::log_info(fmt::format("going on from {} (update {})", checkpoint.path, state_.progress.updates));
  keeper_->forget_lost(state_);
  check_conditions(checkpoint, conditions(config_, *pairs_));
}

bool Trainer::out_of_patience() const {
  return config_.validation.patience > 0 && state_.stalled >= config_.validation.patience;
}

bool Trainer::done() const { return config_.training.after.reached(state_.progress) || out_of_patience(); }

void Trainer::loop() {
  sitting_started_ = core::seconds_now();
  observer_ = std::make_unique<Observer>(folder_.metrics(), state_);
  try {
    run_to_the_end();
  } catch (const Interrupted& stop) {  // after an update, or in a validation
    save_now();
    throw Interrupted(stop.signal,
                      fmt::format("stopped by signal {} after update {}; the same command goes on from there",
                                  stop.signal, state_.progress.updates));
  }
}

void Trainer::run_to_the_end() {
  handle_what_is_due();  // what a stop by a signal had left
  if (done() && state_.finished) {
    core::log_info(out_of_patience()
                       ? "this run is finished: its patience is at an end; a larger validation.patience (--patience), "
                         "or 0, would go on with it"
                       : "this run is finished; a larger training.after (--after) would go on with it");
    if (!std::filesystem::exists(folder_.final())) keeper_->write_final(state_);
    if (!std::filesystem::exists(folder_.averaged())) average_models();
    return;
  }
  state_.finished = false;
  while (!done()) {
    update();
    observer_->update(state_.progress, window_, config_.training.after.share(state_.progress));
    if (const int signal = core::stop_signal(); signal != 0) throw Interrupted(signal, "");
    handle_what_is_due();
  }
  finish();
}

/// Reports, validates and saves if the updates since the last time call for it. A validation that a signal cuts short
/// is still due when the run goes on.
void Trainer::handle_what_is_due() {
  const Progress before = std::exchange(state_.handled, state_.progress);
  const Progress& now = state_.progress;
  if (config_.training.report_every.due(before, now)) {
    observer_->report(now, window_,
                      learning_rate(config_.training.schedule, optimizer_->updates(), config_.model.d_model));
    window_ = {};
  }
  state_.validation_due = validator_ && (state_.validation_due || config_.validation.every.due(before, now));
  if (state_.validation_due) validate();
  const bool sound = state_.bad_in_a_row == 0;  // weights that are about to diverge take no good checkpoint's place
  if (!sound || !config_.training.save_every.due(before, now)) return;
  if (!validator_) keeper_->keep(state_, {});
  save_if_possible();
}

void Trainer::update() {
  PassResult pass;
  const auto number = static_cast<uint64_t>(state_.progress.updates);
  for (int64_t part = 0; part < config_.training.accumulate; ++part) {
    const data::Step step = steps_->next();
    const PassResult result =
        replicas_->run(step.parts, core::derive_seed(config_.training.seed, number, static_cast<uint64_t>(part)));
    pass.loss += result.loss;
    pass.nll += result.nll;
    pass.target_tokens += result.target_tokens;
    pass.target_weight += result.target_weight;
    state_.position = step.next;
  }
  apply(pass);
  state_.progress.epoch = state_.position.epoch;
  state_.progress.updates += 1;
  state_.progress.tokens += pass.target_tokens;
  state_.progress.minutes = minutes_before_ + (core::seconds_now() - sitting_started_) / 60;
}

/// The optimiser's part of an update. A step whose loss or gradient is not finite changes nothing and is counted.
void Trainer::apply(const PassResult& pass) {
  const TrainingConfig& training = config_.training;
  const auto gradients = replicas_->take_gradients(1.0 / (pass.target_weight > 0 ? pass.target_weight : 1));
  const double norm = global_norm(gradients);
  if (!std::isfinite(norm) || !std::isfinite(pass.loss)) {
    state_.bad_updates += 1;
    state_.bad_in_a_row += 1;
    core::log_warning(fmt::format("update {}: loss {} and gradient norm {} are not finite; skipped ({} in all)",
                                  state_.progress.updates + 1, pass.loss, norm, state_.bad_updates));
    if (state_.bad_in_a_row >= training.max_bad_updates) {
      fail<DivergedError>(
          "training diverged: ", state_.bad_in_a_row, " updates in a row were not finite ",
          "(training.max_bad_updates); begin anew (--overwrite) with a lower learning rate or a longer warm-up");
    }
    return;
  }
  state_.bad_in_a_row = 0;
  if (training.clip_norm > 0 && norm > training.clip_norm) at::_foreach_mul_(gradients, training.clip_norm / norm);
  optimizer_->step(gradients, learning_rate(training.schedule, optimizer_->updates() + 1, config_.model.d_model));
  if (ema_) ema_->update();
  window_.updates += 1;
  window_.loss += pass.loss;
  window_.nll += pass.nll;
  window_.tokens += pass.target_tokens;
  window_.weight += pass.target_weight;
  window_.norm += norm;
}

ValidationResult Trainer::validation_result(nn::EncoderDecoder& model) {
  try {
    return validator_->run(model);
  } catch (const ModelError& error) {  // of the search, which found no number to go by
    fail<DivergedError>("training diverged: the model cannot translate the validation corpus: ", error.what(),
                        "; begin anew (--overwrite) with a lower learning rate or a longer warm-up");
  }
}

bool Trainer::better(double value) const {
  if (!std::isfinite(value)) return false;
  return !state_.best || (more_is_better(config_.validation.metric) ? value > *state_.best : value < *state_.best);
}

void Trainer::validate() {
  observer_->pause();
  const ValidationResult result = validation_result(evaluated_);
  const double value = result.value(config_.validation.metric);
  const bool best = better(value);
  state_.validations += 1;
  state_.last_validated = state_.progress.updates;
  state_.validation_due = false;
  state_.stalled = best ? 0 : state_.stalled + 1;
  if (best) keeper_->keep_best(state_, value);
  keeper_->keep(state_, value);
  observer_->validated(state_.progress, result, config_.validation.metric, best, state_.stalled);
  observer_->resume();
}

/// A copy of all that a checkpoint holds, on its way to disk. The bundles that its state speaks of are there before it.
Saver::Save Trainer::snapshot() {
  keeper_->settle();
  state_.progress.minutes = minutes_before_ + (core::seconds_now() - sitting_started_) / 60;
  state_.window = window_;
  state_.window.seconds = observer_->window_seconds();
  const bool shared = config_.tokenizer.shared;
  auto content = std::make_shared<const CheckpointContent>(CheckpointContent{
      state_, config_.to_json().dump(), conditions(config_, *pairs_), backend::save_weights(*model_),
      optimizer_->save(), package_.source_spm, shared ? "" : package_.target_spm, ema_ ? ema_->save() : ""});
  return [content, folder = folder_, keep = config_.training.keep_checkpoints] {
    save_checkpoint(folder, *content, keep);
  };
}

void Trainer::save_if_possible() {
  try {
    saver_.wait();  // before the copy: not two of them in memory
    saver_.begin(snapshot());
  } catch (const WriteError& error) {  // of a bundle
    core::log_warning(fmt::format("no checkpoint before the models are saved ({}); training goes on", error.what()));
  }
}

void Trainer::save_now() {
  saver_.wait();
  saver_.save_now(snapshot());
}

/// Makes averaged/ of the models that are kept for it, if that is wanted.
void Trainer::average_models() {
  const auto models = models_to_average(state_.models, config_);
  if (models.empty()) return;
  const std::string weights = keeper_->average(models);
  std::optional<ValidationResult> result;
  if (validator_) {
    const auto file = model::Safetensors::parse(weights, folder_.averaged());
    auto model = backend::load_module(package_.config.transformer, file);
    model->to(device_);
    result = validation_result(model);
  }
  const auto value = result ? std::optional(result->value(config_.validation.metric)) : std::nullopt;
  keeper_->write_averaged(state_, models, weights, value);
  observer_->averaged(state_.progress, models, result ? &*result : nullptr);
}

/// The checkpoint that says so comes last: a run killed before it writes the bundles again.
void Trainer::finish() {
  state_.validation_due = validator_ && state_.last_validated != state_.progress.updates;
  if (state_.validation_due) validate();
  if (!validator_) keeper_->keep(state_, {});
  keeper_->settle();
  keeper_->write_final(state_);
  average_models();
  state_.finished = true;
  save_now();
  core::log_info(fmt::format("done: {} updates, {} target tokens, {:.1f} minutes; bundles in {}",
                             state_.progress.updates, state_.progress.tokens, state_.progress.minutes,
                             validator_ ? folder_.best() + " and " + folder_.final() : folder_.final()));
}

}  // namespace

void train(const RunConfig& settings, const RunOptions& options) {
  RunConfig config = settings;
  if (config.data.training().empty()) {
    fail<ConfigError>(
        "data.train: no training corpus is given; use --train SOURCE TARGET, --train-tsv FILE or a settings file");
  }
  const bool piped = reads_standard_input(config.data);
  if (!piped) check_files(config.data);
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) fail<WriteError>(options.folder, ": cannot make the run folder: ", error.message());
  const core::FolderLock lock(options.folder);
  if (piped) {
    const RunFolder folder{options.folder};
    keep_standard_input(config.data, folder, !options.overwrite && std::filesystem::exists(folder.latest()));
    check_files(config.data);
  }
  at::set_num_threads(1);  // the replicas are the parallelism
  OpenedRun run = open_run(config, options);
  core::add_log_file(run.folder.log());
  for (const std::string& change : run.changes) core::log_info("changed setting: " + change);
  const Tokenizers tokenizers = prepare_tokenizers(config, run);
  Trainer trainer(config, run, tokenizers);
  begin_run(config, run);
  run.checkpoint.reset();  // what was in them is in the trainer
  run.base.reset();
  trainer.loop();
}

}  // namespace ventris::training
