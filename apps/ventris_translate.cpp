#include "core/error.h"
#include "decoding/search.h"
#include "model/package.h"
#include "support/choices.h"
#include "support/run.h"
#include "support/settings.h"
#include "translation/scorer_loader.h"
#include "filters/translate_file.h"

namespace {

using ventris::apps::Settings;
using ventris::filters::TranslateSettings;

using Text = std::string;

void add_file_flags(Settings& settings) {
  const char* group = "Input and output";
  settings.flag<Text>("-m,--model", "/model", "Bundle folder, or a TorchScript file of ventris-export", group)
      ->type_name("MODEL");
  settings.flag<Text>("-i,--input", "/input", "File to translate, a sentence a line; .gz by suffix", group)
      ->type_name("FILE");
  settings.flag<Text>("-o,--output", "/output", "Where the translations go; .gz by suffix", group)->type_name("FILE");
  settings.flag<Text>("--input-format", "/input_format", "text, or jsonl: objects with a \"text\"", group)
      ->check(ventris::apps::offers({"text", "jsonl"}));
  settings.flag<Text>("--format", "/format", "text, moses (ID ||| text ||| F0= log-prob ||| score) or jsonl", group)
      ->check(ventris::apps::offers({"text", "moses", "jsonl"}));
  settings.add_switch("--word-scores", "/word_scores", "Also write the log-probability of each token", group);
  settings.add_switch("--alignment", "/alignment", "Also write links between words, 0-0 1-2 (source-target)", group);
  settings.flag<Text>("--force-prefix", "/force_prefix", "How each translation begins, a line each", group)
      ->type_name("FILE");
  settings.add_switch("--strict", "/strict", "Refuse invalid UTF-8 instead of replacing it", group);
}

void add_search_flags(Settings& settings) {
  const char* group = "Search";
  settings
      .flag<int64_t>("-b,--beam-size", "/beam_size",
                     "Hypotheses kept a sentence, at most 256; 1 = greedy; default: the model's own", group)
      ->option_text("INT");
  settings
      .flag<double>("-n,--normalize", "/normalize",
                    "Score = log-prob / length^ALPHA; alone: 1; default: the model's own", group)
      ->expected(0, 1)
      ->default_val(1.0)
      ->option_text("[ALPHA]");
  settings.flag<int64_t>("--n-best", "/n_best", "Translations a sentence; over 1 makes text --format moses", group);
  settings.flag<int64_t>("--min-length", "/min_length", "Fewest target tokens", group);
  settings
      .flag<double>("--max-length-factor", "/max_length_factor",
                    "Most target tokens: FACTOR x source tokens + 10; default: the model's own", group)
      ->option_text("FACTOR");
  settings.add_switch("--allow-unk", "/allow_unk", "Let the unknown token be generated", group);
  settings.add_switch("--sampling", "/sampling", "Draw translations instead of searching the best", group);
  settings.flag<int64_t>("--top-k", "/top_k", "Draw among this many best tokens; 0 = all", group);
  settings.flag<double>("--top-p", "/top_p", "Draw among the fewest tokens with this much probability", group);
  settings.flag<double>("--temperature", "/temperature",
                        "Over 1 flattens the distribution drawn from, under 1 sharpens it", group);
  settings.flag<uint64_t>("--seed", "/seed", "Decides the draws", group);
  settings.flag<int64_t>("--no-repeat-ngram", "/no_repeat_ngram", "No sequence of N tokens twice; 0 = off", group)
      ->option_text("N");
  settings.flag<double>("--repetition-penalty", "/repetition_penalty",
                        "Log-probabilities of tokens that are there already count so many times", group);
}

void add_choice_flags(Settings& settings) {
  const char* group = "Choosing and attention";
  settings.flag<Text>("--mbr", "/mbr", "Choose what is most like the other candidates: chrf, bleu or none", group)
      ->check(ventris::apps::offers({"chrf", "bleu", "none"}));
  settings.flag<double>("--coverage-penalty", "/coverage_penalty",
                        "Lower scores of translations that leave parts of the source unattended", group);
  settings.flag<int64_t>("--candidates", "/candidates",
                         "How many these two choose among; 0 = the whole beam, or 16 draws", group);
  settings.flag<int64_t>("--alignment-layer", "/alignment_layer",
                         "Decoder layer whose attention counts, from 1; 0 = the last but one", group);
  settings.flag<Text>("--alignment-head", "/alignment_head", "One of its heads, from 1, or the mean of all", group);
  settings.add_switch("--replace-unk", "/replace_unk",
                      "Put the part of the source it looks at where a translation has an unknown token", group);
}

void add_speed_flags(Settings& settings) {
  const char* group = "Speed";
  settings.flag<Text>("--device", "/device", "cpu, cuda or cuda:N", group)
      ->check(ventris::apps::offers({"cpu", "cuda"}));
  settings.flag<int64_t>("--threads", "/threads", "Sentences are searched on this many threads", group);
  settings.flag<int64_t>("--mini-batch", "/mini_batch", "Most sentences a batch", group);
  settings.flag<int64_t>("--mini-batch-words", "/mini_batch_words", "Most padded source tokens a batch", group);
  settings.flag<int64_t>("--maxi-batch", "/maxi_batch", "Lines read ahead and sorted by length", group);
  settings.flag<int64_t>("--max-source-length", "/max_source_length",
                         "Cut lines to so many tokens; 0 = what the model can take", group);
}

/// The user's mistakes, before a model is looked at.
TranslateSettings check(const nlohmann::json& merged) {
  ventris::model::DecodingDefaults open;
  open.beam_size = ventris::decoding::kLargestBeam;  // the model's own says whether n_best fits
  return TranslateSettings::parse(merged, open);
}

void translate(const nlohmann::json& merged, bool dump) {
  const std::string model = check(merged).model;
  if (model.empty() && dump) {
    ventris::apps::print_settings(TranslateSettings::parse(merged, {}).to_json());
    return;
  }
  if (model.empty()) ventris::fail<ventris::ConfigError>("--model: the model is missing; give -m BUNDLE or -m FILE.pt");
  auto loaded = ventris::model::load_model(model);
  const ventris::model::Package package = loaded.package;
  const auto settings = TranslateSettings::parse(merged, package.config.decoding);
  if (dump) {
    ventris::apps::print_settings(settings.to_json());
    return;
  }
  ventris::model::check_output(model, settings.output);
  ventris::filters::translate_file(settings, package, [&] {
    auto opened = ventris::translation::opened(std::move(loaded));
    return ventris::translation::load_scorers({std::move(opened), settings.device, settings.allow_unk});
  });
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, TranslateSettings().to_json());
  auto dump = std::make_shared<bool>(false);
  add_file_flags(*settings);
  add_search_flags(*settings);
  add_choice_flags(*settings);
  add_speed_flags(*settings);
  app.add_flag("--dump-config", *dump, "Print the settings, with what the model brings along, and stop");
  return [settings, dump] { translate(settings->merged(), *dump); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-translate",
                                       "Translate text, a sentence a line.",
                                       "echo \"two dogs play\" | ventris-translate -m run/best --beam-size 5",
                                       ventris::translation::describe_backend,
                                       true,
                                       TranslateSettings::describe};
  return ventris::apps::run(argc, argv, program, set_up);
}
