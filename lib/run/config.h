#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "model/config.h"
#include "text/tokenizer.h"
#include "run/data_config.h"
#include "run/period.h"

namespace ventris::run {

enum class SampledSides { kBoth, kSource, kTarget };

/// Tokenizers: given as files, or learnt from the training corpus.
struct TokenizerConfig {
  std::string source;  ///< a SentencePiece model; empty = learn one
  std::string target;  ///< empty = as the source if `shared`
  bool shared = true;  ///< one tokenizer for both sides
  text::TokenizerTraining learning;
  double sampling_alpha = 0;  ///< of the training corpus' segmentation, redrawn each epoch, as Tokenizer::sample takes
                              ///< it; 0 = no sampling
  SampledSides sample = SampledSides::kBoth;
};

enum class OptimizerKind { kAdam, kAdamW };

/// Adam (Kingma and Ba 2015); AdamW decouples the weight decay (Loshchilov and Hutter 2019).
struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::kAdam;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0.0;
};

enum class ScheduleKind { kInverseSqrt, kNoam, kLinear, kConstant };

/// Learning rate as a function of the update (from 1; those that were skipped do not count). Every kind rises linearly
/// for `warmup_updates` first (0 = not at all: the inverse square root then falls from the first update on).
///   inverse_sqrt: peak x sqrt(warmup / update)      linear: down to 0 at total_updates      constant: peak
///   noam: learning_rate x d_model^-0.5 x min(update^-0.5, update x warmup^-1.5), Vaswani et al. 2017, equation 3
struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::kInverseSqrt;
  double learning_rate = 5e-4;  ///< the peak; for noam the factor (1 in the paper)
  int64_t warmup_updates = 4000;
  int64_t total_updates = 0;  ///< linear only
};

/// Arithmetic of matrix products; weights, sums, norms and the loss are f32 always. kAuto: bf16 where the hardware has
/// it (a GPU, or AVX-512 with bf16), f32 elsewhere, where bf16 would be several times slower.
enum class Precision { kAuto, kF32, kBf16 };

struct TrainingConfig {
  Period after;  ///< length of the training; never = until stopped
  int64_t batch_tokens = 4096;  ///< padded tokens a batch: sentences x longest side
  int64_t accumulate = 1;  ///< batches whose gradients are summed for one update
  int64_t max_sentences = 0;  ///< a batch, 0 = no limit
  double label_smoothing = 0.1;  ///< in [0, 1)
  double word_dropout = 0;  ///< chance of a source or target-prefix token to be read as unk, in [0, 1)
  double r_drop = 0;  ///< weight of the divergence between two passes with different dropout (Wu et al. 2021)
  double ema_decay = 0;  ///< of the weights' moving average, which is validated and kept; 0 = none
  double clip_norm = 1.0;  ///< largest norm of the gradient of the mean loss; 0 = no clipping
  int64_t threads = 1;  ///< replicas of the model, one thread each (on a CPU)
  uint64_t seed = 1;
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  bool has_bf16_arithmetic() const;  ///< whether this device and processor have it, which makes it fast
  bool uses_bf16() const;  ///< what `precision` means here
  int64_t best_models_kept() const;  ///< how many of the best validated models stay in models/
  Precision precision = Precision::kAuto;
  int64_t max_bad_updates = 5;  ///< non-finite updates in a row that end the run (exit 6)
  int64_t keep_checkpoints = 2;
  int64_t keep_best = 1;  ///< models that validated best: 1 = best/ alone, more = these also in models/
  int64_t average_last = 0;  ///< validated models, the newest, whose mean becomes averaged/ at the end; 0 = none
  int64_t average_best = 0;  ///< the same for the best ones; 0 = none
  std::string finetune_from;  ///< a bundle whose weights, tokenizers and shape a new run starts from; empty = none
  Period save_every;
  Period report_every;
  bool report = true;  ///< keep report.html in the run folder: curves, translations, attention, for a browser
  bool tensorboard = true;  ///< write an event file for TensorBoard into the run folder
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
};

enum class Metric { kBleu, kChrf, kLoss, kPerplexity };

struct ValidationConfig {
  Period every;
  Metric metric = Metric::kBleu;  ///< what best/ and the patience go by
  int64_t patience = 0;  ///< validations without a better value that end the run; 0 = never end
  int64_t beam_size = 0;  ///< of the validation's translations; 0 = decoding.beam_size
  int64_t batch_sentences = 64;
  int64_t max_sentences = 0;  ///< translated a validation, the first ones; 0 = all
};

/// Everything a run depends on. Precedence: these defaults < settings files, later ones first < flags.
struct RunConfig {
  DataConfig data;
  TokenizerConfig tokenizer;
  architecture::ArchitecturePtr model = architecture::defaults();  ///< without its vocabularies
  TrainingConfig training;
  ValidationConfig validation;
  model::DecodingDefaults decoding;

  RunConfig();

  /// Throws ConfigError naming the setting: unknown key, wrong type, senseless value.
  static RunConfig parse(const nlohmann::json& json);
  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md; those of each family of models in a section of their own.
  static std::vector<core::SettingsSection> describe();
};

/// Throws ConfigError for a length or frequency in parts of an epoch. Those of older runs are still read.
void check_epochs(const RunConfig& config);

/// How a metric is written in settings and metrics.jsonl ("bleu"), and whether more is better.
std::string name_of(Metric metric);
bool more_is_better(Metric metric);

}  // namespace ventris::run
