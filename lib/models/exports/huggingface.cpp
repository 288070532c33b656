#include "exports/huggingface.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "architecture/bert_options.h"
#include "core/error.h"
#include "core/json_reader.h"
#include "core/process.h"
#include "core/utf8.h"
#include "files/files.h"
#include "files/paths.h"
#include "text/tokenizer.h"

namespace ventris::exports {
namespace {

using architecture::BertArchitecture;
using architecture::BertOptions;
using nlohmann::json;

constexpr int64_t kSegments = 2;
constexpr double kInitialDeviation = 0.02;

/// Tensors that share the bytes of another, and that other.
const std::map<std::string, std::string>& ties() {
  static const std::map<std::string, std::string> all{
      {"cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight"},
      {"cls.predictions.decoder.bias", "cls.predictions.bias"}};
  return all;
}

/// Numbers that older versions store, but that are no weights.
const std::set<std::string>& no_weights() {
  static const std::set<std::string> all{"bert.embeddings.position_ids", "bert.embeddings.token_type_ids"};
  return all;
}

json config_of(const BertOptions& bert, const core::SpecialIds& ids) {
  return {{"architectures", {"BertForPreTraining"}},
          {"model_type", "bert"},
          {"vocab_size", bert.vocab},
          {"hidden_size", bert.d_model},
          {"num_hidden_layers", bert.layers},
          {"num_attention_heads", bert.heads},
          {"intermediate_size", bert.d_ff},
          {"hidden_act", "gelu"},
          {"hidden_dropout_prob", bert.dropout},
          {"attention_probs_dropout_prob", bert.attention_dropout},
          {"max_position_embeddings", bert.max_positions},
          {"type_vocab_size", kSegments},
          {"layer_norm_eps", bert.norm_epsilon},
          {"initializer_range", kInitialDeviation},
          {"pad_token_id", ids.pad},
          {"bos_token_id", ids.bos},
          {"eos_token_id", ids.eos},
          {"tie_word_embeddings", true},
          {"torch_dtype", "float32"}};
}

/// Throws unless `key` is missing or has this value.
void expect(const json& config, const std::string& where, const std::string& key, const json& value) {
  const json found = config.value(key, value);
  if (found == value) return;
  fail<ModelError>(where, ": ", key, ": expected ", value.dump(), ", found ", core::cut_utf8(found.dump(), 60));
}

/// The settings of a BERT; `where` names config.json. The parser of the family checks them.
architecture::ArchitecturePtr read_config(const json& config, const std::string& where) {
  if (!config.is_object() || !config.contains("model_type")) {
    fail<ModelError>(where, ": has no \"model_type\"; expected the config.json of a BERT of transformers");
  }
  for (const auto& [key, value] : {std::pair<const char*, json>{"model_type", "bert"},
                                   {"hidden_act", "gelu"},
                                   {"position_embedding_type", "absolute"},
                                   {"type_vocab_size", kSegments},
                                   {"is_decoder", false},
                                   {"tie_word_embeddings", true},
                                   {"pad_token_id", core::SpecialIds().pad}}) {
    expect(config, where, key, value);
  }
  json settings = json::object();
  for (const auto& [ours, theirs] : {std::pair{"d_model", "hidden_size"},
                                     {"layers", "num_hidden_layers"},
                                     {"heads", "num_attention_heads"},
                                     {"d_ff", "intermediate_size"},
                                     {"dropout", "hidden_dropout_prob"},
                                     {"attention_dropout", "attention_probs_dropout_prob"},
                                     {"max_positions", "max_position_embeddings"},
                                     {"norm_epsilon", "layer_norm_eps"}}) {
    if (config.contains(theirs)) settings[ours] = config.at(theirs);
  }
  try {
    core::JsonReader reader(settings, "model");
    return architecture::parse("bert", "architecture", reader);
  } catch (const ConfigError& error) {
    fail<ModelError>(where, ": ", error.what());
  }
}

text::Tokenizer read_tokenizer(const std::string& folder, const std::string& given) {
  const std::string path = given.empty() ? folder + "/source.spm" : given;
  if (given.empty() && !files::exists(path)) {
    fail<ConfigError>("--tokenizer: ", folder, " has no source.spm; give the SentencePiece model with which the BERT ",
                      "was trained");
  }
  return {files::read_plain_file(path), path};
}

/// The tensors of the architecture, without tied ones, as a bundle stores them.
std::string weights_of(const architecture::Architecture& bert, const model::Safetensors& file) {
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  std::vector<model::TensorView> views;
  std::set<std::string> known = no_weights();
  bert.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    known.insert(name);
    const auto tie = ties().find(name);
    const std::string& stored = tie == ties().end() ? name : tie->second;
    if (tie != ties().end()) metadata["alias:" + name] = stored;
    if (!file.contains(stored)) {
      fail<ModelError>(file.where(), ": has no tensor '", stored, "'; expected the weights of a BertForPreTraining");
    }
    if (file.at(stored).shape != shape) {
      fail<ModelError>(file.where(), ": tensor '", stored, "': expected shape ", model::shape_text(shape),
                       " as in config.json, found ", model::shape_text(file.at(stored).shape));
    }
    if (file.at(stored).dtype != model::DType::kF32) {
      fail<ModelError>(file.where(), ": tensor '", stored, "': expected 32-bit floats (F32), found ",
                       name_of(file.at(stored).dtype), "; convert the model, in transformers with model.float()");
    }
    if (tie != ties().end() && file.contains(name) && file.at(name).bytes != file.at(stored).bytes) {
      fail<ModelError>(file.where(), ": tensor '", name, "' differs from '", stored, "'; in a bundle they are one");
    }
    if (tie == ties().end()) views.push_back(file.at(name));
  });
  for (const model::TensorView& tensor : file.tensors()) {
    if (known.contains(tensor.name)) continue;
    fail<ModelError>(file.where(), ": ", tensor.name, ": a BERT has no such tensor");
  }
  return model::write_safetensors(views, metadata);
}

}  // namespace

std::vector<files::NamedBytes> to_huggingface(const model::Bundle& bundle) {
  const auto* bert = dynamic_cast<const BertArchitecture*>(bundle.package.config.architecture.get());
  if (bert == nullptr) {
    fail<ModelError>(bundle.package.path, ": expected a model of the family 'bert', found one of the family '",
                     bundle.package.config.architecture->family(), "'");
  }
  return {{"config.json", config_of(bert->options, bundle.package.config.tokenizer.ids).dump(2) + "\n"},
          {"model.safetensors", model::write_safetensors(bundle.weights.tensors(), {{"format", "pt"}})},
          {"source.spm", bundle.package.source_spm}};
}

Imported from_huggingface(const std::string& folder, const std::string& tokenizer_path) {
  const std::string where = folder + "/config.json", weights = folder + "/model.safetensors";
  const auto read = [](const std::string& path) {
    if (!files::exists(path)) fail<ModelError>(path, ": does not exist; expected a folder of a BERT of transformers");
    return files::read_plain_file(path);
  };
  json config;
  try {
    config = core::parse_json(read(where), where);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
  const auto architecture = read_config(config, where);
  const model::Safetensors file = model::Safetensors::parse(read(weights), weights);
  const text::Tokenizer tokenizer = read_tokenizer(folder, tokenizer_path);
  if (const json vocab = config.value("vocab_size", json(0)); vocab != json(tokenizer.size())) {
    fail<ConfigError>("--tokenizer: has ", tokenizer.size(), " pieces, but the vocabulary of ", folder, " has ",
                      vocab.dump(), "; give the SentencePiece model with which the BERT was trained");
  }
  Imported imported;
  model::Package& package = imported.package;
  package.path = folder;
  package.config.architecture = architecture->with_vocabularies(tokenizer.size(), tokenizer.size());
  package.config.provenance =
      json({{"program", std::string("ventris-import ") + core::version()}, {"imported_from", folder}})
          .dump(-1, ' ', false, json::error_handler_t::replace);
  package.source_spm = package.target_spm = tokenizer.bytes();
  imported.weights = weights_of(*package.config.architecture, file);
  return imported;
}

}  // namespace ventris::exports
