#include "imports/huggingface_marian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "decoding/search.h"
#include "engine/factory.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using Ids = std::vector<int32_t>;

std::string data_folder(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/" + name; }

/// A model of make_marian_expected.py, and what transformers computes with it.
class MarianFolder : public testing::TestWithParam<std::string> {
 protected:
  MarianFolder()
      : imported_(from_marian_folder(data_folder(GetParam()))),
        source_(imported_.package.source_spm, "source"),
        target_(imported_.package.target_spm, "target"),
        expected_(json::parse(files::read_file(data_folder(GetParam()) + "/expected.json"))) {}

  std::unique_ptr<decoding::ScorerFactory> scorers() const {
    return engine::make_factory(imported_.package.config, model::Safetensors::parse(imported_.weights, "weights"), {});
  }
  /// The new id of a row. In the models of the script, </s> is row 0, <unk> row 1, and <pad> the last one.
  int32_t id_of(int64_t row) const {
    if (row == 0) return core::SpecialIds().eos;
    if (row == 1) return core::SpecialIds().unk;
    return row == expected_.at("pad") ? core::SpecialIds().pad : static_cast<int32_t>(row + 2);
  }
  Ids ids_of(const json& rows) const {
    Ids ids;
    for (const json& row : rows) ids.push_back(id_of(row));
    return ids;
  }

  Imported imported_;
  text::Tokenizer source_, target_;
  json expected_;
};

TEST_P(MarianFolder, BothTokenizersGiveTheIdsOfTransformers) {
  for (const json& row : expected_.at("rows")) {
    Ids source = source_.encode(row.at("source").get<std::string>()),
        target = target_.encode(row.at("target").get<std::string>());
    source.push_back(3);
    target.push_back(3);
    EXPECT_EQ(source, ids_of(row.at("ids"))) << row.at("source");
    EXPECT_EQ(target, ids_of(row.at("target_ids"))) << row.at("target");
  }
}

TEST_P(MarianFolder, LogProbabilitiesAreThoseOfTransformers) {
  const auto scorer = scorers()->make_pair_scorer();
  for (const json& row : expected_.at("rows")) {
    const Ids source = ids_of(row.at("ids"));
    Ids target = ids_of(row.at("target_ids"));
    target.pop_back();
    const std::vector<decoding::Pair> pairs{{source, target}};
    const auto answers = scorer->answer(pairs, {});
    const auto expected = row.at("log_probs").get<std::vector<float>>();
    ASSERT_EQ(answers[0].log_probs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(answers[0].log_probs[i], expected[i], 1e-5);
  }
}

TEST_P(MarianFolder, GreedyAndBeamSearchWriteTheTokensOfTransformers) {
  constexpr size_t kMost = 29;  // tokens, with eos, which transformers forces at the end
  const auto scorer = scorers()->make();
  for (const json& row : expected_.at("rows")) {
    decoding::Sentence sentence;
    sentence.source = ids_of(row.at("ids"));
    for (const auto& [name, beam] : {std::pair("greedy", 1), std::pair("beam", 4)}) {
      Ids expected = ids_of(row.at(name));
      const bool cut = expected.size() == kMost;
      if (cut && beam > 1) continue;
      decoding::SearchOptions options;
      options.beam_size = beam;
      options.max_length_factor = 100;
      options.longest = kMost;
      scorer->reset();
      Ids found = decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids;
      expected.pop_back();
      if (cut) found.resize(expected.size());
      EXPECT_EQ(found, expected) << name << ": " << row.at("source");
    }
  }
}

TEST_P(MarianFolder, TheBundleCanBeWrittenAndOpened) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported_.package, imported_.weights);
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  EXPECT_EQ(bundle.package.config.decoding.beam_size, 4);
  EXPECT_EQ(bundle.package.config.tokenizer.common_ids, GetParam() != "marian_separate");
}

INSTANTIATE_TEST_SUITE_P(Models, MarianFolder, testing::Values("marian_shared", "marian_separate", "marian_sides"));

/// A copy of a folder that a test damages.
class DamagedMarianFolder : public testing::Test {
 protected:
  DamagedMarianFolder() {
    fs::copy(data_folder("marian_shared"), path, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(path)) fs::permissions(entry, fs::perms::owner_all);
  }
  /// Replaces a value of config.json; null removes it.
  void set(const std::string& key, const json& value) const {
    json config = json::parse(files::read_file(path + "/config.json"));
    if (value.is_null()) {
      config.erase(key);
    } else {
      config[key] = value;
    }
    files::write_file(path + "/config.json", config.dump());
  }
  void expect_refused(const std::string& part) const { EXPECT_FAILS(from_marian_folder(path), ModelError, part); }

  test::TempFolder folder;
  std::string path = folder.path("marian");
};

TEST_F(DamagedMarianFolder, SettingsOfOtherModelsAreNamed) {
  const std::vector<std::tuple<std::string, json, std::string>> cases{
      {"normalize_before", true, "normalize_before: expected false, found true"},
      {"activation_function", "tanh",
       "activation_function: expected relu, gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, quick_gelu, swish or silu, "
       "found 'tanh'"},
      {"decoder_ffn_dim", 48, "expected shape [48, 16], found [24, 16]"},
      {"decoder_attention_heads", 3, "d_model: expected an even multiple of the 3 heads, found 16"},
      {"encoder_attention_heads", json(), "encoder_attention_heads: is missing"},
      {"d_model", "16", "d_model: expected a whole number of at least 2, found \"16\""},
      {"d_model", 32, "expected shape"},
      {"eos_token_id", 4000, "the end of a sentence is token 4000, but there are only"},
      {"max_position_embeddings", 65537, "max_position_embeddings: expected a whole number of at most 65536, found"},
      {"d_model", 1 << 30, "d_model: expected a whole number of at most 16777216, found 1073741824"},
      {"decoder_vocab_size", 100, "decoder_vocab_size: expected "},
      {"vocab_size", 1 << 23, "vocab_size: expected a whole number of at most 4194304, found 8388608"},
      {"vocab_size", 3, "vocab_size: expected a whole number of at least 4, found 3"},
      {"vocab_size", 12, "decoder_vocab_size: expected 12, as vocab_size, because there is no target_vocab.json"}};
  for (const auto& [key, value, message] : cases) {
    const std::string before = files::read_file(path + "/config.json");
    set(key, value);
    expect_refused(message);
    files::write_file(path + "/config.json", before);
  }
}

TEST_F(DamagedMarianFolder, OtherSettingsOfTransformersAreSettingsOfTheModel) {
  const auto options = [&] {
    return dynamic_cast<const architecture::TransformerArchitecture&>(
               *from_marian_folder(path).package.config.architecture)
        .options;
  };
  EXPECT_TRUE(options().scale_embeddings);
  set("scale_embedding", false);
  set("activation_function", "gelu_new");
  EXPECT_FALSE(options().scale_embeddings);
  EXPECT_EQ(options().activation, architecture::Activation::kGeluTanh);
  set("activation_function", "quick_gelu");
  EXPECT_EQ(options().activation, architecture::Activation::kGeluSigmoid);
}

TEST_F(DamagedMarianFolder, TokensOfLanguagesAreLanguages) {
  EXPECT_TRUE(from_marian_folder(path).package.config.tokenizer.languages.empty());
  json vocab = json::parse(files::read_file(path + "/vocab.json")), changed = json::object();
  for (const auto& [text, row] : vocab.items()) changed[row == 5 ? ">>por<<" : row == 6 ? ">>spa<<" : text] = row;
  files::write_file(path + "/vocab.json", changed.dump());
  const Imported imported = from_marian_folder(path);
  const model::LanguageMap& languages = imported.package.config.tokenizer.languages;
  ASSERT_EQ(languages.size(), 2U);
  EXPECT_EQ(languages.at("por").to_prefix, std::vector<std::string>{">>por<<"});
  EXPECT_GE(text::Tokenizer(imported.package.source_spm, "source").id_of(">>por<<"), 4);
  EXPECT_THAT(imported.notes, testing::Contains(HasSubstr("it translates into 2 languages; --target-language")));
}

TEST_F(DamagedMarianFolder, MissingAndDamagedFilesAreNamed) {
  for (const char* name : {"vocab.json", "source.spm", "target.spm", "config.json", "model.safetensors"}) {
    const std::string file = path + "/" + name, before = files::read_file(file);
    fs::remove(file);
    expect_refused(std::string(name) == "model.safetensors" ? "found neither" : name);
    files::write_file(file, before.substr(0, before.size() - 3));
    expect_refused(name);
    files::write_file(file, before);
  }
  EXPECT_NO_THROW(from_marian_folder(path));
}

/// The elements of tensors of a decoder, [rows, columns], without the last rows or columns, or with zeros there.
class NarrowDecoder {
 public:
  NarrowDecoder(int64_t width, bool cut) : width_(width), cut_(cut) {}

  model::TensorView changed(const model::TensorView& tensor) {
    if (!tensor.name.starts_with("model.decoder") || tensor.name.find(".fc") == std::string::npos) return tensor;
    const bool columns = tensor.name.ends_with("fc2.weight");
    if (tensor.name.ends_with("fc2.bias")) return tensor;
    const size_t axis = columns ? 1 : 0;
    const size_t unit = columns || tensor.shape.size() == 1 ? sizeof(float) : sizeof(float) * tensor.shape[1];
    const size_t run = unit * static_cast<size_t>(tensor.shape[axis]), keep = unit * static_cast<size_t>(width_);
    std::string& bytes = kept_.emplace_back();
    for (size_t at = 0; at < tensor.bytes.size(); at += run) {
      bytes += tensor.bytes.substr(at, keep);
      if (!cut_) bytes += std::string(run - keep, '\0');
    }
    model::TensorView result{tensor.name, tensor.dtype, tensor.shape, bytes};
    if (cut_) result.shape[axis] = width_;
    return result;
  }

 private:
  int64_t width_;
  bool cut_;
  std::list<std::string> kept_;
};

TEST_F(DamagedMarianFolder, ANarrowerSideComputesWhatZerosInItsPlaceDo) {
  const std::string whole = files::read_file(path + "/model.safetensors");
  const auto import_with = [&](bool cut) {
    const auto file = model::Safetensors::parse(whole, "whole");
    NarrowDecoder narrow(20, cut);
    std::vector<model::TensorView> tensors;
    for (const model::TensorView& tensor : file.tensors()) tensors.push_back(narrow.changed(tensor));
    files::write_file(path + "/model.safetensors", model::write_safetensors(tensors, {}));
    set("decoder_ffn_dim", cut ? 20 : 24);
    const Imported imported = from_marian_folder(path);
    const auto scorers =
        engine::make_factory(imported.package.config, model::Safetensors::parse(imported.weights, "weights"), {});
    const Ids source{5, 6, 7, 3}, target{8, 9, 10};
    const std::vector<decoding::Pair> pairs{{source, target}};
    return scorers->make_pair_scorer()->answer(pairs, {})[0].log_probs;
  };
  const std::vector<float> narrow = import_with(true), zeros = import_with(false);
  ASSERT_EQ(narrow.size(), 4U);
  for (size_t i = 0; i < narrow.size(); ++i) EXPECT_NEAR(narrow[i], zeros[i], 1e-5);
}

TEST_F(DamagedMarianFolder, WeightsMayBeInSeveralFiles) {
  const Imported whole = from_marian_folder(path);
  json parts;
  const auto file = model::Safetensors::from_file(path + "/model.safetensors");
  for (const model::TensorView& tensor : file.tensors()) {
    parts[tensor.name] = "part.safetensors";
  }
  fs::rename(path + "/model.safetensors", path + "/part.safetensors");
  files::write_file(path + "/model.safetensors.index.json", json({{"weight_map", parts}}).dump());
  EXPECT_EQ(from_marian_folder(path).weights, whole.weights);
  parts["model.new.weight"] = "part.safetensors";
  files::write_file(path + "/model.safetensors.index.json", json({{"weight_map", parts}}).dump());
  expect_refused("has no tensor 'model.new.weight', but ");
}

TEST_F(DamagedMarianFolder, ATensorThatAMarianDoesNotHaveIsNamed) {
  const auto file = model::Safetensors::from_file(path + "/model.safetensors");
  std::vector<model::TensorView> tensors = file.tensors();
  const float extra[1] = {1};
  tensors.push_back({"model.encoder.layer_norm.weight",
                     model::DType::kF32,
                     {1},
                     {reinterpret_cast<const char*>(extra), sizeof extra}});
  files::write_file(path + "/model.safetensors", model::write_safetensors(tensors, {}));
  expect_refused("tensor 'model.encoder.layer_norm.weight': this kind of model has no such part");
}

}  // namespace
}  // namespace ventris::imports
