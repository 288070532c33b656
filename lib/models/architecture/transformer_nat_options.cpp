#include "architecture/transformer_nat_options.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "architecture/transformer_fields.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::Choices;
using core::JsonReader;
using nlohmann::json;

const Choices<NatLoss>& objectives() {
  static const Choices<NatLoss> all{{"plain", NatLoss::kPlain},
                                    {"mask_predict", NatLoss::kMaskPredict},
                                    {"glancing", NatLoss::kGlancing},
                                    {"ctc", NatLoss::kCtc},
                                    {"ctc_glancing", NatLoss::kCtcGlancing}};
  return all;
}
const Choices<DecoderInput>& decoder_inputs() {
  static const Choices<DecoderInput> all{
      {"mask", DecoderInput::kMask}, {"uniform", DecoderInput::kUniform}, {"soft", DecoderInput::kSoft}};
  return all;
}
const Choices<Stop>& stops() {
  static const Choices<Stop> all{{"length", Stop::kLength}, {"eos", Stop::kEos}};
  return all;
}

constexpr int64_t kMostLengthRange = 1 << 12;
constexpr int64_t kMostUpsampling = 16;

/// The settings that say how the length of a translation is found.
template <typename V, typename Options>
void length_fields(V& visit, Options& options) {
  visit({"stop",
         "What ends a translation: its predicted length (`length`), or the first eos in a generous number of positions "
         "(`eos`). Not with CTC, which finds the length by itself."},
        options.stop, stops());
  visit.size({"length_range",
              "Largest difference between the lengths of target and source that the model can predict, in tokens; for "
              "`stop` `length`."},
             options.length_range, 1, kMostLengthRange);
  visit({"length_weight", "Weight of the loss of the predicted length; for `stop` `length`."}, options.length_weight,
        {.least = 0});
  visit({"length_factor",
         "Positions of the decoder: factor × source tokens + 5; for `stop` `eos`. If it is not given: 2."},
        options.length_factor, {.least = 1, .most = 16});
  visit.size({"upsampling", "Positions of the decoder per source token; for CTC. If it is not given: 2."},
             options.upsampling, 1, kMostUpsampling);
}

/// Every setting besides those of the layers; `visit` is one of the visitors of family_fields.h.
template <typename V, typename Options>
void nat_fields(V& visit, Options& options) {
  visit(
      {"objective",
       "What the model learns: all tokens at once (`plain`); tokens that are hidden at random, so that a translation "
       "can be refined (`mask_predict`); all tokens except some that the decoder is shown in training, more of them "
       "if it gets more wrong (`glancing`); the probability of the target, summed over all its alignments to the "
       "positions of the decoder, of which there are `upsampling` for each source token (`ctc`); or the same with some "
       "symbols shown (`ctc_glancing`). See [models.md](models.md)."},
      options.objective, objectives());
  visit({"decoder_input",
         "What the decoder reads: mask tokens (`mask`), source tokens that are evenly spread over its positions "
         "(`uniform`), or means of neighbouring source tokens (`soft`)."},
        options.decoder_input, decoder_inputs());
  visit({"copy_width",
         "Width of the means for `soft`, in source tokens: a token has the weight exp(-distance / width). If it is not "
         "given: 0.3."},
        options.copy_width, {.over = 0});
  length_fields(visit, options);
  visit({"glancing_ratio",
         "Tokens that the model is shown for each token that it gets wrong, at the first update; for `glancing` and "
         "`ctc_glancing`. If it is not given: 0.5."},
        options.glancing_ratio, {.least = 0, .under = 1});
  visit(
      {"glancing_final",
       "The value of `glancing_ratio` from update `glancing_updates` on. Before, the ratio changes linearly. If it is "
       "not given: 0.3."},
      options.glancing_final, {.least = 0, .under = 1});
  visit.size(
      {"glancing_updates", "Updates until `glancing_ratio` has become `glancing_final`. If it is not given: 50000."},
      options.glancing_updates);
}

/// The settings without a meaning in this combination, each with what would give it one.
std::vector<std::pair<const char*, const char*>> idle_settings(const NatOptions& options) {
  std::vector<std::pair<const char*, const char*>> idle;
  const auto need = [&](bool has_meaning, const char* key, const char* with) {
    if (!has_meaning) idle.emplace_back(key, with);
  };
  constexpr const char* kLength = "\"stop\": \"length\", without CTC";
  need(!options.ctc(), "stop", "an objective other than CTC, which finds the length by itself");
  need(options.predicts_length(), "length_range", kLength);
  need(options.predicts_length(), "length_weight", kLength);
  need(!options.ctc() && options.stop == Stop::kEos, "length_factor", "\"stop\": \"eos\"");
  need(options.decoder_input == DecoderInput::kSoft, "copy_width", "\"decoder_input\": \"soft\"");
  need(options.ctc(), "upsampling", "\"objective\": \"ctc\" or \"ctc_glancing\"");
  for (const char* key : {"glancing_ratio", "glancing_final", "glancing_updates"}) {
    need(options.glances(), key, "\"objective\": \"glancing\" or \"ctc_glancing\"");
  }
  return idle;
}

/// Refuses what cannot work, and what would have no effect.
void check(const NatOptions& options, const JsonReader& reader) {
  for (const auto& [key, with] : idle_settings(options)) {
    if (reader.has(key)) fail<ConfigError>(reader.path_of(key), ": has an effect only with ", with, "; leave it out");
  }
  const Positions found = options.transformer.positions;
  if (found != Positions::kSinusoidal && found != Positions::kLearned) {
    fail<ConfigError>(reader.path_of("positions"), ": '", core::name_of(found, positions()),
                      "' does not work with this family; use 'sinusoidal' or 'learned'");
  }
  if (options.most_positions() > kMostPositions) {
    fail<ConfigError>(reader.path_of("max_positions"), ": a source of this length has ", options.most_positions(),
                      " target positions, expected at most ", kMostPositions, "; make it, ",
                      options.ctc() ? "or upsampling," : "or length_factor,", " smaller");
  }
  if (options.objective != NatLoss::kMaskPredict) return;
  if (options.decoder_input != DecoderInput::kMask) {
    fail<ConfigError>(reader.path_of("decoder_input"), ": must be 'mask' with 'objective': 'mask_predict', got '",
                      core::name_of(options.decoder_input, decoder_inputs()),
                      "'; use mask, or the objective glancing, plain or ctc");
  }
  if (options.stop != Stop::kLength) {
    fail<ConfigError>(reader.path_of("stop"), ": must be 'length' with 'objective': 'mask_predict', got '",
                      core::name_of(options.stop, stops()), "'; use length, or the objective glancing or plain");
  }
}

}  // namespace

int64_t NatOptions::positions(int64_t src_len) const {
  if (ctc()) return upsampling * src_len;
  return static_cast<int64_t>(std::ceil(length_factor * static_cast<double>(src_len))) + kSparePositions;
}

int64_t NatOptions::most_positions() const {
  return predicts_length() ? transformer.max_positions : positions(transformer.max_positions);
}

ArchitecturePtr parse_transformer_nat(JsonReader& reader) {
  NatOptions options;
  SettingsReader visit(reader);
  nat_fields(visit, options);
  transformer_fields(visit, options.transformer);
  check(options.transformer, reader);
  check(options, reader);
  return std::make_shared<const NatArchitecture>(options);
}

json NatArchitecture::to_json() const {
  SettingsWriter visit;
  nat_fields(visit, options);
  transformer_fields(visit, options.transformer);
  for (const auto& [key, unused] : idle_settings(options)) visit.out.erase(key);
  return visit.out;
}

/// A setting that has no effect by default has no value by default either.
std::vector<core::SettingDescription> NatArchitecture::describe() const {
  SettingsList visit;
  nat_fields(visit, options);
  transformer_fields(visit, options.transformer);
  for (const auto& [key, unused] : idle_settings(options)) {
    for (core::SettingDescription& setting : visit.sections.front().settings) {
      if (setting.path == std::string("model.") + key) setting.fallback.clear();
    }
  }
  return visit.sections.front().settings;
}

Writing NatArchitecture::writing() const {
  return {.all_at_once = true,
          .refines = options.objective == NatLoss::kMaskPredict,
          .path_positions = options.ctc() ? options.upsampling : 0,
          .lengths = options.predicts_length() ? options.length_classes() : 0};
}

ArchitecturePtr NatArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  NatOptions changed = options;
  changed.transformer.src_vocab = src_vocab;
  changed.transformer.tgt_vocab = tgt_vocab;
  return std::make_shared<const NatArchitecture>(changed);
}

void NatArchitecture::each_tensor(const TensorVisitor& visit) const {
  each_transformer_tensor(options.transformer, options.most_positions(), visit);
  if (!options.predicts_length()) return;
  visit("length.proj.weight", {options.length_classes(), options.transformer.d_model});
  visit("length.proj.bias", {options.length_classes()});
}

}  // namespace ventris::architecture
