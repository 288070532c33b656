#include "exports/huggingface.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::exports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class HuggingFace : public testing::Test {
 protected:
  HuggingFace() {
    test::write_tiny_bert(folder.path("bert"));
    fs::create_directory(exported);
    for (const auto& [name, bytes] : to_huggingface(model::read_bundle(folder.path("bert")))) write(name, bytes);
  }
  void write(const std::string& name, const std::string& bytes) const {
    files::write_file(exported + "/" + name, bytes);
  }
  json config() const { return json::parse(files::read_file(exported + "/config.json")); }
  void change(const std::string& key, const json& value) const {
    json changed = config();
    changed[key] = value;
    write("config.json", changed.dump());
  }
  Imported read() const { return from_huggingface(exported, ""); }
  /// Writes the weights without one tensor and with another.
  void replace(const std::string& without, const model::TensorView& with) const {
    const auto file = model::Safetensors::from_file(exported + "/model.safetensors");
    std::vector<model::TensorView> views{with};
    for (const model::TensorView& view : file.tensors()) {
      if (view.name != without) views.push_back(view);
    }
    write("model.safetensors", model::write_safetensors(views, {}));
  }

  test::TempFolder folder;
  std::string exported = folder.path("exported");
};

TEST_F(HuggingFace, TheConfigurationHasTheNamesOfTransformers) {
  const json found = config();
  EXPECT_EQ(found.at("model_type"), "bert");
  EXPECT_EQ(found.at("architectures"), json::array({"BertForPreTraining"}));
  EXPECT_EQ(found.at("hidden_size"), 4);
  EXPECT_EQ(found.at("num_hidden_layers"), 1);
  EXPECT_EQ(found.at("num_attention_heads"), 2);
  EXPECT_EQ(found.at("intermediate_size"), 8);
  EXPECT_EQ(found.at("max_position_embeddings"), 16);
  EXPECT_EQ(found.at("layer_norm_eps"), 1e-12);
  EXPECT_EQ(found.at("hidden_act"), "gelu");
  EXPECT_EQ(found.at("vocab_size"), test::tiny_bert_tokenizer().size());
}

TEST_F(HuggingFace, WhatIsReadBackIsTheBundle) {
  const model::Bundle bundle = model::read_bundle(folder.path("bert"));
  const Imported imported = read();
  EXPECT_EQ(imported.weights, bundle.weights.bytes().view());
  EXPECT_EQ(imported.package.source_spm, bundle.package.source_spm);
  EXPECT_EQ(imported.package.config.architecture->to_json(), bundle.package.config.architecture->to_json());
  EXPECT_EQ(json::parse(imported.package.config.provenance).at("imported_from"), exported);
  model::write_bundle(folder.path("imported"), imported.package, imported.weights);
  EXPECT_EQ(model::read_bundle(folder.path("imported")).package.tensors.size(), bundle.package.tensors.size());
}

TEST_F(HuggingFace, TheTokenizerMayBeGiven) {
  fs::rename(exported + "/source.spm", folder.path("text.spm"));
  EXPECT_FAILS(read(), ConfigError, "--tokenizer: " + exported + " has no source.spm; give the SentencePiece model");
  EXPECT_EQ(from_huggingface(exported, folder.path("text.spm")).weights,
            model::read_bundle(folder.path("bert")).weights.bytes().view());
  change("vocab_size", 30522);
  EXPECT_FAILS(from_huggingface(exported, folder.path("text.spm")), ConfigError, "but the vocabulary of " + exported);
}

TEST_F(HuggingFace, OtherModelsAreRefusedWithWhatWasFound) {
  const auto refused = [&](const std::string& key, const json& value, const std::string& message) {
    const std::string before = files::read_file(exported + "/config.json");
    change(key, value);
    EXPECT_FAILS(read(), ModelError, exported + "/config.json: " + message);
    write("config.json", before);
  };
  refused("model_type", "roberta", "model_type: expected \"bert\", found \"roberta\"");
  refused("hidden_act", "gelu_new", "hidden_act: expected \"gelu\", found \"gelu_new\"");
  refused("position_embedding_type", "relative_key", "position_embedding_type: expected \"absolute\"");
  refused("type_vocab_size", 1, "type_vocab_size: expected 2, found 1");
  refused("is_decoder", true, "is_decoder: expected false, found true");
  refused("hidden_size", "wide", "model.d_model: expected a whole number");
  refused("hidden_size", 5, "model.d_model: must be a multiple of heads (2), got 5");
  write("config.json", "[]");
  EXPECT_FAILS(read(), ModelError, "has no \"model_type\"");
  write("config.json", "{");
  EXPECT_FAILS(read(), ModelError, "config.json");
  fs::remove(exported + "/config.json");
  EXPECT_FAILS(read(), ModelError, "config.json: does not exist; expected a folder of a BERT of transformers");
  test::write_tiny_bundle(folder.path("other"));
  EXPECT_FAILS(to_huggingface(model::read_bundle(folder.path("other"))), ModelError,
               "expected a model of the family 'bert'");
}

TEST_F(HuggingFace, TensorsThatDoNotFitAreNamed) {
  const std::string bytes(static_cast<size_t>(4) * 4, '\0');
  const std::string whole = files::read_file(exported + "/model.safetensors");
  replace("bert.pooler.dense.bias", {"bert.embeddings.position_ids", model::DType::kF32, {4}, bytes});
  EXPECT_FAILS(read(), ModelError,
               "has no tensor 'bert.pooler.dense.bias'; expected the weights of a BertForPreTraining");
  write("model.safetensors", whole);
  replace("", {"bert.embeddings.position_ids", model::DType::kF32, {4}, bytes});
  EXPECT_EQ(read().weights, model::read_bundle(folder.path("bert")).weights.bytes().view())
      << "numbers that are no weights";
  write("model.safetensors", whole);
  replace("", {"classifier.bias", model::DType::kF32, {4}, bytes});
  EXPECT_FAILS(read(), ModelError, "classifier.bias: a BERT has no such tensor");
  write("model.safetensors", whole);
  replace("bert.pooler.dense.bias", {"bert.pooler.dense.bias", model::DType::kF16, {4}, bytes.substr(8)});
  EXPECT_FAILS(read(), ModelError,
               "tensor 'bert.pooler.dense.bias': expected 32-bit floats (F32), found F16; convert the model");
  write("model.safetensors", whole);
  replace("bert.pooler.dense.bias", {"bert.pooler.dense.bias", model::DType::kF32, {2, 2}, bytes});
  EXPECT_FAILS(read(), ModelError,
               "tensor 'bert.pooler.dense.bias': expected shape [4] as in config.json, found [2, 2]");
}

}  // namespace
}  // namespace ventris::exports
