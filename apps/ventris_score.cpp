#include "filters/score_file.h"
#include "model/package.h"
#include "support/choices.h"
#include "support/computing_flags.h"
#include "support/model_flags.h"
#include "support/run.h"
#include "support/settings.h"
#include "translation/ensemble.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::apps::Settings;
using ventris::filters::ScoreSettings;

using Text = std::string;

void add_file_flags(Settings& settings) {
  const char* group = "Input and output";
  settings.flag<Text>("SRC", "/source", "Source sentences, one per line; plain or .gz", group)->type_name("FILE");
  settings
      .flag<Text>("TGT", "/target",
                  "Target sentences, one per line. Without SRC and TGT, standard input is read as --tsv", group)
      ->type_name("FILE");
  ventris::apps::add_model_flags(settings, group);
  ventris::apps::add_language_flags(settings, group);
  settings.flag<Text>("--tsv", "/tsv", "Pairs in one file, source TAB target", group)->type_name("FILE");
  settings.flag<Text>("--n-best", "/n_best", "Score the translations of a Moses n-best list of SRC", group)
      ->type_name("LIST");
  settings.flag<Text>("-o,--output", "/output", "Output file, plain or .gz", group)->type_name("FILE");
  settings.flag<Text>("--format", "/format", "Output format: text or jsonl", group)
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::filters::score_formats())));
  settings.add_switch("--strict", "/strict", "Refuse invalid UTF-8, and end with an error if text was lost", group);
}

void add_score_flags(Settings& settings) {
  const char* group = "Scores";
  settings
      .flag<double>("-n,--normalize", "/normalize",
                    "Score = log-probability / tokens^ALPHA; -n without a value, as the last flag: 1", group)
      ->expected(0, 1)
      ->default_val(1.0)
      ->option_text("[ALPHA]");
  settings.flag<int64_t>("--context", "/context", "Give the model this number of pairs before each pair", group)
      ->type_name("N");
  settings.add_switch("--word-scores", "/word_scores", "Also write the log-probability of each token", group);
  settings.add_switch("--summary", "/summary", "Print only counts and perplexities of the whole file", group);
  settings.flag<Text>("--feature", "/feature", "Name of the new feature in the n-best list", group);
  settings
      .flag<Text>("--feature-weights", "/feature_weights",
                  "Weights such as \"Score= 0.6 LM0= 0.4\": their sum becomes the last field in the n-best list", group)
      ->type_name("WEIGHTS");
  settings.add_switch("--sort", "/sort",
                      "Sort the translations of each sentence in the n-best list by score, or by the sum", group);
}

void add_speed_flags(Settings& settings) {
  const char* group = "Speed";
  ventris::apps::add_computing_flags(
      settings, group,
      {"Maximum pairs per batch", "Maximum padded tokens per batch", "Pairs read ahead and sorted by length"});
  settings.flag<int64_t>("--workspace", "/workspace", "Memory in MiB for what each thread scores at once", group)
      ->type_name("MIB");
}

void score(const nlohmann::json& merged, bool dump) {
  const auto settings = ScoreSettings::parse(merged);
  if (dump) {
    ventris::apps::print_settings(settings.to_json());
    return;
  }
  ventris::filters::require_model(settings.model);
  auto loaded = ventris::translation::read_models(settings.model.paths);
  const auto package = ventris::translation::common_package(loaded, settings.scorer.context);
  ventris::filters::check_output(settings.model, settings.output);
  ventris::filters::score_file(settings, package, [&] {
    return ventris::translation::open_models(
        std::move(loaded), {settings.device, settings.backend, settings.precision, false}, settings.model.ensemble());
  });
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, ScoreSettings().to_json());
  auto dump = std::make_shared<bool>(false);
  add_file_flags(*settings);
  add_score_flags(*settings);
  add_speed_flags(*settings);
  app.add_flag("--dump-config", *dump, "Print all settings and stop");
  return [settings, dump] { settings->with_merged([&dump](const nlohmann::json& merged) { score(merged, *dump); }); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-score",
                                       "Computes the log-probabilities of given translations.",
                                       "ventris-score -m run/best test.en test.de --summary",
                                       ventris::translation::describe_backend,
                                       true,
                                       ScoreSettings::describe};
  return ventris::apps::run(argc, argv, program, set_up);
}
