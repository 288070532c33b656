#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "imports/ctranslate2_model.h"
#include "imports/ctranslate2_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

/// Models of CTranslate2 that cannot be imported, and what their message says.
namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kRefusedData = VENTRIS_SOURCE "/tests/imports/data/ctranslate2_";

class ChangedCTranslate2 : public testing::Test {
 protected:
  explicit ChangedCTranslate2(const std::string& name = "norms") {
    fs::copy(kRefusedData + name, path, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(path)) fs::permissions(entry, fs::perms::owner_all);
    weights = files::read_file(path + "/model.bin");
  }
  void set(const std::string& key, const json& value) const {
    json config = json::parse(files::read_file(path + "/config.json"));
    config[key] = value;
    files::write_file(path + "/config.json", config.dump());
  }
  void add(const std::string& name, const std::vector<uint32_t>& shape, uint8_t type, const std::string& data) const {
    files::write_file(path + "/model.bin", with_variable(weights, name, shape, type, data));
  }
  /// Gives a variable without dimensions, of the length of `value`, another value.
  void change(const std::string& name, const std::string& value) const {
    std::string bytes = weights;
    const size_t at = bytes.find(CTranslate2Writer::text(name));
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at + name.size() + 3 + 1 + 1 + 4, value.size(), value);
    files::write_file(path + "/model.bin", bytes);
  }
  void expect_refused(const std::string& part) const {
    EXPECT_FAILS(from_ctranslate2_folder(path, {}), ModelError, part);
  }

  test::TempFolder folder;
  std::string path = folder.path("model"), weights;
};

TEST_F(ChangedCTranslate2, PartsThatWeDoNotHaveAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"encoder/layer_0/self_attention/relative_position_keys", "a model with relative positions cannot be imported"},
      {"decoder/layer_0/self_attention/relative_attention_bias", "relative positions"},
      {"encoder/layer_0/self_attention/rotary_dim", "rotary positions"},
      {"decoder/layer_0/self_attention/num_heads_kv", "fewer heads of keys and values than of queries"},
      {"decoder/layer_0/self_attention/head_dim", "heads of another width"},
      {"decoder/sliding_window", "attention within a window"},
      {"decoder/layer_0/self_attention/q_norm/gamma", "norms of queries"},
      {"decoder/project_in/weight", "a projection of embeddings"},
      {"decoder/layer_0/ffn/linear_0/weight_zero", "weights quantised in groups (AWQ)"},
      {"decoder/layer_0/post_attention_layer_norm/gamma", "norms on both sides of a block"},
      {"decoder/layer_0/shared_layer_norm/gamma", "blocks side by side"},
      {"encoder/embeddings_1/weight", "this kind of model has no such part"},
      {"decoder/layer_norm/gamma", "this kind of model has no such part"},
      {"decoder/final_logit_softcapping", "this kind of model has no such part"}};
  for (const auto& [name, message] : cases) {
    add(name, {}, kF32, bytes_of<float>({1}));
    expect_refused("'" + name + "'");
    expect_refused(message);
  }
}

TEST_F(ChangedCTranslate2, SettingsThatWeDoNotHaveAreNamed) {
  change("decoder/alibi", "\1");
  expect_refused("variable 'decoder/alibi': a model with ALiBi cannot be imported");
  change("encoder/multi_query_attention", "\1");
  expect_refused("'encoder/multi_query_attention': a model with one head of keys and values");
  change("decoder/activation", std::string(1, '\0'));
  expect_refused("variable 'decoder/activation': expected 4 as in 'encoder/activation', found 0");
  change("encoder/num_heads", bytes_of<int16_t>({3}));
  expect_refused("variable 'encoder/num_heads': expected a divisor of the width");
}

TEST_F(ChangedCTranslate2, SettingsOfConfigJsonThatWeDoNotHaveAreNamed) {
  const std::vector<std::tuple<std::string, json, std::string>> cases{
      {"add_source_bos", true, "config.json: add_source_bos: expected false, found true"},
      {"decoder_start_token", json(), "config.json: decoder_start_token: the first token of a translation is given"},
      {"eos_token", "<end>", "has no token '<end>', the end of a sentence"},
      {"layer_norm_epsilon", 0, "layer_norm_epsilon: expected a number between 0 and 1, found 0"},
      {"layer_norm_epsilon", "small", "layer_norm_epsilon: expected a number, found \"small\""}};
  const std::string before = files::read_file(path + "/config.json");
  for (const auto& [key, value, message] : cases) {
    set(key, value);
    expect_refused(message);
    files::write_file(path + "/config.json", before);
  }
}

TEST_F(ChangedCTranslate2, MissingAndDamagedFilesAreNamed) {
  for (const char* name : {"source_vocabulary.json", "target_vocabulary.json"}) {
    const std::string file = path + "/" + name, before = files::read_file(file);
    fs::remove(file);
    expect_refused(std::string(name) + ": does not exist, nor does the same file with .txt");
    files::write_file(file, "[1, 2]");
    expect_refused(std::string(name) + ": expected a JSON list of the texts of tokens");
    files::write_file(file, "[");
    expect_refused(name);
    json tokens = json::parse(before);
    tokens.push_back("more");
    files::write_file(file, tokens.dump());
    expect_refused("expected shape [");
    files::write_file(file, before);
  }
  files::write_file(path + "/source.spm", "no model");
  expect_refused("source.spm: not a SentencePiece model");
  fs::remove(path + "/model.bin");
  expect_refused("model.bin: does not exist");
}

TEST_F(ChangedCTranslate2, PiecesNeedATokenizer) {
  const std::string spm = files::read_file(path + "/source.spm"), given = folder.file("given.spm", spm);
  fs::remove(path + "/source.spm");
  fs::remove(path + "/target.spm");
  EXPECT_FAILS(from_ctranslate2_folder(path, {}), ConfigError,
               "was trained with SentencePiece, but has no tokenizer; give the model of SentencePiece");
  EXPECT_NO_THROW(from_ctranslate2_folder(path, {given}));
  EXPECT_NO_THROW(from_ctranslate2_folder(path, {given, kRefusedData + "norms/target.spm"}));
  EXPECT_FAILS(from_ctranslate2_folder(path, {folder.path("none.spm")}), DataError, "none.spm");
}

TEST_F(ChangedCTranslate2, AModelOfTransformersEndsItsSourcesThoughItDoesNotSaySo) {
  set("decoder_start_token", "</s>");
  set("add_source_eos", false);
  const Imported imported = from_ctranslate2_folder(path, {});
  EXPECT_TRUE(imported.package.config.tokenizer.source_eos);
  EXPECT_THAT(imported.notes, testing::Contains(testing::HasSubstr("a source ends with '</s>': the model seems to be "
                                                                   "converted from Hugging Face's transformers")));
}

TEST_F(ChangedCTranslate2, TokensOfLanguagesComeBeforeSourceAndTarget) {
  for (const auto& [first, second, code] :
       {std::tuple("eng_Latn", "deu_Latn", "deu_Latn"), std::tuple("__en__", "__de__", "de"),
        std::tuple("__ceb__", "__de__", "ceb"), std::tuple("en_XX", "de_DE", "de_DE")}) {
    for (const char* side : {"source", "target"}) {
      const std::string file = path + "/" + side + "_vocabulary.json";
      json tokens = json::parse(files::read_file(file));
      tokens[tokens.size() - 2] = first;
      tokens[tokens.size() - 1] = second;
      files::write_file(file, tokens.dump());
    }
    const Imported imported = from_ctranslate2_folder(path, {});
    const auto& languages = imported.package.config.tokenizer.languages;
    ASSERT_EQ(languages.size(), 2U);
    const std::string token = code == std::string("ceb") ? first : second;
    EXPECT_EQ(languages.at(code), (model::LanguageTokens{.source_prefix = {token}, .target_prefix = {token}}));
    const text::Tokenizer target(imported.package.target_spm, "target");
    EXPECT_EQ(target.decode(std::vector<int32_t>{target.id_of(token)}), "") << "a token of a language is not written";
    EXPECT_THAT(imported.notes, testing::Contains(testing::HasSubstr("2 languages were found among the tokens")));
  }
}

TEST_F(ChangedCTranslate2, TokensInALineEachMayEndWithCarriageReturns) {
  std::string lines;
  for (const json& token : json::parse(files::read_file(path + "/source_vocabulary.json"))) {
    lines += token.get<std::string>() + "\r\n";
  }
  fs::remove(path + "/source_vocabulary.json");
  files::write_file(path + "/source_vocabulary.txt", lines);
  EXPECT_NO_THROW(from_ctranslate2_folder(path, {}));
}

TEST_F(ChangedCTranslate2, PositionsThatDoNotFitAreNamed) {
  add("encoder/position_encodings/encodings", {7, 16}, kF32, std::string(448, '\0'));
  expect_refused(
      "'encoder/position_encodings/encodings': expected at least 8 positions of 16 features, found shape "
      "[7, 16]");
  add("encoder/position_encodings/encodings", {8, 16}, kF32, std::string(512, '\0'));
  EXPECT_THAT(from_ctranslate2_folder(path, {}).notes,
              testing::Contains(testing::HasSubstr("the longest sentence has 8 tokens")))
      << "the other side has as many";
}

}  // namespace
}  // namespace ventris::imports
