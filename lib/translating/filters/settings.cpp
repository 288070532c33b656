#include "filters/settings.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/fields.h"
#include "core/json_reader.h"
#include "filters/computing_fields.h"
#include "filters/language_fields.h"
#include "filters/model_fields.h"
#include "filters/recase_field.h"
#include "filters/settings_checks.h"
#include "filters/term_fields.h"
#include "formats/format_table.h"
#include "model/lexicon.h"
#include "translation/model_text.h"
#include "translation/window_batches.h"

namespace ventris::filters {
namespace {

/// AttentionChoice::head.
struct AttentionHead {
  int64_t& number;
};

}  // namespace
}  // namespace ventris::filters

namespace ventris::core {

/// "auto", "mean", or the number, also as a text. (The command line has only texts.)
template <>
struct FieldType<filters::AttentionHead> {
  static constexpr const char* kDescription = "text";
  static void read(JsonReader& reader, const std::string& key, const filters::AttentionHead& head) {
    std::string text = kAuto;
    if (reader.has_whole_number(key)) {
      int64_t number = 0;
      reader.optional(key, number);
      text = std::to_string(number);
    } else {
      reader.optional(key, text);
    }
    head.number = text == kMean ? translation::AttentionChoice::kMean : 0;
    if (text == kAuto || text == kMean) return;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), head.number);
    if (error != std::errc() || stop != text.data() + text.size() || head.number < 1) {
      fail<ConfigError>(key, ": expected auto, mean or a number from 1, got '", text, "'");
    }
  }
  static nlohmann::json write(const filters::AttentionHead& head) {
    return head.number == 0 ? kAuto : head.number < 0 ? kMean : std::to_string(head.number);
  }

 private:
  static constexpr const char* kAuto = "auto";
  static constexpr const char* kMean = "mean";
};

}  // namespace ventris::core

namespace ventris::filters {

using core::Choices;

const Choices<InputFormat>& input_formats() {
  static const Choices<InputFormat> kFormats{{"text", InputFormat::kText}, {"jsonl", InputFormat::kJsonl}};
  return kFormats;
}

const Choices<OutputFormat>& output_formats() {
  static const Choices<OutputFormat> kFormats{
      {"text", OutputFormat::kText}, {"moses", OutputFormat::kMoses}, {"jsonl", OutputFormat::kJsonl}};
  return kFormats;
}

const Choices<translation::Utility>& utilities() {
  using translation::Utility;
  static const Choices<Utility> kUtilities{
      {"none", Utility::kNone}, {"chrf", Utility::kChrf}, {"bleu", Utility::kBleu}};
  return kUtilities;
}

namespace {

using core::JsonReader;
using nlohmann::json;

Choices<markup::Markup> markups() {
  Choices<markup::Markup> choices;
  for (const formats::FileFormat& format : formats::all_formats()) choices.emplace_back(format.name, format.markup);
  return choices;
}

/// The search as the settings file has it; decoding::check() knows the limits.
template <typename V>
void search_fields(V& visit, decoding::SearchOptions& search) {
  const std::string open = " If it is not given, the model's own value applies.";
  visit.checked_later(
      {"beam_size",
       "Hypotheses that the search keeps for a sentence. 1: greedy search, or the best path of CTC." + open},
      search.beam_size, {.least = 1, .most = decoding::kLargestBeam});
  visit.checked_later({"n_best",
                       "Translations per sentence, at most `beam_size` without sampling. With more than 1, the format "
                       "`text` becomes `moses`."},
                      search.n_best, {.least = 1, .most = decoding::kMostDraws});
  visit.checked_later({"min_length", "Fewest tokens of a translation, without eos."}, search.min_length, {.least = 0});
  visit.checked_later({"top_k", "Sampling draws among this many of the most probable tokens. 0: all."},
                      search.sampling.top_k, {.least = 0});
  visit.checked_later({"normalize",
                       "Normalisation alpha: score = log-probability / length^alpha. 0: no normalisation. The flag "
                       "without a value means 1." +
                           open},
                      search.length_alpha, {.least = 0, .most = 10});
  visit.checked_later({"max_length_factor", "Longest translation, in tokens: factor × source tokens + 10." + open},
                      search.max_length_factor, {.least = 0});
  visit({"sampling", core::kHelpOfItsFlag}, search.sampling.enabled);
  visit.checked_later({"no_repeat_ngram", "No sequence of this many tokens occurs twice in a translation. 0: off."},
                      search.repetition.no_repeat_ngram, {.least = 0});
  visit.checked_later(
      {"repetition_penalty", "Factor of the log-probability of a token that the translation already has. 1: off."},
      search.repetition.penalty, {.least = 1, .most = 100});
  visit.checked_later({"top_p", "Sampling draws among the fewest tokens that together have this probability. 1: all."},
                      search.sampling.top_p, {.over = 0, .most = 1});
  visit.checked_later({"temperature",
                       "Sampling divides log-probabilities by it: over 1 flattens the distribution, under 1 sharpens "
                       "it."},
                      search.sampling.temperature, {.over = 0});
  visit({"seed", "Seed of sampling."}, search.seed);
  visit.checked_later(
      {"iterations", "How many times a model that learnt `mask_predict` writes each translation." + open},
      search.iterations, {.least = 1, .most = decoding::kMostIterations});
  visit.checked_later(
      {"length_candidates",
       "How many lengths are tried for each translation by a model that predicts the length; `n_best` may "
       "be as large as this number." +
           open},
      search.length_candidates, {.least = 1, .most = decoding::kLargestBeam});
}

/// How hypotheses become translations; translation::check() knows the limits.
template <typename V>
void finish_fields(V& visit, translation::FinishOptions& finish) {
  AttentionHead head{finish.attention.head};
  visit({"alignment", "Write links between source words and target words, `0-0 1-2`, after each translation."},
        finish.alignment);
  visit.checked_later(
      {"alignment_layer",
       "Decoder layer whose attention is used by `alignment`, `replace_unk`, `coverage_penalty`, `markup` and "
       "`placeholders`, counted from 1. 0: if no head is given either, the one that has learnt links "
       "([guided alignment](training.md#guided-alignment)); otherwise the second-to-last of three or more, or the "
       "last."},
      finish.attention.layer, {.least = 0});
  visit({"alignment_head",
         "Attention head of that layer: a number from 1, `mean` for the mean of all heads, or `auto`, which is the "
         "head that has learnt links if no layer is given, and otherwise `mean`."},
        head);
  visit({"replace_unk",
         "Put the part of the source with the most attention where a translation has an unknown token. Needs "
         "`allow_unk`."},
        finish.replace_unk);
  visit.checked_later({"coverage_penalty",
                       "Strength of the penalty on translations that leave parts of the source without attention. 0: "
                       "off."},
                      finish.coverage_penalty, {.least = 0, .most = 100});
  visit({"mbr",
         "Choose the candidate that is most similar to all others by this metric (minimum Bayes risk), instead of the "
         "one with the best score."},
        finish.mbr, utilities());
  visit.checked_later(
      {"candidates", "Candidates that `mbr` and `coverage_penalty` choose among. 0: the whole beam, or 16 samples."},
      finish.candidates, {.least = 0, .most = decoding::kMostDraws});
}

/// What happens to texts before and after translation; documents::translator_options() knows what excludes what.
template <typename V>
void document_fields(V& visit, documents::DocumentOptions& document) {
  bool no_guards = !document.guards, no_fuzzy = !document.format.fuzzy;
  visit({"split_sentences",
         "Translate each sentence of a line alone. What is between the sentences, and before and after them, stays as "
         "it is."},
        document.split_sentences);
  visit(
      {"language",
       "Language of the input, as a code such as `en` or `pt-BR`, for abbreviations at which a sentence does not end. "
       "Empty: unknown."},
      document.language);
  visit(
      {"markup",
       "[Format](documents.md#files) of the input. With all but `none`, the input is one document, of which everything "
       "but the text stays as it is. In JSON lines, each text is a document or, with `html` and `markdown`, a part of "
       "one. If it is not given, the ending of the name of `input` decides, and text or standard input is `none`."},
      document.markup, markups());
  visit(
      {"translate_attributes",
       "In HTML and XML, also translate attributes that have text: `alt`, `title`, `placeholder`, `summary`, `label`, "
       "`aria-label` and the like, and the `content` of a description in `<meta>`. In Markdown, descriptions of images "
       "and titles of images and links."},
      document.changes.attributes);
  visit({"document_language",
         "Language of the translation, as a code such as `de` or `pt-BR`: becomes the language that an HTML or XML "
         "document declares for itself (`lang`, `xml:lang`; in XLIFF, that of the targets; in ARB, `@@locale`). Empty: "
         "nothing changes."},
        document.changes.language);
  visit({"translate_keys",
         "In JSON and YAML, translate only the values of these keys, as a list separated by commas: `title`, or "
         "`home.title` for a key inside another one. Empty: all. In Markdown, also translate those of its front matter "
         "in YAML. Empty: none."},
        document.format.keys);
  visit({"no_fuzzy", core::kHelpOfItsFlag}, no_fuzzy);
  document.format.fuzzy = !no_fuzzy;
  recase_field(visit, document.recase);
  visit({"placeholders",
         "What stays as it is, as a list separated by commas: `builtin` (`{0}`, `%s`, `__NAME__`, tags, URLs, e-mail "
         "addresses), `numbers`, or a file with a text or a `/regular expression/` on each line. Empty: nothing."},
        document.placeholders);
  visit({"no_guards", core::kHelpOfItsFlag}, no_guards);
  document.guards = !no_guards;
}

/// What is translated, and how the result is written.
template <typename V>
void exchange_fields(V& visit, TranslateSettings& settings) {
  visit({"input",
         "File to translate, one sentence per line. `-`: standard input. A file whose name ends in `.gz` is read as "
         "gzip."},
        settings.input);
  visit(
      {"output", "File of the translations. `-`: standard output. A file whose name ends in `.gz` is written as gzip."},
      settings.output);
  visit({"resume", core::kHelpOfItsFlag}, settings.resume);
  visit({"shard",
         "Translate only part I of N parts of the input, as `I/N`. The outputs of all parts, one after the other, are "
         "the output of the whole input. See [clusters.md](clusters.md#parts-of-a-file). Empty: the whole input."},
        settings.shard);
  visit({"force_prefix", "File with one line per translation: the text with which it must begin. Empty: none."},
        settings.force_prefix);
  visit({"constraints",
         "Read what a translation must have and must not have from the lists `constraints` and `forbidden` of JSON "
         "lines. See [Required and forbidden phrases](translating.md#required-and-forbidden-phrases)."},
        settings.constraints);
  term_fields(visit, settings.terms, settings.translator.term_use);
  visit({"input_format", "Plain text, or JSON objects with a `text`, one per line."}, settings.input_format,
        input_formats());
  visit({"format",
         "[Output format](translating.md#output-formats). If it is not given, it is `jsonl` for JSON input and `moses` "
         "for `n_best` over 1."},
        settings.written.format, output_formats());
  visit({"word_scores", core::kHelpOfItsFlag}, settings.written.word_scores);
  visit({"strict", core::kHelpOfItsFlag}, settings.strict);
}

template <typename V>
void shortlist_fields(V& visit, translation::ShortlistSettings& shortlist) {
  visit({"shortlist",
         "File of `ventris-vocab lexicon`: each sentence uses only a [shortlist](speed.md#shortlists) of target "
         "pieces. Empty: the whole vocabulary."},
        shortlist.lexicon);
  visit({"shortlist_best", "How many target pieces a shortlist has for each source piece."}, shortlist.options.best,
        {.least = 1, .most = model::Lexicon::kMostPieces});
  visit({"shortlist_first", "How many of the most frequent target pieces are in every shortlist."},
        shortlist.options.first, {.least = 0});
}

template <typename V>
void batch_fields(V& visit, translation::TranslatorOptions& translator) {
  visit.checked_later({"mini_batch", "Sentences per batch at most."}, translator.batch.sentences, {.least = 1});
  visit.checked_later(
      {"mini_batch_words", "Padded source tokens per batch at most. A longer sentence is a batch of its own."},
      translator.batch.tokens, {.least = 1});
  visit.checked_later({"maxi_batch", "Lines that are read ahead and sorted by length."}, translator.window_lines,
                      {.least = 1, .most = translation::kMostWindowLines});
  visit.checked_later({"max_source_length",
                       "Longer lines are cut to this many tokens, eos included; at least 2. 0: what the model can "
                       "take."},
                      translator.max_source_length, {.least = 0});
  visit.checked_later({"workspace",
                       "MiB of memory for what each thread translates at the same time. All threads together need this "
                       "amount once more for translations that wait for earlier lines. See [Memory](speed.md#memory)."},
                      translator.workspace, {.least = 1, .most = translation::kMostWorkspace});
  visit.checked_later({"threads", "CPU threads, each of which translates batches of its own."}, translator.workers,
                      {.least = 1, .most = translation::kMostWorkers});
}

template <typename V>
void fields(V& visit, TranslateSettings& settings) {
  model_fields(visit, settings.model);
  exchange_fields(visit, settings);
  visit({"allow_unk", core::kHelpOfItsFlag}, settings.allow_unk);
  computing_fields(visit, settings);
  language_fields(visit, settings.translator);
  shortlist_fields(visit, settings.shortlist);
  batch_fields(visit, settings.translator);
  search_fields(visit, settings.translator.search);
  finish_fields(visit, settings.translator.finish);
  document_fields(visit, settings.document);
  visit({"context",
         "How many sentences before a sentence the model gets with it, at most as many as in its training "
         "(`data.context`). See [The sentences before](translating.md#the-sentences-before)."},
        settings.translator.context, {.least = 0, .most = model::kMostContext});
}

/// The default format: that of the input. More than one translation per line is always written as a list.
void choose_format(TranslateSettings& settings, bool open) {
  OutputOptions& written = settings.written;
  const bool many = settings.translator.search.n_best > 1;
  if (open && settings.input_format == InputFormat::kJsonl) written.format = OutputFormat::kJsonl;
  if (many && written.format != OutputFormat::kJsonl) written.format = OutputFormat::kMoses;
  written.n_best = many;
  written.alignment = settings.translator.finish.alignment;
  written.segments = settings.document.splits();
  written.unmet = settings.constraints || !settings.terms.empty();
}

TranslateSettings with_defaults(const model::DecodingDefaults& defaults) {
  TranslateSettings settings;
  settings.translator = translation::suggested_options(defaults);
  return settings;
}

/// The first bytes of a file; none if it is no plain file, or cannot be read.
std::string first_bytes(const std::string& path) {
  constexpr size_t kBytes = 128;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  std::string bytes(kBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

/// The markup that the name of the input says, or the content of a zip file, if it is not given.
void choose_markup(TranslateSettings& settings, bool open) {
  settings.markup_given = !open;
  if (!open || settings.input == "-" || settings.input_format != InputFormat::kText) return;
  if (formats::has_json_lines(settings.input)) {
    fail<ConfigError>("input: ", settings.input,
                      " has JSON lines, as its ending says; add --input-format jsonl, or give --markup none if it is "
                      "text");
  }
  if (const std::string_view kind = formats::unread_kind(settings.input); !kind.empty()) {
    const bool known = !kind.starts_with("a template of Blade");  // its directives would be text in HTML
    fail<ConfigError>("input: ", settings.input, " is ", kind,
                      ", which is not read; save it in another format (markup: ", formats::format_names(),
                      "), or say how to read it: ", known ? "--markup html for a template of HTML, " : "",
                      "--markup none for text");
  }
  const formats::FileFormat* format = formats::format_of_file(settings.input);
  if (format == nullptr) format = formats::format_of_content(first_bytes(settings.input));
  if (format == nullptr || format->markup == markup::Markup::kNone) return;
  settings.document.markup = format->markup;
  settings.named_markup = format->name;
}

}  // namespace

std::string TranslateSettings::markup_note() const {
  if (named_markup.empty()) return "";
  const bool by_ending = formats::format_of_file(input) != nullptr;
  return input + " is read as " + named_markup + ", because of its " + (by_ending ? "ending" : "content") +
         "; --markup none reads each line as a text";
}

TranslateSettings TranslateSettings::parse(const json& source, const model::DecodingDefaults& defaults) {
  TranslateSettings settings = with_defaults(defaults);
  const json listed = with_model_list(source);
  JsonReader reader(listed, "");
  core::FieldReader visit(reader);
  fields(visit, settings);
  check_sampling(settings.translator.search.sampling);
  reader.finish();
  choose_markup(settings, /*open=*/!reader.has("markup"));
  check(settings.model);
  check_combinations(settings);
  check_shortlist(settings.shortlist);
  choose_format(settings, /*open=*/!reader.has("format"));
  check_document_lines(settings);
  return settings;
}

json TranslateSettings::to_json() const {
  core::FieldWriter visit;
  TranslateSettings copy = *this;
  fields(visit, copy);
  return visit.out;
}

std::vector<core::SettingsSection> TranslateSettings::describe() {
  core::FieldList list, other;
  const model::DecodingDefaults one;
  TranslateSettings settings = with_defaults(one);
  TranslateSettings changed = with_defaults({one.beam_size + 1, one.length_alpha + 1, one.max_length_factor + 1,
                                             one.iterations + 1, one.length_candidates + 1});
  fields(list, settings);
  fields(other, changed);
  std::vector<core::SettingDescription>& all = list.sections.front().settings;
  for (size_t i = 0; i < all.size(); ++i) {  // a default that comes from the model is left out
    if (all[i].fallback != other.sections.front().settings[i].fallback) all[i].fallback.clear();
  }
  return std::move(list.sections);
}

}  // namespace ventris::filters
