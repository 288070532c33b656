#include "translation/score_settings.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"

namespace ventris::translation {
namespace {

using nlohmann::json;

const std::vector<std::pair<std::string, ScoreFormat>> kFormats{{"text", ScoreFormat::kText},
                                                                {"jsonl", ScoreFormat::kJsonl}};

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
  core::JsonReader reader(source, "");
  reader.optional("model", settings.model);
  reader.optional("source", settings.source);
  reader.optional("target", settings.target);
  reader.optional("tsv", settings.tsv);
  reader.optional("n_best", settings.n_best);
  reader.optional("output", settings.output);
  reader.optional("feature", settings.feature);
  reader.optional("sort", settings.sort);
  reader.optional("summary", settings.summary);
  reader.optional("word_scores", settings.word_scores);
  reader.optional("strict", settings.strict);
  reader.choice("format", settings.format, kFormats);
  reader.optional("device", settings.device);
  reader.optional("normalize", settings.scorer.length_alpha);
  reader.optional("mini_batch", settings.scorer.batch.sentences);
  reader.optional("mini_batch_words", settings.scorer.batch.tokens);
  reader.optional("maxi_batch", settings.scorer.window_lines);
  reader.optional("threads", settings.scorer.workers);
  reader.finish();
  check(settings.scorer);
  check_inputs(settings);
  check_outputs(settings);
  return settings;
}

json ScoreSettings::to_json() const {
  return {{"model", model},
          {"source", source},
          {"target", target},
          {"tsv", tsv},
          {"n_best", n_best},
          {"output", output},
          {"feature", feature},
          {"sort", sort},
          {"summary", summary},
          {"word_scores", word_scores},
          {"strict", strict},
          {"format", format == ScoreFormat::kJsonl ? "jsonl" : "text"},
          {"device", device},
          {"normalize", scorer.length_alpha},
          {"mini_batch", scorer.batch.sentences},
          {"mini_batch_words", scorer.batch.tokens},
          {"maxi_batch", scorer.window_lines},
          {"threads", scorer.workers}};
}

}  // namespace ventris::translation
