#include "translation/settings.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"

namespace ventris::translation {
namespace {

using core::JsonReader;
using nlohmann::json;

const std::vector<std::pair<std::string, OutputFormat>> kFormats{{"text", OutputFormat::kText},
                                                                 {"moses", OutputFormat::kMoses}};

/// Reads a whole number that fits the narrower type of an option; the option's own check says what makes sense.
void read_narrow(JsonReader& reader, const std::string& key, int32_t& value) {
  int64_t wide = value;
  reader.optional(key, wide);
  if (wide < std::numeric_limits<int32_t>::min() || wide > std::numeric_limits<int32_t>::max()) {
    fail<ConfigError>(key, ": ", wide, " is out of range");
  }
  value = static_cast<int32_t>(wide);
}

void read_search(JsonReader& reader, decoding::SearchOptions& search) {
  read_narrow(reader, "beam_size", search.beam_size);
  read_narrow(reader, "n_best", search.n_best);
  read_narrow(reader, "min_length", search.min_length);
  read_narrow(reader, "top_k", search.sampling.top_k);
  reader.optional("normalize", search.length_alpha);
  reader.optional("max_length_factor", search.max_length_factor);
  reader.optional("sampling", search.sampling.enabled);
  reader.optional("top_p", search.sampling.top_p);
  reader.optional("temperature", search.sampling.temperature);
  auto seed = static_cast<int64_t>(search.seed);
  reader.optional("seed", seed);
  if (seed < 0) fail<ConfigError>("seed: must be 0 or more, got ", seed);
  search.seed = static_cast<uint64_t>(seed);
  const auto& sampling = search.sampling;
  const bool shaped = sampling.top_k != 0 || sampling.top_p != 1.0 || sampling.temperature != 1.0;
  if (shaped && !sampling.enabled) {
    fail<ConfigError>("top_k, top_p, temperature: mean something only with sampling; add --sampling");
  }
}

void check_inputs(const TranslateSettings& settings) {
  if (settings.input == "-" && settings.force_prefix == "-") {
    fail<ConfigError>("input, force_prefix: standard input can be only one of them; name a file for the other");
  }
}

}  // namespace

TranslateSettings TranslateSettings::parse(const json& source, const model::DecodingDefaults& defaults) {
  TranslateSettings settings;
  TranslatorOptions& translator = settings.translator;
  translator.search.beam_size = static_cast<int32_t>(defaults.beam_size);
  translator.search.length_alpha = defaults.length_alpha;
  translator.search.max_length_factor = defaults.max_length_factor;
  JsonReader reader(source, "");
  reader.optional("model", settings.model);
  reader.optional("input", settings.input);
  reader.optional("output", settings.output);
  reader.optional("force_prefix", settings.force_prefix);
  reader.choice("format", settings.format, kFormats);
  reader.optional("strict", settings.strict);
  reader.optional("allow_unk", settings.allow_unk);
  reader.optional("device", settings.device);
  reader.optional("mini_batch", translator.batch_sentences);
  reader.optional("mini_batch_words", translator.batch_tokens);
  reader.optional("maxi_batch", translator.window_lines);
  reader.optional("max_source_length", translator.max_source_length);
  reader.optional("threads", translator.workers);
  read_search(reader, translator.search);
  reader.finish();
  check(translator);
  check_inputs(settings);
  if (translator.search.n_best > 1) settings.format = OutputFormat::kMoses;
  return settings;
}

json TranslateSettings::to_json() const {
  const auto& search = translator.search;
  return {{"model", model},
          {"input", input},
          {"output", output},
          {"force_prefix", force_prefix},
          {"format", format == OutputFormat::kMoses ? "moses" : "text"},
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

std::string format_translation(const Translation& translation, OutputFormat format, int64_t number) {
  if (format == OutputFormat::kText) return translation.text() + "\n";
  std::string lines;
  for (const Candidate& candidate : translation.candidates) {
    lines += fmt::format("{} ||| {} ||| F0= {:.6f} ||| {:.6f}\n", number, candidate.text, candidate.log_prob,
                         candidate.score);
  }
  return lines;
}

}  // namespace ventris::translation
