#include "exports/transformer_settings.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace ventris::exports {
namespace {

using nlohmann::json;

constexpr const char* kOtherFormat = "use --format torchscript";

/// Settings that the names and shapes of the stored weights show.
const std::set<std::string> kOfTheWeights{"tying", "attention_bias"};

/// Whether it is one of a closed set, not a size or a rate.
bool decides_what_is_computed(const json& value) { return value.is_string() || value.is_boolean(); }

std::string one_of(const json& usual, const json& more) {
  std::string text = usual.dump();
  for (const json& value : more) text += " or " + value.dump();
  return text;
}

[[noreturn]] void refuse_family(const std::string& program, const model::Package& package) {
  const architecture::Architecture& found = *package.config.architecture;
  const std::string advice = found.family() == "bert" ? "use --format huggingface"
                             : found.translates()     ? kOtherFormat
                                                      : found.other_use();
  fail<ModelError>(package.path, "/config.json: architecture: ", program, " has only 'transformer', found '",
                   found.family(), "'; ", advice);
}

}  // namespace

const architecture::TransformerOptions& transformer_for(const OtherProgram& program, const model::Package& package) {
  const auto* found = dynamic_cast<const architecture::TransformerArchitecture*>(package.config.architecture.get());
  if (found == nullptr || found->family() != "transformer") refuse_family(program.name, package);
  const auto refuse = [&](const std::string& key, const std::string& expected, const json& value) {
    fail<ModelError>(package.path, "/config.json: model.", key, ": ", program.name, " has only ", expected, ", found ",
                     value.dump(), "; ", kOtherFormat, ", or train a model without this setting");
  };
  const json settings = found->to_json(), defaults = architecture::TransformerArchitecture().to_json();
  for (const auto& [key, value] : settings.items()) {
    if (!decides_what_is_computed(value) || kOfTheWeights.contains(key)) continue;
    const json& usual = defaults.at(key);
    if (value == usual) continue;
    const auto more = program.has.find(key);
    if (more == program.has.end()) refuse(key, usual.dump(), value);
    if (std::ranges::find(more->second, value) == more->second.end()) refuse(key, one_of(usual, more->second), value);
  }
  const architecture::TransformerOptions& options = found->options;
  if (options.experts > 0) refuse("experts", "0", options.experts);
  const architecture::TransformerOptions decoder = options.decoder_side();
  const auto expect_same = [&](const std::string& key, int64_t of_encoder, int64_t of_decoder) {
    if (of_encoder == of_decoder || program.by_side.contains(key)) return;
    refuse(key, "one number for both sides, here " + std::to_string(of_encoder), of_decoder);
  };
  expect_same("decoder_heads", options.heads, decoder.heads);
  expect_same("decoder_d_ff", options.d_ff, decoder.d_ff);
  for (const auto& side : {options.encoder_side(), decoder}) {
    for (const auto& [key, width] : {std::pair{"d_k", side.key_width()}, {"d_v", side.value_width()}}) {
      if (side.heads * width != side.d_model) refuse(key, "d_model / heads", width);
    }
  }
  return options;
}

}  // namespace ventris::exports
