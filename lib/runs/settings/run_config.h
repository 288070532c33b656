#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/setting_description.h"
#include "metrics/validation_metrics.h"
#include "metrics/word_division.h"
#include "model/model_config.h"
#include "settings/data_config.h"
#include "settings/memory_size.h"
#include "settings/period.h"
#include "text/tokenizer.h"

namespace ventris::settings {

enum class SampledSides { kBoth, kSource, kTarget };

/// The tokenizers: given as files, or learnt from the training corpus.
struct TokenizerConfig {
  std::string source;  ///< a SentencePiece model; empty = learn one
  std::string target;  ///< empty = that of the source if `shared`
  bool shared = true;  ///< one tokenizer for both sides
  bool common_ids = false;  ///< as model::TokenizerPolicy
  model::LanguageMap languages = {};  ///< the same
  text::TokenizerTraining learning{.drop_invisible = true};
  double sampling_alpha = 0;  ///< of subword sampling of the training corpus in each epoch (Tokenizer::sample);
                              ///< 0 = off
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

/// Learning rate as a function of the update (from 1; skipped updates do not count). Every kind first rises linearly
/// for `warmup_updates` (0 = no warm-up; the inverse square root then falls from the first update on).
///   inverse_sqrt: peak x sqrt(warmup / update)      linear: down to 0 at total_updates      constant: peak
///   noam: learning_rate x d_model^-0.5 x min(update^-0.5, update x warmup^-1.5), Vaswani et al. 2017, equation 3
struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::kInverseSqrt;
  double learning_rate = 5e-4;  ///< the peak; for noam, the factor (1 in the paper)
  int64_t warmup_updates = 4000;
  int64_t total_updates = 0;  ///< linear only
};

/// The arithmetic of matrix products; weights, sums, norms and the loss are always f32. kAuto: bf16 if the hardware
/// supports it (a GPU, or AVX-512 with bf16), else f32, because bf16 would be several times slower.
enum class Precision { kAuto, kF32, kBf16 };

/// The step of the decoder whose attention learns the links of a target token: the one that writes it, or the next one,
/// which reads it as its input.
enum class GuidedStep { kWriting, kReading };

/// One head of the decoder's attention to the source learns given links (Chen et al. 2016, "Guided alignment training
/// for topic-aware neural machine translation"; Garg et al. 2019, section 4.2).
struct GuidedAlignmentConfig {
  std::string links;       ///< kLearntLinks, kLinksOfCorpora, or a file with those of data.train; empty = off
  bool tokenized = false;  ///< links count what is between white space (metrics::Division)
  double weight = 0.1;     ///< of the cross-entropy of a target token, beside that of its prediction
  GuidedStep step = GuidedStep::kReading;
  int64_t layer = 0;       ///< decoder layer, from 1; 0 = architecture::default_alignment_layer
  int64_t head = 1;        ///< from 1

  bool on() const { return !links.empty(); }
  metrics::Division division() const { return tokenized ? metrics::Division::kTokenized : metrics::Division::kText; }
};

/// Values of GuidedAlignmentConfig::links: made from the training corpora before the first update
/// (alignment/aligner.h), or those of each entry of data.corpora.
inline constexpr const char* kLearntLinks = "train";
inline constexpr const char* kLinksOfCorpora = "corpora";

/// The decoder of a Transformer reads its own predictions in place of some target tokens (Mihaylova and Martins 2019,
/// "Scheduled sampling for Transformers": two passes, of which the first predicts and the second learns).
struct ScheduledSamplingConfig {
  double share = 0;            ///< greatest probability per token, in [0, 1]; 0 = off
  int64_t start_update = 0;    ///< first update with a probability over 0
  int64_t rising_updates = 0;  ///< in which it rises linearly to `share`; 0 = at once
};

struct TrainingConfig {
  Period after;  ///< length of the run; never = until it is stopped
  int64_t batch_tokens = 4096;  ///< maximum padded tokens per batch: sentences x longest side
  double length_cost =
      0;  ///< a sentence of n padded tokens counts as n (1 + length_cost n) in batch_tokens; at least 0
  MemorySize batch_memory;  ///< of the whole run, from which batch_tokens and length_cost follow; none = they are given
  int64_t accumulate = 1;  ///< batches whose gradients are summed for one update
  int64_t max_sentences = 0;  ///< maximum sentences per batch; 0 = no limit
  double label_smoothing = 0.1;  ///< in [0, 1)
  double word_dropout = 0;  ///< probability that a source or target input token is read as unk, in [0, 1)
  double r_drop = 0;  ///< weight of the divergence between two passes with different dropout (Wu et al. 2021)
  double ema_decay = 0;  ///< decay of the moving average, which is validated and kept; 0 = off
  double clip_norm = 1.0;  ///< maximum norm of the gradient of the mean loss; 0 = no clipping
  int64_t threads = 1;  ///< replicas of the model, one thread each (on a CPU)
  uint64_t seed = 1;
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  bool has_bf16_arithmetic() const;  ///< whether the device has instructions for bf16, without which it is slow
  bool uses_bf16() const;  ///< whether `precision` means bf16 on this machine
  int64_t best_models_kept() const;  ///< how many of the best validated models stay in models/
  Precision precision = Precision::kAuto;
  int64_t max_bad_updates = 5;  ///< non-finite updates in a row that end the run (exit 6)
  int64_t keep_checkpoints = 2;
  int64_t keep_best = 1;  ///< number of best models to keep: 1 = only best/; more = also in models/
  int64_t average_last =
      0;  ///< number of newest validated (or, without validation, saved) models averaged at the end; 0 = none
  int64_t average_best = 0;  ///< the same for the best models; 0 = none
  std::string finetune_from;  ///< bundle whose weights, tokenizers and shape a new run starts with; empty = none
  std::string encoder_from;  ///< bundle of a BERT with which the encoder of a new run starts; empty = none
  std::string source_vectors;  ///< file of vectors with which the source embedding of a new run starts; empty = none
  std::string target_vectors;  ///< the same for the target embedding
  Period save_every;
  Period report_every;
  bool report = true;  ///< write report.html in the run folder: curves, translations, attention
  bool tensorboard = true;  ///< write an event file for TensorBoard into the run folder
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  GuidedAlignmentConfig guided_alignment;
  ScheduledSamplingConfig scheduled_sampling;
};

using Metric = metrics::ValidationMetric;

/// The words that BLEU compares (metrics/tokenization.h). kAuto: those that suit the script of the target side.
enum class BleuTokenize { kAuto, k13a, kIntl, kZh, kChar, kNone };

struct ValidationConfig {
  Period every;
  Metric metric = Metric::kBleu;  ///< decides which model is best, and early stopping
  int64_t patience = 0;  ///< validations without a better value that end the run; 0 = never
  int64_t beam_size = 0;  ///< of the validation's translations; 0 = decoding.beam_size
  int64_t batch_sentences = 64;
  int64_t max_sentences = 0;  ///< number of first sentences that each validation translates; 0 = all
  BleuTokenize tokenize = BleuTokenize::kAuto;  ///< chosen when a run begins, and then kept
};

/// All settings of a run. Settings files override these defaults, later files earlier ones, and flags all files.
struct RunConfig {
  DataConfig data;
  TokenizerConfig tokenizer;
  architecture::ArchitecturePtr model = architecture::defaults();  ///< without vocabulary sizes
  TrainingConfig training;
  ValidationConfig validation;
  model::DecodingDefaults decoding;

  RunConfig();

  /// Whether settings that need a corpus may stand without it, as in a settings file for several corpora.
  enum class Corpora { kAreGiven, kMayBeMissing };

  /// Throws ConfigError with the setting for an unknown key, a wrong type or an invalid value.
  static RunConfig parse(const nlohmann::json& source, Corpora corpora = Corpora::kAreGiven);

  /// Most tokens of a side without eos: data.max_length, or fewer if a batch cannot have so many.
  int64_t longest_side() const;

  nlohmann::json to_json() const;

  /// Every setting, for docs/settings.md; those of each family of models in a section of their own.
  static std::vector<core::SettingsSection> describe();

 private:
  static RunConfig parse_known(const nlohmann::json& source, Corpora corpora);
};

/// The most tokens of languages (model::LanguageTokens) that are added to a side of a pair; 0 if nothing is told.
int64_t most_marks(const RunConfig& config);

/// Throws ConfigError for a length or frequency in fractions of an epoch. (Those of older runs can still be read.)
void check_epochs(const RunConfig& config);

/// The name in settings and in signatures of BLEU ("13a"); "auto" for kAuto.
std::string name_of(BleuTokenize tokenize);

/// The name of a metric in settings and metrics.jsonl ("bleu").
std::string name_of(Metric metric);

}  // namespace ventris::settings
