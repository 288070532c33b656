#include "filters/score_settings.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/fields.h"
#include "core/json_reader.h"
#include "filters/computing_fields.h"
#include "filters/language_fields.h"
#include "filters/model_fields.h"
#include "translation/model_text.h"

namespace ventris::filters {

const core::Choices<ScoreFormat>& score_formats() {
  static const core::Choices<ScoreFormat> kFormats{{"text", ScoreFormat::kText}, {"jsonl", ScoreFormat::kJsonl}};
  return kFormats;
}

namespace {

using nlohmann::json;

/// translation::check() knows the limits.
template <typename V>
void fields(V& visit, ScoreSettings& settings) {
  model_fields(visit, settings.model);
  visit({"source", "File of the sources, a sentence per line. Empty: pairs come from `tsv`."}, settings.source);
  visit({"target", "File of the targets, a line for each source."}, settings.target);
  visit({"tsv", "File of pairs, with a TAB between source and target. `-`: standard input."}, settings.tsv);
  visit({"n_best",
         "Moses n-best list. Its translations of the lines of `source` are scored, and `target` is not read. Empty: "
         "none."},
        settings.n_best);
  visit({"output", "File of the scores. `-`: standard output. A file whose name ends in `.gz` is written as gzip."},
        settings.output);
  visit({"feature", core::kHelpOfItsFlag}, settings.feature);
  visit({"feature_weights",
         "Weights of features of an n-best list, in the form of its features: `Score= 0.6 LM0= 0.4`. The sum of the "
         "features times their weights becomes the last field of each line. Empty: no sum."},
        settings.feature_weights);
  visit({"sort", core::kHelpOfItsFlag}, settings.sort);
  visit({"summary", core::kHelpOfItsFlag}, settings.summary);
  visit({"word_scores", core::kHelpOfItsFlag}, settings.word_scores);
  visit({"strict", core::kHelpOfItsFlag}, settings.strict);
  visit({"format", "Numbers as text, or one JSON object per pair."}, settings.format, score_formats());
  computing_fields(visit, settings);
  language_fields(visit, settings.scorer);
  visit.checked_later({"normalize",
                       "Normalisation alpha: score = log-probability / length^alpha. 0: no normalisation. The flag "
                       "without a value means 1."},
                      settings.scorer.length_alpha, {.least = 0, .most = 10});
  visit({"context",
         "How many pairs before a pair the model also gets. 0: none. Only for models that have learnt it "
         "(`data.context`). See [The sentences before](translating.md#the-sentences-before)."},
        settings.scorer.context, {.least = 0, .most = model::kMostContext});
  visit.checked_later({"mini_batch", "Pairs per batch at most."}, settings.scorer.batch.sentences, {.least = 1});
  visit.checked_later(
      {"mini_batch_words", "Padded tokens of the longer side per batch at most. A longer pair is a batch of its own."},
      settings.scorer.batch.tokens, {.least = 1});
  visit.checked_later({"maxi_batch", "Pairs that are read ahead and sorted by length."}, settings.scorer.window_lines,
                      {.least = 1, .most = translation::kMostWindowLines});
  visit.checked_later({"workspace",
                       "MiB of memory for what each thread scores at the same time. See "
                       "[Memory](speed.md#memory)."},
                      settings.scorer.workspace, {.least = 1, .most = translation::kMostWorkspace});
  visit.checked_later({"threads", "CPU threads, each of which scores batches of its own."}, settings.scorer.workers,
                      {.least = 1, .most = translation::kMostWorkers});
}

void check_inputs(const ScoreSettings& settings) {
  const bool listed = !settings.n_best.empty();
  if (listed && settings.source.empty()) {
    fail<ConfigError>("n_best: the sources of the list are missing; give their file: ventris-score --n-best LIST SRC");
  }
  if (listed && !settings.target.empty()) {
    fail<ConfigError>("target: an n-best list already has the targets; give --n-best LIST SRC, or SRC TGT");
  }
  if (!listed && settings.source.empty() != settings.target.empty()) {
    fail<ConfigError>("source, target: one of them is missing; give SRC and TGT, or TAB-separated pairs with --tsv");
  }
  if (!settings.source.empty() && settings.tsv != "-") {
    fail<ConfigError>("source, tsv: cannot be used together; give SRC and TGT, or --tsv");
  }
  if (settings.source == "-" && (settings.target == "-" || settings.n_best == "-")) {
    fail<ConfigError>("source: standard input can be only one of the files; give a file for the other");
  }
}

/// The numbers of feature_weights.
Features read_feature_weights(const ScoreSettings& settings) {
  if (settings.feature_weights.empty()) return {};
  if (settings.n_best.empty()) fail<ConfigError>("feature_weights: have an effect only with --n-best");
  if (settings.summary)
    fail<ConfigError>("summary, feature_weights: cannot be used together, because a summary has no n-best list");
  auto weights = parse_features(settings.feature_weights);
  if (!weights || weights->empty()) {
    fail<ConfigError>("feature_weights: expected names with weights, such as \"Score= 0.6 LM0= 0.4\", got '",
                      settings.feature_weights, "'");
  }
  const auto score = weights->find(settings.feature);
  if (score == weights->end() || score->second.size() != 1) {
    fail<ConfigError>("feature_weights: expected one weight of the new feature, ", settings.feature, ", got ",
                      score == weights->end() ? 0 : score->second.size());
  }
  return std::move(*weights);
}

void check_outputs(const ScoreSettings& settings) {
  if (settings.sort && settings.n_best.empty()) fail<ConfigError>("sort: has an effect only with --n-best");
  if (settings.summary && settings.sort)
    fail<ConfigError>("summary, sort: cannot be used together, because a summary is not sorted");
  if (settings.summary && settings.word_scores)
    fail<ConfigError>("summary, word_scores: cannot be used together, because a summary has no tokens");
  if (settings.feature.empty() || settings.feature.find_first_of(" \t\n|=") != std::string::npos) {
    fail<ConfigError>("feature: must be a word without '=' and '|', got '", settings.feature, "'");
  }
}

}  // namespace

ScoreSettings ScoreSettings::parse(const json& source) {
  ScoreSettings settings;
  const json listed = with_model_list(source);
  core::JsonReader reader(listed, "");
  core::FieldReader visit(reader);
  fields(visit, settings);
  reader.finish();
  check(settings.model);
  check(settings.scorer);
  check_inputs(settings);
  check_outputs(settings);
  settings.weights = read_feature_weights(settings);
  return settings;
}

json ScoreSettings::to_json() const {
  core::FieldWriter visit;
  ScoreSettings copy = *this;
  fields(visit, copy);
  return visit.out;
}

std::vector<core::SettingsSection> ScoreSettings::describe() {
  core::FieldList list;
  ScoreSettings settings;
  fields(list, settings);
  return std::move(list.sections);
}

}  // namespace ventris::filters
