#include <iostream>

#include "core/error.h"
#include "model/package.h"
#include "support/run.h"
#include "support/settings.h"
#include "translation/scorer_loader.h"
#include "translation/translate_file.h"

namespace {

using ventris::apps::Settings;
using ventris::translation::TranslateSettings;

void add_flags(Settings& settings) {
  using Text = std::string;
  const char *files = "Input and output", *search = "Search", *speed = "Speed";
  settings.flag<Text>("-m,--model", "/model", "Bundle folder, or a TorchScript file of ventris-export", files)->type_name("MODEL");
  settings.flag<Text>("-i,--input", "/input", "File to translate, a sentence a line; .gz by suffix", files)->type_name("FILE");
  settings.flag<Text>("-o,--output", "/output", "Where the translations go", files)->type_name("FILE");
  settings.flag<Text>("--format", "/format", "text, or moses: ID ||| text ||| F0= log-prob ||| score", files);
  settings.flag<Text>("--force-prefix", "/force_prefix", "How each translation begins, a line each", files)->type_name("FILE");
  settings.flag<bool>("--strict", "/strict", "Refuse invalid UTF-8 instead of replacing it (true or false)", files)->expected(0, 1)->default_val(true);
  settings.flag<int64_t>("-b,--beam-size", "/beam_size", "Hypotheses kept a sentence; 1 = greedy [the model's own]", search);
  settings.flag<double>("-n,--normalize", "/normalize", "Score = log-prob / length^ALPHA [the model's own]", search)->type_name("ALPHA")->expected(0, 1)->default_val(1.0);
  settings.flag<int64_t>("--n-best", "/n_best", "Translations a sentence; over 1 implies --format moses", search);
  settings.flag<int64_t>("--min-length", "/min_length", "Fewest target tokens", search);
  settings.flag<double>("--max-length-factor", "/max_length_factor", "Most target tokens: FACTOR x source tokens + 10", search);
  settings.flag<bool>("--allow-unk", "/allow_unk", "Let the unknown token be generated", search)->expected(0, 1)->default_val(true);
  settings.flag<bool>("--sampling", "/sampling", "Draw translations instead of searching the best", search)->expected(0, 1)->default_val(true);
  settings.flag<int64_t>("--top-k", "/top_k", "Draw among this many best tokens; 0 = all", search);
  settings.flag<double>("--top-p", "/top_p", "Draw among the fewest tokens with this much probability", search);
  settings.flag<double>("--temperature", "/temperature", "Flattens (over 1) or sharpens the distribution drawn from", search);
  settings.flag<int64_t>("--seed", "/seed", "Decides the draws", search);
  settings.flag<int64_t>("--max-source-length", "/max_source_length", "Cut lines to so many tokens; 0 = what the model can take", speed);
  settings.flag<int64_t>("--threads", "/threads", "Sentences are searched on this many threads", speed);
  settings.flag<int64_t>("--mini-batch", "/mini_batch", "Most sentences a batch", speed);
  settings.flag<int64_t>("--mini-batch-words", "/mini_batch_words", "Most padded source tokens a batch", speed);
  settings.flag<int64_t>("--maxi-batch", "/maxi_batch", "Lines read ahead and sorted by length", speed);
  settings.flag<Text>("--device", "/device", "cpu, cuda or cuda:N", speed);
}

/// The user's mistakes, before a model is looked at.
TranslateSettings check(const nlohmann::json& merged) {
  ventris::model::DecodingDefaults open;
  open.beam_size = 1000;  // whether n_best fits the beam can be said only with the model's own
  return TranslateSettings::parse(merged, open);
}

void translate(const nlohmann::json& merged, bool dump) {
  const std::string model = check(merged).model;
  if (model.empty() && dump) {
    std::cout << TranslateSettings::parse(merged, {}).to_json().dump(2) << '\n';
    return;
  }
  if (model.empty()) ventris::fail<ventris::ConfigError>("--model: the model is missing; give -m BUNDLE or -m FILE.pt");
  const auto package = ventris::model::open_package(model);
  const auto settings = TranslateSettings::parse(merged, package.config.decoding);
  if (dump) {
    std::cout << settings.to_json().dump(2) << '\n';
    return;
  }
  const auto scorers = ventris::translation::load_scorers({model, settings.device, settings.allow_unk});
  ventris::translation::translate_file(settings, package, scorers);
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, TranslateSettings().to_json());
  auto dump = std::make_shared<bool>(false);
  add_flags(*settings);
  app.add_flag("--dump-config", *dump, "Print the settings, with what the model brings along, and stop");
  return [settings, dump] { translate(settings->merged(), *dump); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-translate", "Translate text, a sentence a line.",
                                       "echo \"two dogs play\" | ventris-translate -m run/best --beam-size 5",
                                       ventris::translation::describe_backend};
  return ventris::apps::run(argc, argv, program, set_up);
}
