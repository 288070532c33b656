#include "settings/config_checks.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "decoding/search.h"
#include "text/placeholder_words.h"
#include "text/term_marks.h"

namespace ventris::settings {
namespace {

/// Checks what a search would otherwise refuse hours later.
void check_decoding(int64_t beam_size, const RunConfig& config, const char* section) {
  try {
    decoding::SearchOptions options;
    options.beam_size = static_cast<int32_t>(std::min<int64_t>(beam_size, std::numeric_limits<int32_t>::max()));
    options.length_alpha = config.decoding.length_alpha;
    options.max_length_factor = config.decoding.max_length_factor;
    options.iterations = static_cast<int32_t>(config.decoding.iterations);
    options.length_candidates = static_cast<int32_t>(config.decoding.length_candidates);
    decoding::check(options);
    if (config.model->translates()) decoding::check(options, config.model->writing());
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
}

/// Checks what a new run starts from.
void check_start(const TrainingConfig& training) {
  const auto exclude = [](const char* one, const std::string& first, const char* other, const std::string& second) {
    if (first.empty() || second.empty()) return;
    fail<ConfigError>("training.", one, ", training.", other, ": expected only one of them, got ", first, " and ",
                      second, "; leave one of them out");
  };
  exclude("encoder_from", training.encoder_from, "finetune_from", training.finetune_from);
  exclude("source_vectors", training.source_vectors, "finetune_from", training.finetune_from);
  exclude("target_vectors", training.target_vectors, "finetune_from", training.finetune_from);
  exclude("source_vectors", training.source_vectors, "encoder_from", training.encoder_from);
}

void check_metric(Metric metric, const architecture::Architecture& model) {
  using metrics::MeasuredOn;
  std::optional<MeasuredOn> made;
  if (model.translates()) made = MeasuredOn::kTranslations;
  if (model.corpus_kind() == architecture::CorpusKind::kLabels) made = MeasuredOn::kLabels;
  const metrics::MetricFacts& facts = metrics::facts_of(metric);
  if (facts.measured_on == MeasuredOn::kProbabilities || facts.measured_on == made) return;
  if (facts.measured_on == MeasuredOn::kLabels) {
    fail<ConfigError>("validation.metric: ", facts.name,
                      " is measured only for classifiers, and a model of the family '", model.family(),
                      "' is none; use ", metrics::names_for(made));
  }
  fail<ConfigError>("validation.metric: ", facts.name, " needs translations, which a model of the family '",
                    model.family(), "' does not make; use ", metrics::names_for(made));
}

/// Checks the settings of a model that does not translate.
void check_without_translations(const RunConfig& config) {
  if (config.model->translates()) return;
  for (const auto& [name, value] :
       {std::pair{"r_drop", config.training.r_drop}, {"word_dropout", config.training.word_dropout}}) {
    if (value > 0) fail<ConfigError>("training.", name, ": is only for models that translate; leave it out");
  }
}

/// Checks the settings of learning that not every model has.
void check_learning(const RunConfig& config) {
  if (!config.model->smooths_labels() && config.training.label_smoothing > 0) {
    fail<ConfigError>("training.label_smoothing: CTC has no single target at a position to smooth; use 0, or another ",
                      "objective of the model, got ", config.training.label_smoothing);
  }
  if (config.model->writing().all_at_once && config.training.r_drop > 0) {
    fail<ConfigError>("training.r_drop: is only for models that write token by token; leave it out");
  }
}

/// Only a Transformer has all positions at once and still reads the target token by token.
void check_scheduled_sampling(const RunConfig& config) {
  if (config.training.scheduled_sampling.share == 0 || config.model->family() == "transformer") return;
  fail<ConfigError>("training.scheduled_sampling: is only for models of the family 'transformer'; '",
                    config.model->family(), "' is another family, so leave the setting out");
}

/// A tokenizer of pieces takes the words of a text as they are.
void check_pieces(const RunConfig& config) {
  if (config.tokenizer.learning.kind != text::TokenizerKind::kPieces) return;
  if (config.tokenizer.sampling_alpha > 0) {
    fail<ConfigError>("tokenizer.sampling_alpha: a tokenizer of kind 'pieces' divides no words; leave it out");
  }
  if (config.tokenizer.learning.byte_fallback) {
    fail<ConfigError>("tokenizer.byte_fallback: a tokenizer of kind 'pieces' takes words as they are; leave it out");
  }
  if (config.model->special_pieces().empty()) return;
  fail<ConfigError>("tokenizer.kind: expected unigram or bpe for a model of the family '", config.model->family(),
                    "', which needs the piece ", config.model->special_pieces().front(), ", found 'pieces'");
}

/// Changes of the training text are made of sentence pairs that the tokenizer divides.
void check_modifiers(const RunConfig& config) {
  if (config.data.modifiers.empty()) return;
  if (config.model->corpus_kind() != architecture::CorpusKind::kPairs) {
    fail<ConfigError>("data.modifiers: change sentence pairs, and a model of the family '", config.model->family(),
                      "' learns from other text; leave the setting out");
  }
  if (config.tokenizer.learning.kind == text::TokenizerKind::kPieces) {
    fail<ConfigError>(
        "data.modifiers: a tokenizer of kind 'pieces' does not know the changed words; leave the setting ",
        "out, or use a tokenizer of kind unigram or bpe");
  }
}

/// The piece that separates sentences may not be one that modifiers put into them.
void check_separator(const DataConfig& data) {
  const std::string& separator = data.context.separator;
  const bool marks_terms = separator == text::kTermBegin || separator == text::kTermEnd;
  const bool is_placeholder = std::ranges::find(text::kPlaceholderWords, separator) != text::kPlaceholderWords.end();
  for (const auto& [used, kind] :
       {std::pair{marks_terms, modifiers::ModifierKind::kTerms}, {is_placeholder, modifiers::ModifierKind::kTags}}) {
    if (!used || !data.has(kind)) continue;
    fail<ConfigError>("data.context.separator: the kind '", modifiers::name_of(kind),
                      "' of data.modifiers writes the piece ", separator, " into sentences; name another separator");
  }
}

/// Context is put before sentence pairs.
void check_context(const RunConfig& config) {
  if (config.data.context.sentences == 0) return;
  const architecture::Architecture& model = *config.model;
  if (model.corpus_kind() != architecture::CorpusKind::kPairs) {
    fail<ConfigError>("data.context: belongs to sentence pairs, and a model of the family '", model.family(),
                      "' learns from other text; leave the setting out");
  }
  if (config.data.context.sides == data::ContextSides::kBoth && model.writing().all_at_once) {
    fail<ConfigError>("data.context.sides: a model of the family '", model.family(),
                      "' writes all tokens at once, so it cannot write the sentences before; use 'source'");
  }
  check_separator(config.data);
}

/// Checks which attention learns links.
void check_guided_alignment(const RunConfig& config) {
  const GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (config.data.needs_links() && !guided.on()) {
    const auto kind = config.data.has(modifiers::ModifierKind::kTags) ? modifiers::ModifierKind::kTags
                                                                      : modifiers::ModifierKind::kTerms;
    fail<ConfigError>("data.modifiers: the kind '", modifiers::name_of(kind), "' needs links between words; set ",
                      "training.guided_alignment.links, to 'train' for example (and its weight to 0 if no attention ",
                      "should learn them)");
  }
  if (!guided.on()) return;
  const architecture::SourceAttention size = config.model->guidable_attention();
  if (size.layers == 0) {
    fail<ConfigError>(
        "training.guided_alignment: is only for models of the family 'transformer', which write token by ",
        "token with attention to the source in each layer; '", config.model->family(),
        "' is another family, so leave the setting out");
  }
  if (guided.layer > size.layers) {
    fail<ConfigError>("training.guided_alignment.layer: the model has ", size.layers, " decoder ",
                      size.layers == 1 ? "layer" : "layers", ", got ", guided.layer);
  }
  if (guided.head > size.heads) {
    fail<ConfigError>("training.guided_alignment.head: the model has ", size.heads, " heads, got ", guided.head);
  }
}

/// Checks where the links of the training corpora come from.
void check_links(const RunConfig& config) {
  constexpr const char* kName = "training.guided_alignment.links";
  const auto has_links = [](const CorpusConfig& corpus) { return !corpus.spec.links.empty(); };
  const bool any = std::ranges::any_of(config.data.corpora, has_links);
  const std::string& links = config.training.guided_alignment.links;
  if (links == kLinksOfCorpora) {
    if (any) return;
    fail<ConfigError>(kName, ": is 'corpora', but no entry of data.corpora has links; add \"links\": FILE to one");
  }
  if (any) fail<ConfigError>("data.corpora: links have an effect only with 'corpora' in ", kName, "; set it");
  if (config.data.train_links.empty() || config.data.corpora.size() < 2) return;
  fail<ConfigError>(kName, ": a file has the links of one corpus, but the run has several (data.corpora); give each ",
                    "entry its \"links\", and set this to 'corpora'");
}

}  // namespace

void check_needed_corpora(const RunConfig& config) {
  check_links(config);
  const auto& training = config.training;
  if (!config.data.valid.source.empty()) return;
  for (const auto& [name, set] :
       {std::pair{"average_best", training.average_best > 0}, {"keep_best", training.keep_best > 1}}) {
    if (set) {
      fail<ConfigError>("training.", name, ": needs a validation corpus, which decides which models are best; give ",
                        "--valid SOURCE TARGET, or leave it out");
    }
  }
}

/// The model must have the languages of its corpora. What each must be told is checked where the marks are made.
void check_languages(const RunConfig& config) {
  const model::LanguageMap& languages = config.tokenizer.languages;
  std::string known;
  for (const auto& [name, _] : languages) known += (known.empty() ? "" : ", ") + name;
  for (const auto& [setting, name] : config.data.named_languages()) {
    if (config.model->task() != "translation") {
      fail<ConfigError>(setting, ": a model of the family '", config.model->family(),
                        "' cannot be told languages in training, found '", name, "'; leave it out");
    }
    if (languages.contains(name)) continue;
    fail<ConfigError>(setting, ": expected a language of the model", known.empty() ? ", which has none" : ", " + known,
                      ", found '", name,
                      "'; start from a model that has it (--finetune-from), or give its corpora a tag that tells it");
  }
}

void check(const RunConfig& config) {
  check_kept_models(config);
  check_start(config.training);
  check(config.data);
  const auto& training = config.training;
  if (training.optimizer.beta1 >= 1 || training.optimizer.beta2 >= 1) {
    fail<ConfigError>("training.optimizer: beta1 and beta2 must be under 1");
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
  if (config.tokenizer.common_ids && config.tokenizer.shared) {
    fail<ConfigError>("tokenizer.common_ids: is only for two tokenizers (\"shared\": false); leave it out");
  }
  check_languages(config);
  config.model->check_tokenizers(config.tokenizer.shared || config.tokenizer.common_ids);
  check_metric(config.validation.metric, *config.model);
  check_without_translations(config);
  check_learning(config);
  check_scheduled_sampling(config);
  check_pieces(config);
  check_modifiers(config);
  check_context(config);
  check_guided_alignment(config);
  if (config.tokenizer.sampling_alpha > 0 && config.model->corpus_kind() == architecture::CorpusKind::kRunningText) {
    fail<ConfigError>(
        "tokenizer.sampling_alpha: subword sampling is for sentence pairs, not for running text; leave it ", "out");
  }
  check_decoding(config.decoding.beam_size, config, "decoding");
  check_decoding(config.validation.beam_size > 0 ? config.validation.beam_size : config.decoding.beam_size, config,
                 "validation");
  const int64_t marks = most_marks(config);
  if (config.data.filter.max_length >= config.model->max_length() - marks) {
    fail<ConfigError>("data.max_length: ", config.data.filter.max_length,
                      marks > 0 ? " tokens, " + std::to_string(marks) + " of languages" : " tokens",
                      " and eos are over the maximum length of the model (", config.model->max_length(), ")");
  }
}

}  // namespace ventris::settings
