#include "training/trainer.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "backend/module_weights.h"
#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "core/rethrow.h"
#include "files/paths.h"
#include "preparation/environment.h"
#include "preparation/text_fit.h"
#include "preparation/training_data.h"
#include "run/kept_models.h"
#include "run/model_keeper.h"
#include "run/observer.h"
#include "run/saver.h"
#include "run/validation_score.h"
#include "training/agreement.h"
#include "training/learner.h"
#include "training/prepared_run.h"
#include "training/shared_update.h"
#include "training/validation.h"

namespace ventris::training {
namespace {

constexpr double kSecondsBetweenTries = 30;  // between attempts to write a checkpoint

/// A run, from its set-up to its end.
class Trainer {
 public:
  /// Keeps a reference to the run.
  Trainer(const PreparedRun& run, std::shared_ptr<distributed::ProcessGroup> group);
  void loop();

 private:
  void run_or_save();
  void log_sizes() const;
  void take_checkpoint(const run::Checkpoint& checkpoint);
  void share_state();
  void update();
  void run_to_the_end();
  void handle_what_is_due();
  void apply(const PassResult& pass);
  void stop(const PeerError& error);
  run::ValidationResult validation_result(const nn::Model& model);
  void validate();
  run::Saver::Save snapshot();
  void save_if_possible();
  void save_now();
  void finish();
  void average_models();
  void warn_of_missing_models() const;
  bool is_best(const run::ValidationScore& score) const;
  void forget_other_validation();
  std::string best_so_far() const;
  std::string stalls() const;
  bool out_of_patience() const;
  bool done() const;
  bool validates() const { return !config_.data.valid.source.empty(); }
  std::string environment() const {
    return preparation::environment_of(config_.training, *run_.pairs, group_->size(), TORCH_VERSION);
  }
  double minutes_now() const { return minutes_before_ + (core::seconds_now() - began_at_) / 60; }

  std::shared_ptr<distributed::ProcessGroup> group_;
  const PreparedRun& run_;
  const settings::RunConfig& config_;
  run::RunFolder folder_;  // set only on rank 0, as are validator, observer, keeper and saver
  std::optional<Validator> validator_;
  run::TrainingState state_;
  run::ReportSums sums_;
  Learner learner_;
  std::unique_ptr<run::Observer> observer_;
  bool saved_ = false;            // whether the newest checkpoint is written or being written
  double next_try_ = 0;           // seconds: after a failed save, the time of the next attempt
  int stop_signal_ = 0;           // the same in all processes; 0 = none
  double began_at_ = 0;           // seconds: when this start of the run began to train
  double minutes_before_ = 0;     // of earlier starts of the run
  std::unique_ptr<run::ModelKeeper> keeper_;
  run::Saver saver_;
};

Trainer::Trainer(const PreparedRun& run, std::shared_ptr<distributed::ProcessGroup> group)
    : group_(std::move(group)),
      run_(run),
      config_(run.config),
      folder_(run.opened.folder),
      learner_(config_, run.package,
               group_->leads() ? initial_weights_of(config_, run.opened, run.tokenizers) : std::nullopt, group_) {
  const preparation::OpenedRun& opened = run.opened;
  if (group_->leads()) {
    preparation::log_text_fit(opened, *run.pairs, run.tokenizers);
    if (validates()) validator_.emplace(config_, run.tokenizers);
    keeper_ = std::make_unique<run::ModelKeeper>(config_, folder_, run.package,
                                                 [this] { return backend::save_weights(*learner_.evaluated()); });
  }
  if (opened.checkpoint) take_checkpoint(*opened.checkpoint);
  if (!opened.checkpoint && opened.base) state_.validation_due = validates();  // shows whether fine-tuning helps
  if (validator_) forget_other_validation();
  if (group_->size() > 1) share_state();
  learner_.start(*run.pairs, preparation::step_options(config_, *run.pairs, run.tokenizers), state_.position);
  if (group_->leads()) log_sizes();
}

void Trainer::log_sizes() const {
  if (const std::string remark = learner_.remark(*run_.pairs); !remark.empty()) core::log_warning(remark);
  const auto count = static_cast<int64_t>(run_.pairs->size());
  const data::StoreSummary& summary = run_.pairs->summary();
  const auto examples = [&]() -> std::string {
    switch (run_.package.config.architecture->corpus_kind()) {
      case architecture::CorpusKind::kPairs:
        return fmt::format("{}, {} target tokens", core::count_of(count, "pair"), summary.target_tokens + count);
      case architecture::CorpusKind::kRunningText:
        return fmt::format("{}, {} tokens", core::count_of(count, "passage"), summary.source_tokens);
      case architecture::CorpusKind::kLabels: return core::count_of(count, "text");
    }
    throw std::logic_error("Trainer: unknown kind of corpus");
  };
  core::log_info(fmt::format("{} parameters, {}, {} on {}{}", learner_.parameter_count(), examples(),
                             core::count_of(learner_.replicas(), "replica"), config_.training.device,
                             group_->size() > 1 ? fmt::format(" in each of {} processes", group_->size()) : ""));
}

void Trainer::take_checkpoint(const run::Checkpoint& checkpoint) {
  learner_.load(checkpoint);
  saved_ = true;
  state_ = checkpoint.state;
  sums_ = checkpoint.state.sums;
  minutes_before_ = state_.progress.minutes;
  core::log_info(fmt::format("resuming from {} (update {})", checkpoint.path, state_.progress.updates));
  keeper_->forget_lost(state_);
  keeper_->check_best(state_);
  preparation::check_environment(checkpoint, environment());
}

/// Values on different validation corpora cannot be compared.
void Trainer::forget_other_validation() {
  if (state_.finished && done()) return;  // nothing is validated any more
  const std::string before = std::exchange(state_.validation_corpus, validator_->corpus());
  if (!state_.best || before.empty() || before == state_.validation_corpus) return;
  core::log_warning(
      fmt::format("data.valid: the validation corpus has changed ({} before, {} now): {} no longer counts, nor do the "
                  "validations without a better one; the next validated model becomes best/{}",
                  before, state_.validation_corpus, best_so_far(),
                  state_.models.empty() ? "" : ", and models/ that are kept for their value are dropped"));
  state_.best.reset();
  state_.best_loss.reset();
  state_.best_updates.reset();
  state_.stalled = 0;
  for (run::KeptModel& model : state_.models) model.value.reset();
}

/// For messages: "bleu 12.34 at update 500".
std::string Trainer::best_so_far() const {
  const std::string at = state_.best_updates ? fmt::format(" at update {}", *state_.best_updates) : "";
  return fmt::format("{} {:.4g}{}", settings::name_of(config_.validation.metric), state_.best.value_or(std::nan("")),
                     at);
}

/// For messages: "3 validations".
std::string Trainer::stalls() const {
  return fmt::format("{} {}", state_.stalled, core::plural(state_.stalled, "validation"));
}

/// Passes what rank 0 has made or read to all processes.
void Trainer::share_state() {
  check_same_environment(*group_, environment());
  learner_.share();
  const std::string state = group_->broadcast(group_->leads() ? run::state_text(state_) : "");
  if (group_->leads()) return;
  state_ = run::parse_state_text(state, "rank 0");
  sums_ = state_.sums;
}

bool Trainer::out_of_patience() const {
  return config_.validation.patience > 0 && state_.stalled >= config_.validation.patience;
}

bool Trainer::done() const { return config_.training.after.reached(state_.progress) || out_of_patience(); }

void Trainer::loop() {
  began_at_ = core::seconds_now();
  if (group_->leads()) {
    auto reporter = std::make_unique<run::RunReporter>(folder_, config_, state_, *run_.pairs);
    observer_ = std::make_unique<run::Observer>(folder_.metrics(), state_, std::move(reporter));
  }
  try {
    run_or_save();
  } catch (const Interrupted& stop) {
    if (observer_) observer_->ended(report::RunState::kStopped, stop.what());
    throw;
  } catch (const std::exception& error) {
    if (observer_) observer_->ended(report::RunState::kFailed, error.what());
    throw;
  }
  group_->leave();
}

/// Runs to the end, or saves what is there when it is stopped.
void Trainer::run_or_save() {
  try {
    run_to_the_end();
  } catch (const Interrupted& stop) {  // after an update, or in a validation
    if (group_->leads()) save_now();
    group_->leave();
    throw Interrupted(stop.signal,
                      fmt::format("stopped by signal {} after update {}; the same command resumes from there",
                                  stop.signal, state_.progress.updates));
  } catch (const PeerError& error) {
    stop(error);
  }
}

/// If a process is missing, there is no next update. The last update is complete, because the weights change only after
/// all processes have done their part.
void Trainer::stop(const PeerError& error) {
  const std::string reason = error.what();
  constexpr const char* kHint = "; the same command for all processes resumes from ";
  const bool says_what_to_do = reason.find(" ended: ") != std::string::npos;
  if (!group_->leads()) fail<PeerError>(reason, says_what_to_do ? "" : std::string(kHint) + "the last checkpoint");
  try {
    save_now();
  } catch (const WriteError& unsaved) {
    fail<PeerError>(reason, "; update ", state_.progress.updates, " could not be saved: ", unsaved.what());
  }
  fail<PeerError>(reason, "; stopped after update ", state_.progress.updates, kHint, "there");
}

void Trainer::run_to_the_end() {
  handle_what_is_due();  // what was still due when a signal stopped the run
  if (done() && state_.finished) {
    core::log_info(out_of_patience()
                       ? fmt::format("this run is finished: its last {} brought nothing better than {}; a "
                                     "larger validation.patience (--patience), or 0, would resume it",
                                     stalls(), best_so_far())
                       : "this run is finished; a larger training.after (--after) would resume it");
    if (!group_->leads()) return;
    if (!files::exists(folder_.final())) keeper_->write_final(state_);
    if (!keeper_->averaged(state_, run::models_to_average(state_.models, config_))) average_models();
    warn_of_missing_models();
    observer_->ended(report::RunState::kFinished);
    return;
  }
  state_.finished = false;
  while (!done()) {
    update();
    if (observer_) observer_->update(state_.progress, sums_, config_.training.after);
    if (stop_signal_ != 0) throw Interrupted(stop_signal_, "");
    handle_what_is_due();
  }
  finish();
}

/// Reports, validates and saves if this is due. A validation that a signal interrupts is still due when the run is
/// resumed.
void Trainer::handle_what_is_due() {
  if (run_.folder) run_.folder->check_in_place();  // the path may lead to another run by now
  const settings::RunProgress before = std::exchange(state_.handled, state_.progress);
  const settings::RunProgress& now = state_.progress;
  if (config_.training.report_every.due(before, now)) {
    if (observer_) observer_->report(now, sums_, learner_.learning_rate());
    sums_ = {};
  }
  state_.validation_due = validates() && (state_.validation_due || config_.validation.every.due(before, now));
  const bool validates_now = state_.validation_due;
  if (validates_now) {
    validate();
    saved_ = saved_ && !saver_.failed();  // if it could not be written, another one is due
  }
  const bool sound = state_.bad_in_a_row == 0;  // diverging weights must not replace good checkpoints
  const bool may_try = validates_now || core::seconds_now() >= next_try_;
  const bool owed = state_.validations > 0 && !saved_ && may_try;  // best/ needs a checkpoint beside it
  if (!sound || !group_->leads() || !(owed || config_.training.save_every.due(before, now))) return;
  if (!validator_) keeper_->keep(state_, {});
  save_if_possible();
}

void Trainer::update() {
  data::Position position;
  const PassResult own = learner_.pass(state_.progress.updates, position);
  const SharedUpdate all = share_update(*group_, {own, minutes_now(), core::stop_signal()});
  apply(all.pass);
  state_.position = position;
  state_.progress.epoch = position.epoch;
  const bool between_epochs = position.window == 0 && position.batch == 0;
  state_.progress.in_epoch = between_epochs ? position.epoch : position.epoch + 1;
  state_.progress.updates += 1;
  state_.progress.tokens += all.pass.target_tokens;
  state_.progress.minutes = all.minutes;
  stop_signal_ = all.signal;
}

/// Runs the optimizer's step of an update. A step with a loss or gradient that is not finite changes nothing and is
/// counted.
void Trainer::apply(const PassResult& pass) {
  const settings::TrainingConfig& training = config_.training;
  const double norm = learner_.learn(pass);
  if (!std::isfinite(norm) || !std::isfinite(pass.loss)) {
    state_.bad_updates += 1;
    state_.bad_in_a_row += 1;
    core::log_warning(fmt::format("update {}: loss {} and gradient norm {} are not finite; skipped ({} in total)",
                                  state_.progress.updates + 1, pass.loss, norm, state_.bad_updates));
    if (state_.bad_in_a_row >= training.max_bad_updates) {
      fail<DivergedError>(
          "training diverged: ", state_.bad_in_a_row, " updates in a row were not finite ",
          "(training.max_bad_updates); start a new run (--overwrite) with a lower learning rate or a longer warm-up");
    }
    return;
  }
  state_.bad_in_a_row = 0;
  sums_.updates += 1;
  sums_.loss += pass.loss;
  sums_.nll += pass.nll;
  sums_.tokens += pass.target_tokens;
  sums_.weight += pass.target_weight;
  sums_.norm += norm;
}

run::ValidationResult Trainer::validation_result(const nn::Model& model) {
  try {
    return validator_->run(model);
  } catch (const ModelError& error) {  // from the search: the scores are not numbers
    fail<DivergedError>("training diverged: the model cannot translate the validation corpus: ", error.what(),
                        "; start a new run (--overwrite) with a lower learning rate or a longer warm-up");
  }
}

bool Trainer::is_best(const run::ValidationScore& score) const {
  if (!state_.best) return std::isfinite(score.value);
  run::ValidationScore best{*state_.best};
  if (state_.best_loss) best.loss = *state_.best_loss;
  return better(score, best, config_.validation.metric);
}

void Trainer::validate() {
  const run::Paused paused(observer_.get(), "validating");
  run::ValidationResult result;
  const run::ValidationScore score = share_score(*group_, [&] {
    result = validation_result(learner_.evaluated());
    return run::ValidationScore{result.value(config_.validation.metric), result.loss};
  });
  const bool best = is_best(score);
  state_.validations += 1;
  state_.last_validated = state_.progress.updates;
  state_.validation_due = false;
  state_.stalled = best ? 0 : state_.stalled + 1;
  if (!group_->leads()) {
    if (!best) return;
    state_.best = score.value;  // as ModelKeeper::keep_best does on rank 0
    state_.best_loss = std::isfinite(score.loss) ? std::optional(score.loss) : std::nullopt;
    return;
  }
  if (best) keeper_->keep_best(state_, score);
  if (state_.progress.updates > 0) keeper_->keep(state_, score);  // the model of fine-tuning is not averaged
  observer_->validated(state_.progress, result, config_.validation.metric, best, state_.stalled);
}

/// Copies the training state, and returns what writes the copy as a checkpoint. First writes the bundles that it lists.
run::Saver::Save Trainer::snapshot() {
  keeper_->settle();
  run::TrainingState state = state_;  // a copy: state_ keeps the minutes that all processes agree on
  state.progress.minutes = minutes_now();
  state.sums = sums_;
  state.sums.seconds = observer_->window_seconds();
  const bool shared = config_.tokenizer.shared;
  auto content = std::make_shared<const run::CheckpointContent>(
      run::CheckpointContent{state, config_.to_json().dump(), environment(), learner_.weights(), learner_.moments(),
                             run_.package.source_spm, shared ? "" : run_.package.target_spm, learner_.average()});
  return [content, folder = folder_, keep = config_.training.keep_checkpoints] {
    run::save_checkpoint(folder, *content, keep);
  };
}

void Trainer::save_if_possible() {
  try {
    saver_.wait();  // so that there are never two copies in memory
    saver_.begin(snapshot());
    saved_ = true;
  } catch (const WriteError& error) {  // a bundle could not be written
    core::log_warning(
        fmt::format("no checkpoint until the models can be saved ({}); training continues", error.what()));
    next_try_ = core::seconds_now() + kSecondsBetweenTries;
  }
}

void Trainer::save_now() {
  saver_.wait();
  saver_.save_now(snapshot());
}

/// Makes averaged/ from the models that are kept for it, if requested.
void Trainer::average_models() {
  const auto models = run::models_to_average(state_.models, config_);
  if (models.empty()) return;
  const std::string weights = keeper_->average(models);
  std::optional<run::ValidationResult> result;
  if (validator_) {
    const auto file = model::Safetensors::parse(weights, folder_.averaged());
    const nn::Model model = backend::load_module(*run_.package.config.architecture, file);
    model->to(torch::Device(config_.training.device));
    result = validation_result(model);
  }
  const auto value = result ? std::optional(result->value(config_.validation.metric)) : std::nullopt;
  keeper_->write_averaged(state_, models, weights, value);
  observer_->averaged(state_.progress, models, result ? &*result : nullptr);
}

void Trainer::warn_of_missing_models() const {
  const int64_t wanted = std::max(config_.training.average_last, config_.training.average_best);
  const size_t found = run::models_to_average(state_.models, config_).size();
  if (static_cast<int64_t>(found) >= wanted) return;
  core::log_warning(fmt::format("{}: {} of the {} models to average were kept{}", folder_.averaged(), found, wanted,
                                found == 0 ? "; there is no average" : ""));
}

/// The checkpoint that marks the run as finished comes last. A run killed before that makes the bundles again.
void Trainer::finish() {
  if (run_.folder) run_.folder->check_in_place();
  saver_.wait();  // it removes models that its state does not list, such as one of the validation below
  state_.validation_due = validates() && state_.last_validated != state_.progress.updates;
  if (state_.validation_due) validate();
  if (!group_->leads()) return;
  if (!validator_) keeper_->keep(state_, {});
  save_now();  // before the bundles, so that a failure there loses no training
  keeper_->write_final(state_);
  average_models();
  warn_of_missing_models();
  state_.finished = true;
  save_now();
  observer_->ended(report::RunState::kFinished);
  if (out_of_patience()) {
    core::log_info(fmt::format("stopped early (validation.patience): the last {} brought nothing better than {}",
                               stalls(), best_so_far()));
  }
  core::log_info(
      fmt::format("done: {}, {} target tokens, {:.1f} minutes; bundles in {}",
                  core::count_of(state_.progress.updates, "update"), state_.progress.tokens, state_.progress.minutes,
                  files::exists(folder_.best()) ? folder_.best() + " and " + folder_.final() : folder_.final()));
}

/// Trains to the end of the run. `log`: as in prepare_run().
void train_in(const std::shared_ptr<distributed::ProcessGroup>& group, const settings::RunConfig& config,
              const run::RunOptions& options, int gpu, std::optional<core::LogFile>& log) {
  PreparedRun run = prepare_run(*group, config, options, gpu, log);
  Trainer trainer(run, group);
  run.begin();
  trainer.loop();
}

}  // namespace

void train(const settings::RunConfig& config, const run::RunOptions& options) {
  preparation::check_has_corpus(config.data);
  settings::check_epochs(config);
  const distributed::Ranks ranks = distributed::Ranks::from_environment();
  const std::shared_ptr<distributed::ProcessGroup> group = distributed::join_processes(ranks);
  std::optional<core::LogFile> log;
  try {
    train_in(group, config, options, ranks.local_rank, log);
  } catch (const Interrupted& stop) {
    if (log) log->note(stop.what());
    group->fail(stop.what());
    throw;
  } catch (const std::exception& error) {
    if (log) log->note_error(core::without_backtrace(error.what()));
    group->fail(error.what());
    throw;
  }
}

}  // namespace ventris::training
