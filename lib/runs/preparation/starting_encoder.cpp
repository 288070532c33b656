#include "preparation/starting_encoder.h"

#include <nlohmann/json.hpp>

#include "architecture/bert_options.h"
#include "core/error.h"
#include "files/files.h"

namespace ventris::preparation {
using nlohmann::json;
namespace {

constexpr const char* kFamily = "transformer";
constexpr const char* kClassifier = "bert-classifier";

/// Throws ConfigError unless the bundle has the encoder of a BERT.
const architecture::BertOptions& options_of(const model::Package& bundle) {
  const auto* bert = dynamic_cast<const architecture::BertEncoderArchitecture*>(bundle.config.architecture.get());
  if (bert != nullptr) return bert->options;
  fail<ConfigError>("training.encoder_from: ", bundle.path, " is of the family '", bundle.config.architecture->family(),
                    "'; expected a bundle of the family 'bert' ",
                    "(a run that translates starts from a whole model with training.finetune_from)");
}

/// The settings of a Transformer that the weights of a BERT decide. A source has no [CLS], so the position vector of
/// [CLS] is left out.
json settings_of_encoder(const architecture::BertOptions& bert) {
  return {{"d_model", bert.d_model},
          {"d_ff", bert.d_ff},
          {"heads", bert.heads},
          {"encoder_layers", bert.layers},
          {"max_positions", bert.max_positions - 1},
          {"norm", "post"},
          {"activation", "gelu"},
          {"positions", "learned"},
          {"embedding_norm", true},
          {"norm_epsilon", bert.norm_epsilon},
          {"attention_score", "scaled_dot"},
          {"attention_bias", true},
          {"self_attention", "full"},
          {"d_k", 0},
          {"d_v", 0},
          {"norm_kind", "layer"},
          {"gated_feed_forward", false},
          {"experts", 0}};
}

/// The settings of a classifier that the weights of a BERT decide.
json settings_of_classifier(const architecture::BertOptions& bert) {
  return {{"d_model", bert.d_model},
          {"d_ff", bert.d_ff},
          {"heads", bert.heads},
          {"layers", bert.layers},
          {"max_positions", bert.max_positions},
          {"norm_epsilon", bert.norm_epsilon}};
}

/// The family of the new model: one of the two above.
std::string family_of(const json& given, const std::string& bundle) {
  const json family = given.value("architecture", json(kFamily));
  if (family == kFamily || family == kClassifier) return family;
  fail<ConfigError>("architecture: ", family.dump(), " is set, but only a '", kFamily, "' or a '", kClassifier,
                    "' can start from the BERT ", bundle, " (training.encoder_from); leave it out");
}

/// The vectors of the BERT must not be those of the target and of the generator, too.
void check_tying(const json& model, const std::string& bundle) {
  if (model.at("tying") != "all") return;
  fail<ConfigError>("model.tying: \"all\" is set, but the source embedding comes from ", bundle,
                    " (training.encoder_from); use \"decoder\" or \"none\"");
}

}  // namespace

json sections_for_encoder(const json& given, const std::string& bundle) {
  const model::Package package = model::read_bundle(bundle).package;
  const auto& bert = options_of(package);
  if (family_of(given, bundle) == kClassifier) {
    return {{"architecture", kClassifier}, {"model", settings_of_classifier(bert)}, {"tokenizer", {{"shared", true}}}};
  }
  json settings = settings_of_encoder(bert);
  settings["tying"] = "decoder";
  return {{"architecture", kFamily}, {"model", settings}, {"tokenizer", {{"shared", false}}}};
}

void check_encoder(const settings::RunConfig& config, const model::Package& bert) {
  const auto& options = options_of(bert);
  const bool classifies = family_of({{"architecture", config.model->family()}}, bert.path) == kClassifier;
  const json model = config.model->to_json();
  const json all_needed = classifies ? settings_of_classifier(options) : settings_of_encoder(options);
  for (const auto& [key, needed] : all_needed.items()) {
    if (model.at(key) == needed) continue;
    fail<ConfigError>("model.", key, ": ", model.at(key).dump(), " is set, but an encoder that starts from ", bert.path,
                      " (training.encoder_from) needs ", needed.dump(), "; leave it out");
  }
  if (!classifies) check_tying(model, bert.path);
  const std::string& file = config.tokenizer.source;
  if (file.empty() || files::read_file(file) == bert.source_spm) return;
  fail<ConfigError>("tokenizer.source: ", file, " is not the tokenizer of ", bert.path,
                    ", with which the encoder starts (training.encoder_from); leave it out");
}

}  // namespace ventris::preparation
