#include "core/error.h"
#include "files/paths.h"
#include "filters/open_translation.h"
#include "formats/format_table.h"
#include "model/package.h"
#include "support/choices.h"
#include "support/computing_flags.h"
#include "support/model_flags.h"
#include "support/run.h"
#include "support/settings.h"
#include "support/text_flags.h"
#include "translation/scorer_loader.h"

namespace {

using ventris::apps::Settings;
using ventris::filters::TranslateSettings;

using Text = std::string;

void add_file_flags(Settings& settings) {
  const char* group = "Input and output";
  ventris::apps::add_model_flags(settings, group);
  ventris::apps::add_language_flags(settings, group);
  settings.flag<Text>("-i,--input", "/input", "File to translate, one sentence per line; plain or .gz", group)
      ->type_name("FILE");
  settings.flag<Text>("-o,--output", "/output", "Output file, plain or .gz", group)->type_name("FILE");
  settings.add_switch("--resume", "/resume",
                      "Continue the output file of an interrupted run with the same input, model and settings", group);
  settings
      .flag<Text>("--shard", "/shard", "Translate only part I of N parts of the input file, for example 2/8", group)
      ->type_name("I/N");
  settings.flag<Text>("--input-format", "/input_format", "text, or jsonl: one object with a \"text\" per line", group)
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::filters::input_formats())));
  settings.flag<Text>("--format", "/format", "text, moses (ID ||| text ||| F0= log-prob ||| score) or jsonl", group)
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::filters::output_formats())));
  settings.add_switch("--word-scores", "/word_scores", "Also write the log-probability of each token", group);
  settings.add_switch("--alignment", "/alignment", "Also write word alignments: 0-0 1-2 (source-target)", group);
  settings
      .flag<Text>("--force-prefix", "/force_prefix", "File with a prefix for each translation, one per line", group)
      ->type_name("FILE");
  settings.add_switch(
      "--constraints", "/constraints",
      "Read what must (\"constraints\") and must not (\"forbidden\") be in a translation from JSON lines", group);
  add_term_flags(settings, group);
  settings.add_switch("--strict", "/strict", "Refuse invalid UTF-8, and end with an error if text was lost", group);
}

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  for (const auto& format : ventris::formats::all_formats()) words.emplace_back(format.name);
  return words;
}

void add_document_flags(Settings& settings) {
  const char* group = "Documents";
  settings.add_switch("--split-sentences", "/split_sentences",
                      "Translate each sentence of a line alone, and keep what is between them", group);
  settings
      .flag<Text>("--language", "/language", "Language of the input, such as en or pt-BR, for abbreviations", group)
      ->type_name("CODE");
  settings
      .flag<Text>("--markup", "/markup",
                  "Format of the input: " + ventris::formats::format_names() +
                      "; if it is not given, the ending of its name says it. All but none: it is a document, of which "
                      "only text changes",
                  group)
      ->check(ventris::apps::offers(format_words()));
  settings.add_switch(
      "--translate-attributes", "/translate_attributes",
      "Also translate attributes of HTML and XML that have text, such as alt and title, and in Markdown "
      "descriptions of images and titles",
      group);
  settings
      .flag<Text>("--document-language", "/document_language",
                  "Language of the translation: write it into the root of an HTML or XML document", group)
      ->type_name("CODE");
  settings
      .flag<Text>("--translate-keys", "/translate_keys",
                  "In JSON and YAML, translate only the values of these keys, such as title,home.text; in Markdown, "
                  "also those of its front matter",
                  group)
      ->type_name("LIST");
  settings.add_switch("--no-fuzzy", "/no_fuzzy", "In PO, do not flag translations as fuzzy", group);
  settings
      .flag<Text>("--placeholders", "/placeholders",
                  "What comes back as it is: builtin ({0}, %s, __NAME__, tags, URLs), numbers, or a file of patterns; "
                  "separated by commas",
                  group)
      ->type_name("LIST");
  add_recase_flag(settings, group);
  settings
      .flag<int64_t>("--context", "/context",
                     "Sentences before a sentence that the model gets with it; a blank line ends a document", group)
      ->option_text("N");
  settings.add_switch("--no-guards", "/no_guards", "Do not look for signs of bad translations", group);
}

void add_search_flags(Settings& settings) {
  const char* group = "Search";
  settings
      .flag<int64_t>("-b,--beam-size", "/beam_size",
                     "Hypotheses per sentence, at most 256; 1 = greedy search; default: the model's setting", group)
      ->option_text("INT");
  settings
      .flag<double>("-n,--normalize", "/normalize",
                    "Score = log-probability / length^ALPHA; -n without a value: 1; default: the model's setting",
                    group)
      ->expected(0, 1)
      ->default_val(1.0)
      ->option_text("[ALPHA]");
  settings.flag<int64_t>("--n-best", "/n_best", "Translations per sentence; if over 1, --format text becomes moses",
                         group);
  settings.flag<int64_t>("--min-length", "/min_length", "Minimum number of target tokens", group);
  settings
      .flag<double>("--max-length-factor", "/max_length_factor",
                    "Maximum number of target tokens: FACTOR x source tokens + 10; default: the model's setting", group)
      ->option_text("FACTOR");
  settings.add_switch("--allow-unk", "/allow_unk", "Allow the unknown token in translations", group);
  settings.add_switch("--sampling", "/sampling", "Draw translations at random instead of searching for the best",
                      group);
  settings.flag<int64_t>("--top-k", "/top_k", "Sample only from this many most probable tokens; 0 = all", group);
  settings.flag<double>("--top-p", "/top_p", "Sample only from the fewest tokens with this total probability", group);
  settings.flag<double>("--temperature", "/temperature",
                        "For sampling: over 1 flattens the distribution, under 1 sharpens it", group);
  settings.flag<uint64_t>("--seed", "/seed", "Random seed for sampling", group);
  settings
      .flag<int64_t>("--no-repeat-ngram", "/no_repeat_ngram", "Do not repeat any sequence of N tokens; 0 = off", group)
      ->option_text("N");
  settings.flag<double>("--repetition-penalty", "/repetition_penalty",
                        "Factor for the log-probability of tokens that already occur; 1 = off", group);
}

void add_choice_flags(Settings& settings) {
  const char* group = "Candidates and attention";
  settings
      .flag<Text>("--mbr", "/mbr", "Choose the candidate most similar to all others, by chrf or bleu; none = off",
                  group)
      ->check(ventris::apps::offers(ventris::core::names_of(ventris::filters::utilities())));
  settings.flag<double>("--coverage-penalty", "/coverage_penalty",
                        "Weight of the penalty on translations that leave parts of the source without attention",
                        group);
  settings.flag<int64_t>("--candidates", "/candidates",
                         "Candidates for --mbr and --coverage-penalty; 0 = the whole beam, or 16 samples", group);
  settings.flag<int64_t>("--alignment-layer", "/alignment_layer",
                         "Decoder layer whose attention is used, counted from 1; 0 = the one that has learnt links "
                         "(guided alignment), or the second-to-last of three or more, otherwise the last",
                         group);
  settings.flag<Text>(
      "--alignment-head", "/alignment_head",
      "Head of this layer, counted from 1; mean = all heads; auto = the one that has learnt links, or mean", group);
  settings.add_switch("--replace-unk", "/replace_unk",
                      "Replace unknown tokens with the part of the source that has the most attention", group);
}

void add_speed_flags(Settings& settings) {
  const char* group = "Speed";
  ventris::apps::add_computing_flags(settings, group,
                                     {"Maximum sentences per batch", "Maximum padded source tokens per batch",
                                      "Lines read ahead and sorted by length"});
  settings
      .flag<Text>("--shortlist", "/shortlist",
                  "Lexicon of ventris-vocab: use only some target pieces for each sentence (engine only)", group)
      ->type_name("FILE");
  settings
      .flag<int64_t>("--shortlist-best", "/shortlist_best",
                     "How many target pieces a shortlist has for each source piece", group)
      ->option_text("K");
  settings
      .flag<int64_t>("--shortlist-first", "/shortlist_first", "Most frequent target pieces, in every shortlist", group)
      ->option_text("N");
  settings
      .flag<int64_t>("--workspace", "/workspace",
                     "Memory in MiB for what each thread translates at once, and once more for results that wait",
                     group)
      ->type_name("MIB");
  settings.flag<int64_t>("--max-source-length", "/max_source_length",
                         "Cut longer lines to this many tokens; 0 = the model's maximum", group);
}

/// Throws ConfigError if the translations would replace the lexicon.
void check_lexicon(const TranslateSettings& settings) {
  const Text& lexicon = settings.shortlist.lexicon;
  if (lexicon.empty() || settings.output == "-") return;
  if (ventris::files::resolved(lexicon) != ventris::files::resolved(settings.output)) return;
  ventris::fail<ventris::ConfigError>("--output: ", settings.output, " is the file of --shortlist; give another file");
}

void translate(const nlohmann::json& merged, bool dump) {
  if (dump && ventris::filters::check_settings(merged).model.paths.empty()) {
    ventris::apps::print_settings(TranslateSettings::parse(merged, {}).to_json());
    return;
  }
  const ventris::filters::OpenedTranslation opened = ventris::filters::open_translation(merged);
  if (dump) {
    ventris::apps::print_settings(opened.settings.to_json());
    return;
  }
  ventris::filters::check_output(opened.settings.model, opened.settings.output);
  check_lexicon(opened.settings);
  ventris::filters::translate_file(opened.settings, opened.package, opened.load);
}

std::function<void()> set_up(CLI::App& app) {
  auto settings = std::make_shared<Settings>(app, TranslateSettings().to_json());
  auto dump = std::make_shared<bool>(false);
  add_file_flags(*settings);
  add_document_flags(*settings);
  add_search_flags(*settings);
  add_choice_flags(*settings);
  add_speed_flags(*settings);
  app.add_flag("--dump-config", *dump, "Print all settings, including the model's defaults, and stop");
  return
      [settings, dump] { settings->with_merged([&dump](const nlohmann::json& merged) { translate(merged, *dump); }); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-translate",
                                       "Translates text, one sentence per line.",
                                       "echo \"two dogs play\" | ventris-translate -m run/best --beam-size 5",
                                       ventris::translation::describe_backend,
                                       true,
                                       TranslateSettings::describe};
  return ventris::apps::run(argc, argv, program, set_up);
}
