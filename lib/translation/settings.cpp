#include "translation/settings.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"

namespace ventris::translation {
namespace {

using core::Choices;
using core::JsonReader;
using core::name_of;
using nlohmann::json;

const Choices<OutputFormat> kFormats{
    {"text", OutputFormat::kText}, {"moses", OutputFormat::kMoses}, {"jsonl", OutputFormat::kJsonl}};
const Choices<InputFormat> kInputFormats{{"text", InputFormat::kText}, {"jsonl", InputFormat::kJsonl}};
const Choices<Utility> kUtilities{{"none", Utility::kNone}, {"chrf", Utility::kChrf}, {"bleu", Utility::kBleu}};

void read_search(JsonReader& reader, decoding::SearchOptions& search) {
  reader.optional("beam_size", search.beam_size);
  reader.optional("n_best", search.n_best);
  reader.optional("min_length", search.min_length);
  reader.optional("top_k", search.sampling.top_k);
  reader.optional("normalize", search.length_alpha);
  reader.optional("max_length_factor", search.max_length_factor);
  reader.optional("sampling", search.sampling.enabled);
  reader.optional("no_repeat_ngram", search.repetition.no_repeat_ngram);
  reader.optional("repetition_penalty", search.repetition.penalty);
  reader.optional("top_p", search.sampling.top_p);
  reader.optional("temperature", search.sampling.temperature);
  reader.optional("seed", search.seed);
  const auto& sampling = search.sampling;
  const bool shaped = sampling.top_k != 0 || sampling.top_p != 1.0 || sampling.temperature != 1.0;
  if (shaped && !sampling.enabled) {
    fail<ConfigError>("top_k, top_p, temperature: mean something only with sampling; add --sampling");
  }
}

/// A head's number from 1, or "mean".
int64_t read_head(JsonReader& reader) {
  std::string head = "mean";
  reader.optional("alignment_head", head);
  if (head == "mean") return 0;
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(head.data(), head.data() + head.size(), number);
  if (error != std::errc() || stop != head.data() + head.size() || number < 1) {
    fail<ConfigError>("alignment_head: expected mean or a number from 1, got '", head, "'");
  }
  return number;
}

void read_finish(JsonReader& reader, FinishOptions& finish) {
  reader.optional("alignment", finish.alignment);
  reader.optional("alignment_layer", finish.attention.layer);
  finish.attention.head = read_head(reader);
  reader.optional("replace_unk", finish.replace_unk);
  reader.optional("coverage_penalty", finish.coverage_penalty);
  reader.choice("mbr", finish.mbr, kUtilities);
  reader.optional("candidates", finish.candidates);
}

/// The format, if it is left open: as the input's; more than one translation a line has no other form than a list.
void choose_format(TranslateSettings& settings, bool open) {
  OutputOptions& written = settings.written;
  const bool many = settings.translator.search.n_best > 1;
  if (open && settings.input_format == InputFormat::kJsonl) written.format = OutputFormat::kJsonl;
  if (many && written.format != OutputFormat::kJsonl) written.format = OutputFormat::kMoses;
  written.n_best = many;
  written.alignment = settings.translator.finish.alignment;
}

void check_inputs(const TranslateSettings& settings) {
  if (settings.translator.finish.replace_unk && !settings.allow_unk) {
    fail<ConfigError>(
        "replace_unk: there is nothing to replace while unknown tokens are never generated; add "
        "--allow-unk");
  }
  if (settings.input == "-" && settings.force_prefix == "-") {
    fail<ConfigError>("input, force_prefix: standard input can be only one of them; name a file for the other");
  }
}

}  // namespace

TranslateSettings TranslateSettings::parse(const json& source, const model::DecodingDefaults& defaults) {
  TranslateSettings settings;
  TranslatorOptions& translator = settings.translator;
  translator = suggested_options(defaults);
  JsonReader reader(source, "");
  reader.optional("model", settings.model);
  reader.optional("input", settings.input);
  reader.optional("output", settings.output);
  reader.optional("force_prefix", settings.force_prefix);
  reader.choice("input_format", settings.input_format, kInputFormats);
  const bool open = !reader.has("format");
  reader.choice("format", settings.written.format, kFormats);
  reader.optional("word_scores", settings.written.word_scores);
  reader.optional("strict", settings.strict);
  reader.optional("allow_unk", settings.allow_unk);
  reader.optional("device", settings.device);
  reader.optional("mini_batch", translator.batch_sentences);
  reader.optional("mini_batch_words", translator.batch_tokens);
  reader.optional("maxi_batch", translator.window_lines);
  reader.optional("max_source_length", translator.max_source_length);
  reader.optional("threads", translator.workers);
  read_search(reader, translator.search);
  read_finish(reader, translator.finish);
  reader.finish();
  check(translator);
  check_inputs(settings);
  choose_format(settings, open);
  return settings;
}

json TranslateSettings::to_json() const {
  const auto& search = translator.search;
  const auto& finish = translator.finish;
  return {{"model", model},
          {"input", input},
          {"output", output},
          {"force_prefix", force_prefix},
          {"input_format", name_of(input_format, kInputFormats)},
          {"format", name_of(written.format, kFormats)},
          {"word_scores", written.word_scores},
          {"alignment", finish.alignment},
          {"alignment_layer", finish.attention.layer},
          {"alignment_head", finish.attention.head == 0 ? "mean" : std::to_string(finish.attention.head)},
          {"replace_unk", finish.replace_unk},
          {"coverage_penalty", finish.coverage_penalty},
          {"mbr", name_of(finish.mbr, kUtilities)},
          {"candidates", finish.candidates},
          {"no_repeat_ngram", search.repetition.no_repeat_ngram},
          {"repetition_penalty", search.repetition.penalty},
          {"strict", strict},
          {"allow_unk", allow_unk},
          {"device", device},
          {"mini_batch", translator.batch_sentences},
          {"mini_batch_words", translator.batch_tokens},
          {"maxi_batch", translator.window_lines},
          {"max_source_length", translator.max_source_length},
          {"threads", translator.workers},
          {"beam_size", search.beam_size},
          {"n_best", search.n_best},
          {"min_length", search.min_length},
          {"normalize", search.length_alpha},
          {"max_length_factor", search.max_length_factor},
          {"sampling", search.sampling.enabled},
          {"top_k", search.sampling.top_k},
          {"top_p", search.sampling.top_p},
          {"temperature", search.sampling.temperature},
          {"seed", search.seed}};
}

}  // namespace ventris::translation
