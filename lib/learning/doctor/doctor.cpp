#include "doctor/doctor.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "core/available_memory.h"
#include "core/error.h"
#include "core/process.h"
#include "core/progress.h"
#include "distributed/ranks.h"
#include "doctor/doctor_corpora.h"
#include "nn/threads.h"
#include "preparation/modified_text.h"
#include "preparation/run_labels.h"
#include "preparation/run_tokenizers.h"
#include "preparation/standard_input.h"
#include "preparation/training_data.h"
#include "training/batch_size.h"
#include "training/learner.h"
#include "training/task.h"

namespace ventris::doctor {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kWarmUpdates = 2;  // the first updates allocate memory and choose kernels
constexpr int kLeastUpdates = 3;
constexpr double kMeasureSeconds = 5;
constexpr int kMostUpdates = 50;
constexpr double kMib = 1024 * 1024;
constexpr double kMostUnknown = 0.001;  // share of the tokens
constexpr double kMostSame = 0.2;       // share of the pairs; names and numbers are the same in both languages
constexpr double kMostSeen = 0.01;      // share of the validation sources; short sentences often occur twice
constexpr double kMostRare = 0.5;       // share of the pieces
constexpr double kMostDropped = 0.1;    // share of the lines

/// Measurements of updates on real batches.
struct Measurement {
  int updates = 0;
  double seconds = 0;
  int64_t target_tokens = 0;
  bool finite = true;
  int64_t parameters = 0;
  uint64_t checkpoint_bytes = 0, bundle_bytes = 0;
  double peak_memory_mib = 0;

  double seconds_per_update() const { return seconds / updates; }
  double tokens_per_second() const { return static_cast<double>(target_tokens) / seconds; }
};

bool is_enough(const Measurement& measured) {
  if (measured.updates >= kMostUpdates) return true;
  return measured.updates >= kLeastUpdates && measured.seconds >= kMeasureSeconds;
}

/// For the sample, which was already drawn by the shares.
settings::RunConfig with_equal_shares(settings::RunConfig config) {
  config.data.temperature = 1;
  for (settings::CorpusConfig& corpus : config.data.corpora) corpus.weight = 0;
  return config;
}

Measurement measure(const settings::RunConfig& config, const preparation::OpenedRun& run,
                    const preparation::Tokenizers& tokenizers, const data::PairStore& sample) {
  const model::Package package = preparation::package_of(config, tokenizers);
  const settings::RunConfig mixed = with_equal_shares(config);
  // A run that can be resumed is measured with new weights: its checkpoint is not loaded.
  const auto initial = training::initial_weights_of(config, run, tokenizers).value_or(training::InitialWeights{});
  training::Learner learner(mixed, package, initial, std::make_shared<distributed::SingleProcess>());
  learner.start(sample, preparation::step_options(config, sample, tokenizers), {});
  core::Progress progress("measuring", "updates", kWarmUpdates + kLeastUpdates);
  Measurement measured;
  data::Position position;
  for (int64_t number = 0; !is_enough(measured); ++number) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, "stopped by a signal while measuring updates");
    }
    const double started = core::seconds_now();
    const training::PassResult pass = learner.pass(number, position);
    measured.finite = std::isfinite(learner.learn(pass)) && std::isfinite(pass.loss) && measured.finite;
    progress.add();
    if (number < kWarmUpdates) continue;
    measured.updates += 1;
    measured.seconds += core::seconds_now() - started;
    measured.target_tokens += pass.target_tokens;
  }
  const std::string weights = learner.weights(), moments = learner.moments(), average = learner.average();
  const uint64_t texts = package.source_spm.size() + (config.tokenizer.shared ? 0 : package.target_spm.size());
  measured.bundle_bytes = weights.size() + texts;
  measured.checkpoint_bytes = weights.size() + moments.size() + average.size() + texts;
  measured.parameters = learner.parameter_count();
  measured.peak_memory_mib = core::peak_memory_mib();  // including the copy for a checkpoint
  return measured;
}

/// The memory of a corpus (data::ParallelCorpus) in MiB, including its text if it is kept.
double corpus_mib(const data::StoreSummary& summary) {
  const auto pairs = static_cast<double>(summary.pairs());
  const auto tokens = static_cast<double>(summary.source_tokens + summary.target_tokens);
  const double text = summary.has_text ? 5 * tokens + 16 * pairs : 0;  // about five bytes per token
  return (4 * tokens + (summary.weighted ? 20 : 16) * pairs + text) / kMib;
}

/// The free space on the disk of the run folder; the maximum if it is unknown.
uint64_t free_bytes(const std::string& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  while (!fs::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  const auto space = fs::space(path, error);
  return error ? std::numeric_limits<uint64_t>::max() : space.available;
}

/// The space of the checkpoints, including one that is being written, and of the bundles.
uint64_t needed_bytes(const settings::RunConfig& config, const Measurement& measured) {
  const settings::TrainingConfig& training = config.training;
  const int64_t kept = training.average_last + training.best_models_kept();
  const int64_t bundles = 2 + kept + (training.average_last + training.average_best > 0 ? 1 : 0);  // 2: best/, final/
  return static_cast<uint64_t>(training.keep_checkpoints + 1) * measured.checkpoint_bytes +
         static_cast<uint64_t>(bundles + 1) * measured.bundle_bytes;
}

/// Examines a run, part by part.
class Doctor {
 public:
  Doctor(settings::RunConfig config, const preparation::OpenedRun& run, std::vector<std::string> warnings)
      : config_(std::move(config)), run_(run), warnings_(std::move(warnings)) {
    warnings_.insert(warnings_.end(), run.warnings.begin(), run.warnings.end());
  }

  ordered_json examine() {
    const preparation::Tokenizers tokenizers = preparation::prepare_tokenizers(config_, run_);
    look_ = look_at_corpora(config_, tokenizers);
    if (!config_.training.batch_memory.none()) choose_batch_size(tokenizers);
    if (!reads_pairs()) look_.epoch_target_tokens = epoch_target_tokens(tokenizers);
    if (reads_pairs()) check_modifiers(tokenizers);
    measured_ = measure(config_, run_, tokenizers, look_.sample);
    report_ = {{"kind", "doctor"}, {"run", {{"folder", run_.folder.path}, {"changes", run_.changes}}}};
    if (run_.checkpoint) report_["run"]["goes_on_from"] = run_.checkpoint->state.progress.updates;
    describe_corpora();
    describe_tokenizers();
    describe_costs();
    describe_disk();
    check_machine();
    report_["warnings"] = warnings_;
    return std::move(report_);
  }

 private:
  bool reads_text() const { return config_.model->corpus_kind() == architecture::CorpusKind::kRunningText; }

  bool reads_pairs() const { return config_.model->corpus_kind() == architecture::CorpusKind::kPairs; }

  /// Of the corpus that the run has in memory, what is not in that of the sample.
  double missing_corpus_mib() const {
    return config_.data.cache.empty() ? corpus_mib(look_.summary) - corpus_mib(look_.sample.summary()) : 0;
  }

  /// As the run would: from the run that is resumed, or measured; with the pairs of the sample.
  void choose_batch_size(const preparation::Tokenizers& tokenizers) {
    const std::string problem = training::memory_problem(config_.training, training::memory_of_process());
    if (!problem.empty()) warnings_.push_back(problem);
    const auto rest = static_cast<int64_t>(kMib * missing_corpus_mib());
    const auto size =
        run_.begun_with ? training::batch_size_of(run_.begun_with->training)
                        : training::measure_batch_size(with_equal_shares(config_), tokenizers, look_.sample, {1, rest});
    config_.training.batch_tokens = size.tokens;
    config_.training.length_cost = size.length_cost;
    const int64_t longest = 1 + int64_t{look_.summary.longest};  // with eos
    std::vector<int64_t> lengths{10, 20, 50, 100, 200};
    std::erase_if(lengths, [&](int64_t length) { return length >= longest; });
    lengths.push_back(longest);
    for (const int64_t length : lengths) {
      batches_.push_back({{"length", length}, {"sentences", training::sentences_that_fit(size, length)}});
    }
  }

  /// The tokens that an epoch of running text predicts, or the labels of an epoch, extrapolated from the sample.
  double epoch_target_tokens(const preparation::Tokenizers& tokenizers) const {
    const training::Task task = training::make_task(config_, preparation::package_of(config_, tokenizers));
    double tokens = 0;
    for (uint32_t i = 0; i < look_.sample.size(); ++i) {
      const std::vector<uint32_t> number{i};
      const auto passage = data::read_pairs(look_.sample, number);
      tokens += static_cast<double>(task.batches->make(passage, {look_.sample, number}).target_tokens);
    }
    return tokens / static_cast<double>(look_.sample.size()) * static_cast<double>(look_.summary.pairs());
  }

  template <typename... Parts>
  void warn(fmt::format_string<Parts...> format, Parts&&... parts) {
    warnings_.push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }

  void describe_corpora() {
    ordered_json& out = report_["corpora"];
    const auto corpora = config_.data.training();
    for (size_t i = 0; i < corpora.size(); ++i) {
      const data::CorpusCounts& counts = look_.counts[i];
      out["training"].push_back({{"source", corpora[i].files.source}, {"lines", counts.lines}, {"kept", counts.kept}});
      const std::string problem = data::encoding_problem(corpora[i].files, counts);
      if (!problem.empty()) warnings_.push_back(problem);
      const int64_t lines = counts.lines - counts.blank;  // blank lines end documents
      const int64_t dropped = reads_text() ? counts.too_long : lines - counts.kept;
      if (static_cast<double>(dropped) > kMostDropped * static_cast<double>(lines)) {
        warn("{}: {} of {} lines are not used: {}", corpora[i].files.source, dropped, lines, data::describe(counts));
      }
    }
    if (reads_text()) {
      out["passages"] = look_.summary.pairs();
      out["tokens"] = look_.summary.source_tokens;
    } else if (!reads_pairs()) {
      out["texts"] = look_.summary.pairs();
      out["labels"] = config_.model->labels();
      out["tokens"] = look_.summary.source_tokens;
    } else {
      out["pairs"] = look_.summary.pairs();
      out["source_tokens"] = look_.summary.source_tokens;
      out["target_tokens"] = look_.summary.target_tokens + static_cast<int64_t>(look_.summary.pairs());  // with eos
    }
    describe_validation(out);
    if (reads_pairs()) check_sides();
  }

  void check_modifiers(const preparation::Tokenizers& tokenizers) {
    const auto changes = preparation::changes_of(config_, look_.sample, tokenizers);
    warnings_.insert(warnings_.end(), changes.warnings.begin(), changes.warnings.end());
  }

  /// Sides that were given twice or in the wrong order.
  void check_sides() {
    const auto check = [this](const char* corpus, int64_t same, uint64_t pairs) {
      if (static_cast<double>(same) <= kMostSame * static_cast<double>(pairs)) return;
      warn("{} of {} pairs of the {} corpus have the same text on both sides: is one side given twice?", same, pairs,
           corpus);
    };
    check("training", look_.same_pairs, look_.summary.pairs());
    check("validation", look_.valid_same_pairs, static_cast<uint64_t>(look_.valid_pairs));
    if (!look_.swapped) return;
    warn(
        "the source of the validation corpus looks like the target of the training corpus, and its target like its "
        "source: are the two files of one of them in the wrong order?");
  }

  void describe_validation(ordered_json& out) {
    if (look_.valid_pairs == 0) {
      return warn("there is no validation corpus (--valid): no best model is kept, and overfitting is not noticed");
    }
    if (reads_text()) {
      out["validation"] = {{"passages", look_.valid_pairs}};
      return;
    }
    out["validation"] = {{reads_pairs() ? "pairs" : "texts", look_.valid_pairs},
                         {"sources_in_training", look_.valid_sources_seen},
                         {"pairs_in_training", look_.valid_pairs_seen}};
    if (look_.valid_sources_seen == 0) return;
    warn(
        "{} of {} validation sources are also in the training corpus ({} with the same target): the validation will "
        "look too good",
        look_.valid_sources_seen, look_.valid_pairs, look_.valid_pairs_seen);
  }

  void describe_tokenizers() {
    for (const auto& [name, fit] : {std::pair{"source", &look_.source}, {"target", &look_.target}}) {
      if (fit == &look_.target && !reads_pairs()) continue;
      const double unknown = static_cast<double>(fit->unknown) / static_cast<double>(std::max<int64_t>(fit->tokens, 1));
      report_["tokenizers"][name] = {{"pieces", fit->pieces}, {"rare_pieces", fit->rare}, {"unknown_share", unknown}};
      if (unknown > kMostUnknown) {
        warn(
            "{:.2f} % of the {} tokens are unknown to the tokenizer; learn one from this corpus, or with byte fallback",
            100 * unknown, name);
      }
    }
    report_["tokenizers"]["shared"] = config_.tokenizer.shared;
    warn_of_large_tokenizer("source", look_.source);
    if (!config_.tokenizer.shared) warn_of_large_tokenizer("target", look_.target);
  }

  void warn_of_large_tokenizer(const char* name, const TokenizerFit& fit) {
    if (static_cast<double>(fit.rare) <= kMostRare * static_cast<double>(fit.pieces)) return;
    warn(
        "{} of the {} pieces of the {} tokenizer occur fewer than 10 times: it is too large for this corpus (a smaller "
        "--vocab-size learns more of each)",
        fit.rare, fit.pieces, config_.tokenizer.shared ? "shared" : name);
  }

  double epoch_seconds() const { return look_.epoch_target_tokens / measured_.tokens_per_second(); }

  /// Seconds of the whole run; 0 = it has no end.
  double run_seconds() const {
    const settings::Period& after = config_.training.after;
    if (after.never()) return 0;
    if (after.text().ends_with('e')) return epoch_seconds() / after.share({.epoch = 1});
    const settings::RunProgress update{0, 1, measured_.target_tokens / measured_.updates,
                                       measured_.seconds_per_update() / 60};
    return measured_.seconds_per_update() / after.share(update);
  }

  void describe_costs() {
    report_["model"] = {{"parameters", measured_.parameters}};
    if (!batches_.empty()) {
      report_["batches"] = {{"memory", config_.training.batch_memory.text()},
                            {"tokens", config_.training.batch_tokens},
                            {"length_cost", config_.training.length_cost},
                            {"sentences_of_length", batches_}};
    }
    report_["measured"] = {{"updates", measured_.updates},
                           {"seconds_per_update", measured_.seconds_per_update()},
                           {"target_tokens_per_second", measured_.tokens_per_second()}};
    const double per_update = measured_.seconds_per_update(), whole = run_seconds();
    ordered_json& expected = report_["expected"];
    expected = {{"updates_per_epoch", std::llround(epoch_seconds() / per_update)},
                {"seconds_per_epoch", epoch_seconds()}};
    if (whole > 0) {
      expected.update({{"length", config_.training.after.text()},
                       {"updates", std::llround(whole / per_update)},
                       {"epochs", whole / epoch_seconds()},
                       {"seconds", whole}});
    }
    const double memory = measured_.peak_memory_mib + missing_corpus_mib();
    const double available = static_cast<double>(core::available_memory()) / kMib;
    expected.update({{"peak_memory_mib", memory}, {"available_memory_mib", available}});
    if (available > 0 && memory > available + measured_.peak_memory_mib) {
      warn(
          "the run needs about {:.0f} MiB of memory, {:.0f} MiB are available; keep the corpus on disk (--cache), or "
          "use "
          "smaller batches or fewer threads",
          memory, available);
    }
    check_schedule(whole / per_update);
  }

  void check_schedule(double updates) {
    const auto warmup = static_cast<double>(config_.training.schedule.warmup_updates);
    if (!measured_.finite) warn("the loss or the gradient of the first updates is not finite");
    if (updates > 0 && warmup > updates) {
      warn(
          "the warm-up of {:.0f} updates is longer than the run of about {:.0f}: the learning rate never reaches its "
          "peak (--warmup)",
          warmup, updates);
    }
  }

  void describe_disk() {
    const uint64_t needed = needed_bytes(config_, measured_), free = free_bytes(run_.folder.path);
    report_["disk"] = {{"checkpoint_bytes", measured_.checkpoint_bytes},
                       {"bundle_bytes", measured_.bundle_bytes},
                       {"needed_bytes", needed},
                       {"free_bytes", free}};
    if (needed > free) {
      warn("the checkpoints and models need about {:.0f} MiB on the disk of {}, {:.0f} MiB are free",
           static_cast<double>(needed) / kMib, run_.folder.path, static_cast<double>(free) / kMib);
    }
  }

  void check_machine() {
    const settings::TrainingConfig& training = config_.training;
    const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
    report_["machine"] = {
        {"cores", cores}, {"instruction_set", core::instruction_set()}, {"bf16", training.uses_bf16()}};
    if (training.device == "cpu" && cores > 0 && training.threads > cores) {
      warn("training.threads: {} is more than the {} cores of this machine: the replicas will wait for each other",
           training.threads, cores);
    }
    if (training.uses_bf16() && !training.has_bf16_arithmetic()) {
      warn("training.precision bf16: this processor has no bf16 arithmetic, so bf16 is several times slower than f32");
    }
  }

  settings::RunConfig config_;
  const preparation::OpenedRun& run_;
  ordered_json batches_ = ordered_json::array();  // how many sentences of a length a batch has
  CorporaLook look_;
  Measurement measured_;
  ordered_json report_;
  std::vector<std::string> warnings_;
};

}  // namespace

nlohmann::ordered_json diagnose(const settings::RunConfig& config, const run::RunOptions& options,
                                const std::vector<std::string>& warnings) {
  preparation::check_has_corpus(config.data);
  settings::check_epochs(config);
  if (distributed::Ranks::from_environment().size > 1) {
    fail<ConfigError>("--doctor: supports only one process; call it without torchrun's variables");
  }
  if (preparation::reads_standard_input(config.data)) {
    fail<ConfigError>("--doctor: standard input cannot be read twice; write the corpus to a file first");
  }
  preparation::check_files(config.data);
  nn::use_one_thread_per_operation();  // the replicas already use the cores
  const preparation::OpenedRun run = preparation::look_at_run(config, options);
  settings::RunConfig completed = config;
  preparation::complete_labels(completed, run);
  return Doctor(completed, run, warnings).examine();
}

}  // namespace ventris::doctor
