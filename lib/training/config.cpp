#include "training/config.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/process.h"
#include "decoding/search.h"
#include "text/utf8.h"

namespace ventris::training {
namespace {

using core::Choices;
using core::JsonReader;
using nlohmann::json;

const Choices<OptimizerKind> kOptimizers{{"adam", OptimizerKind::kAdam}, {"adamw", OptimizerKind::kAdamW}};
const Choices<ScheduleKind> kSchedules{{"inverse_sqrt", ScheduleKind::kInverseSqrt},
                                       {"noam", ScheduleKind::kNoam},
                                       {"linear", ScheduleKind::kLinear},
                                       {"constant", ScheduleKind::kConstant}};
const Choices<Precision> kPrecisions{{"auto", Precision::kAuto}, {"f32", Precision::kF32}, {"bf16", Precision::kBf16}};
const Choices<Metric> kMetrics{
    {"bleu", Metric::kBleu}, {"chrf", Metric::kChrf}, {"loss", Metric::kLoss}, {"perplexity", Metric::kPerplexity}};
const Choices<SampledSides> kSampledSides{
    {"both", SampledSides::kBoth}, {"source", SampledSides::kSource}, {"target", SampledSides::kTarget}};
const Choices<text::TokenizerKind> kTokenizers{{"unigram", text::TokenizerKind::kUnigram},
                                               {"bpe", text::TokenizerKind::kBpe}};

/// Reads and checks the fields of a section. The writer below mirrors it, so that each field is named once.
class FieldReader {
 public:
  explicit FieldReader(JsonReader reader) : reader_(std::move(reader)) {}

  template <typename T>
  void operator()(const std::string& key, T& value) {
    reader_.optional(key, value);
  }
  void operator()(const std::string& key, int32_t& value, int64_t least) {
    int64_t wide = value;
    (*this)(key, wide, least);
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (wide > kMost) fail<ConfigError>(reader_.path_of(key), ": must be at most ", kMost, ", got ", wide);
    value = static_cast<int32_t>(wide);
  }
  template <typename T>
  void operator()(const std::string& key, T& value, T least) {
    reader_.optional(key, value);
    if (!(value >= least)) fail<ConfigError>(reader_.path_of(key), ": must be at least ", least, ", got ", value);
    if (value - value != T{0}) fail<ConfigError>(reader_.path_of(key), ": must be a finite number, got ", value);
  }
  void operator()(const std::string& key, uint64_t& value) { reader_.optional(key, value); }
  void operator()(const std::string& key, Period& value) {
    std::string text = value.text();
    reader_.optional(key, text);
    value = Period::parse(text, reader_.path_of(key));
  }
  template <typename E>
  void operator()(const std::string& key, E& value, const Choices<E>& choices) {
    reader_.choice(key, value, choices);
  }
  void operator()(const std::string& key, data::CorpusFiles& value) {
    std::vector<std::string> files;
    reader_.optional(key, files);
    if (files.empty()) return;
    if (files.size() > 2)
      fail<ConfigError>(reader_.path_of(key), ": expected [source, target] or [tsv], got ", files.size());
    value = {files[0], files.size() == 2 ? files[1] : ""};
  }
  void operator()(const std::string& key, std::vector<CorpusConfig>& value) {
    value.clear();
    for (JsonReader& reader : reader_.sections(key)) value.push_back(parse_corpus(reader));
  }
  template <typename Section>
  void section(const std::string& key, Section& value) {
    FieldReader inner(reader_.section(key));
    fields(inner, value);
    inner.finish();
  }
  JsonReader& reader() { return reader_; }
  void finish() const { reader_.finish(); }

 private:
  JsonReader reader_;
};

class FieldWriter {
 public:
  template <typename T, typename... Ignored>
  void operator()(const std::string& key, const T& value, const Ignored&...) {
    out[key] = value;
  }
  void operator()(const std::string& key, const Period& value) { out[key] = value.text(); }
  template <typename E>
  void operator()(const std::string& key, const E& value, const Choices<E>& choices) {
    out[key] = core::name_of(value, choices);
  }
  void operator()(const std::string& key, const data::CorpusFiles& value) {
    out[key] = json::array();
    if (!value.source.empty()) out[key].push_back(value.source);
    if (!value.target.empty()) out[key].push_back(value.target);
  }
  void operator()(const std::string& key, const std::vector<CorpusConfig>& value) {
    out[key] = json::array();
    for (const CorpusConfig& corpus : value) out[key].push_back(to_json(corpus));
  }
  template <typename Section>
  void section(const std::string& key, Section& value) {
    FieldWriter inner;
    fields(inner, value);
    out[key] = inner.out;
  }
  json out = json::object();
};

template <typename V>
void fields(V& visit, DataConfig& config) {
  visit("train", config.train);
  visit("corpora", config.corpora);
  visit("temperature", config.temperature, 0.01);
  visit("cache", config.cache);
  visit("valid", config.valid);
  visit("max_length", config.filter.max_length, int64_t{1});
  visit("max_ratio", config.filter.max_ratio, 1.0);
}

template <typename V>
void fields(V& visit, TokenizerConfig& config) {
  visit("source", config.source);
  visit("target", config.target);
  visit("shared", config.shared);
  visit("kind", config.learning.kind, kTokenizers);
  visit("vocab_size", config.learning.vocab_size, int64_t{8});
  visit("exact_size", config.learning.exact_size);
  visit("byte_fallback", config.learning.byte_fallback);
  visit("character_coverage", config.learning.character_coverage, 0.9);
  visit("max_sentences", config.learning.max_sentences, int64_t{1});
  visit("sampling_alpha", config.sampling_alpha, 0.0);
  visit("sample", config.sample, kSampledSides);
}

template <typename V>
void fields(V& visit, OptimizerConfig& config) {
  visit("kind", config.kind, kOptimizers);
  visit("beta1", config.beta1, 0.0);
  visit("beta2", config.beta2, 0.0);
  visit("epsilon", config.epsilon, 0.0);
  visit("weight_decay", config.weight_decay, 0.0);
}

template <typename V>
void fields(V& visit, ScheduleConfig& config) {
  visit("kind", config.kind, kSchedules);
  visit("learning_rate", config.learning_rate, 0.0);
  visit("warmup_updates", config.warmup_updates, int64_t{0});
  visit("total_updates", config.total_updates, int64_t{0});
}

template <typename V>
void fields(V& visit, TrainingConfig& config) {
  visit("after", config.after);
  visit("batch_tokens", config.batch_tokens, int64_t{1});
  visit("accumulate", config.accumulate, int64_t{1});
  visit("max_sentences", config.max_sentences, int64_t{0});
  visit("label_smoothing", config.label_smoothing, 0.0);
  visit("word_dropout", config.word_dropout, 0.0);
  visit("r_drop", config.r_drop, 0.0);
  visit("ema_decay", config.ema_decay, 0.0);
  visit("clip_norm", config.clip_norm, 0.0);
  visit("threads", config.threads, int64_t{1});
  visit("seed", config.seed);
  visit("device", config.device);
  visit("precision", config.precision, kPrecisions);
  visit("max_bad_updates", config.max_bad_updates, int64_t{1});
  visit("keep_checkpoints", config.keep_checkpoints, int64_t{1});
  visit("keep_best", config.keep_best, int64_t{1});
  visit("average_last", config.average_last, int64_t{0});
  visit("average_best", config.average_best, int64_t{0});
  visit("finetune_from", config.finetune_from);
  visit("save_every", config.save_every);
  visit("report_every", config.report_every);
  visit("report", config.report);
  visit("tensorboard", config.tensorboard);
  visit.section("optimizer", config.optimizer);
  visit.section("schedule", config.schedule);
}

template <typename V>
void fields(V& visit, ValidationConfig& config) {
  visit("every", config.every);
  visit("metric", config.metric, kMetrics);
  visit("patience", config.patience, int64_t{0});
  visit("beam_size", config.beam_size, int64_t{0});
  visit("batch_sentences", config.batch_sentences, int64_t{1});
  visit("max_sentences", config.max_sentences, int64_t{0});
}

template <typename V>
void fields(V& visit, model::DecodingDefaults& config) {
  visit("beam_size", config.beam_size, int64_t{1});
  visit("length_alpha", config.length_alpha, 0.0);
  visit("max_length_factor", config.max_length_factor, 0.0);
}

template <typename V>
void sections(V& visit, RunConfig& config) {
  visit.section("data", config.data);
  visit.section("tokenizer", config.tokenizer);
  visit.section("training", config.training);
  visit.section("validation", config.validation);
  visit.section("decoding", config.decoding);
}

architecture::ArchitecturePtr read_architecture(JsonReader& reader) {
  std::string family = architecture::kDefaultFamily;
  reader.optional("architecture", family);
  JsonReader settings = reader.section("model");
  const auto found = architecture::parse(family, "architecture", settings);
  settings.finish();
  return found;
}

/// Checks what a search would otherwise refuse hours later.
void check_decoding(int64_t beam_size, const RunConfig& config, const char* section) {
  try {
    decoding::SearchOptions options;
    options.beam_size = static_cast<int32_t>(std::min<int64_t>(beam_size, std::numeric_limits<int32_t>::max()));
    options.length_alpha = config.decoding.length_alpha;
    options.max_length_factor = config.decoding.max_length_factor;
    decoding::check(options);
  } catch (const ConfigError& error) {
    fail<ConfigError>(section, ": ", error.what());
  }
}

/// Checks which models are kept besides best/ and which are averaged.
void check_kept_models(const RunConfig& config) {
  const auto& training = config.training;
  for (const auto& [name, count] :
       {std::pair{"average_last", training.average_last}, {"average_best", training.average_best}}) {
    if (count == 1) fail<ConfigError>("training.", name, ": expected 0 (none) or at least 2 models, got 1");
  }
  if (training.average_last > 0 && training.average_best > 0) {
    fail<ConfigError>("training.average_last, training.average_best: expected only one of them, got ",
                      training.average_last, " and ", training.average_best);
  }
  if (!config.data.valid.source.empty()) return;
  for (const auto& [name, set] :
       {std::pair{"average_best", training.average_best > 0}, {"keep_best", training.keep_best > 1}}) {
    if (set) {
      fail<ConfigError>("training.", name, ": needs a validation corpus, which decides which models are best; give ",
                        "--valid SOURCE TARGET, or leave it out");
    }
  }
}

void check(const RunConfig& config) {
  check_kept_models(config);
  check(config.data);
  const auto& training = config.training;
  for (const auto& [name, value] : {std::pair{"label_smoothing", training.label_smoothing},
                                    {"word_dropout", training.word_dropout},
                                    {"ema_decay", training.ema_decay}}) {
    if (value >= 1) fail<ConfigError>("training.", name, ": must be under 1, got ", value);
  }
  if (config.tokenizer.sampling_alpha > 1) {
    fail<ConfigError>("tokenizer.sampling_alpha: must be at most 1, got ", config.tokenizer.sampling_alpha);
  }
  if (training.threads > 1024) fail<ConfigError>("training.threads: must be at most 1024, got ", training.threads);
  if (training.optimizer.beta1 >= 1 || training.optimizer.beta2 >= 1) {
    fail<ConfigError>("training.optimizer: beta1 and beta2 must be under 1");
  }
  if (training.optimizer.epsilon <= 0) {  // parameters without gradients would become 0 / 0
    fail<ConfigError>("training.optimizer.epsilon: must be over 0, got ", training.optimizer.epsilon);
  }
  if (training.schedule.kind == ScheduleKind::kLinear &&
      training.schedule.total_updates <= training.schedule.warmup_updates) {
    fail<ConfigError>("training.schedule.total_updates: must be over warmup_updates (",
                      training.schedule.warmup_updates, ") for the linear schedule, got ",
                      training.schedule.total_updates);
  }
  if (training.device != "cpu" && !training.device.starts_with("cuda")) {
    fail<ConfigError>("training.device: expected cpu, cuda or cuda:N, got '", training.device, "'");
  }
  config.model->check_tokenizers(config.tokenizer.shared);
  if (config.decoding.length_alpha > 10) {
    fail<ConfigError>("decoding.length_alpha: must be at most 10, got ", config.decoding.length_alpha);
  }
  check_decoding(config.decoding.beam_size, config, "decoding");
  check_decoding(config.validation.beam_size > 0 ? config.validation.beam_size : config.decoding.beam_size, config,
                 "validation");
  if (config.data.filter.max_length >= config.model->max_length()) {
    fail<ConfigError>("data.max_length: ", config.data.filter.max_length,
                      " tokens and eos are over the maximum length of the model (", config.model->max_length(), ")");
  }
}

/// Settings are written as JSON, which allows only valid UTF-8.
void check_utf8(const json& source) {
  const json flat = source.flatten();
  for (const auto& [path, value] : flat.items()) {
    if (!value.is_string() || text::is_valid_utf8(value.get<std::string>())) continue;
    std::string key = path.empty() ? path : path.substr(1);  // of a JSON pointer
    std::replace(key.begin(), key.end(), '/', '.');
    fail<ConfigError>(key, ": expected valid UTF-8; rename the file or use a link with another name");
  }
}

}  // namespace

bool TrainingConfig::has_bf16_arithmetic() const {
  return device != "cpu" || core::instruction_set().find("bf16") != std::string::npos;
}

bool TrainingConfig::uses_bf16() const {
  return precision == Precision::kAuto ? has_bf16_arithmetic() : precision == Precision::kBf16;
}

int64_t TrainingConfig::best_models_kept() const { return std::max(average_best, keep_best > 1 ? keep_best : 0); }

RunConfig::RunConfig() {
  training.save_every = Period::parse("1000u", "training.save_every");
  training.report_every = Period::parse("100u", "training.report_every");
  validation.every = Period::parse("1000u", "validation.every");
}

RunConfig RunConfig::parse(const json& source) {
  check_utf8(source);
  RunConfig config;
  FieldReader visit(JsonReader(source, ""));
  sections(visit, config);
  config.model = read_architecture(visit.reader());
  visit.finish();
  check(config);
  return config;
}

json RunConfig::to_json() const {
  FieldWriter visit;
  RunConfig copy = *this;
  sections(visit, copy);
  visit.out["architecture"] = model->family();
  visit.out["model"] = model->to_json();
  return visit.out;
}

void check_epochs(const RunConfig& config) {
  const TrainingConfig& training = config.training;
  for (const auto& [setting, period] : {std::pair{"training.after", training.after},
                                        {"training.save_every", training.save_every},
                                        {"training.report_every", training.report_every},
                                        {"validation.every", config.validation.every}}) {
    if (!period.splits_epochs()) continue;
    fail<ConfigError>(setting, ": expected whole epochs, got '", period.text(),
                      "'; give updates (u) or target tokens (t)");
  }
}

std::string name_of(Metric metric) {
  for (const auto& [name, value] : kMetrics) {
    if (value == metric) return name;
  }
  return "";
}

bool more_is_better(Metric metric) { return metric == Metric::kBleu || metric == Metric::kChrf; }

}  // namespace ventris::training
