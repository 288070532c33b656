#include "imports/huggingface_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "model/safetensors.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

class HuggingFaceFolder : public testing::Test {
 protected:
  std::string path() const { return folder_.path(); }
  /// A file with one tensor, which has one number.
  void weights(const std::string& file, const std::string& name, float value) const {
    const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof value);
    folder_.file(file, model::write_safetensors({{name, model::DType::kF32, {1}, bytes}}, {}));
  }
  void index(const std::string& map) const {
    folder_.file("model.safetensors.index.json", R"({"weight_map": )" + map + "}");
  }
  void expect_refused(const std::string& message) const {
    EXPECT_FAILS(huggingface_weights(path()), ModelError, message);
  }
  test::TempFolder folder_;
};

TEST_F(HuggingFaceFolder, OneFileOfWeightsComesBeforeItsParts) {
  expect_refused(": expected the weights as model.safetensors or pytorch_model.bin, found neither");
  weights("part.safetensors", "a", 1);
  index(R"({"a": "part.safetensors"})");
  EXPECT_THAT(huggingface_weights(path())->floats("a"), ElementsAre(1));
  weights("model.safetensors", "a", 2);
  EXPECT_THAT(huggingface_weights(path())->floats("a"), ElementsAre(2));
}

TEST_F(HuggingFaceFolder, PartsAreThoseOfTheList) {
  weights("1.safetensors", "a", 1);
  weights("2.safetensors", "b", 2);
  index(R"({"a": "1.safetensors", "b": "2.safetensors"})");
  const auto both = huggingface_weights(path());
  EXPECT_THAT(both->names(), ElementsAre("a", "b"));
  EXPECT_THAT(both->floats("b"), ElementsAre(2));
  EXPECT_THAT(both->shape("a"), ElementsAre(1));
  EXPECT_FAILS(both->shape("c"), ModelError, "model.safetensors.index.json: has no tensor 'c'");
  index(R"({"a": "2.safetensors"})");
  expect_refused("2.safetensors: has no tensor 'a', but ");
  index(R"({"a": "3.safetensors"})");
  expect_refused("3.safetensors: does not exist, but ");
}

TEST_F(HuggingFaceFolder, AListNamesFilesOfItsFolder) {
  for (const char* name : {"\"../1.safetensors\"", "\"/etc/1.safetensors\"", "\"1.txt\"", "1"}) {
    index(R"({"a": )" + std::string(name) + "}");
    expect_refused("weight_map: tensor 'a': expected the name of a .safetensors or .bin file of the same folder");
  }
  folder_.file("model.safetensors.index.json", "[]");
  expect_refused("model.safetensors.index.json: expected an object with \"weight_map\", the file of each tensor");
}

TEST_F(HuggingFaceFolder, FilesThatCannotBeReadAreFaultsOfTheModel) {
  EXPECT_FAILS(huggingface_file(path(), "a.json"), ModelError, "a.json");
  folder_.file("a.json", "{");
  EXPECT_FAILS(huggingface_json(path(), "a.json"), ModelError, "a.json");
  EXPECT_FAILS(huggingface_spm(path(), "a.json"), ModelError, "a.json: not a SentencePiece model");
  folder_.file("model.safetensors", "no weights");
  expect_refused("model.safetensors");
}

TEST_F(HuggingFaceFolder, EveryTokenHasARowOfItsOwn) {
  const auto rows = [&](const std::string& json) {
    folder_.file("vocab.json", json);
    return token_rows(path(), "vocab.json", 3);
  };
  EXPECT_THAT(rows(R"({"b": 2, "a": 0})"), ElementsAre("a", "", "b"));
  EXPECT_FAILS(rows(R"({"a": 3})"), ModelError, "vocab.json: 'a': expected a row of its own from 0 to 2, found 3");
  EXPECT_FAILS(rows(R"({"a": 1, "b": 1})"), ModelError, "'b': expected a row of its own from 0 to 2, found 1");
  EXPECT_FAILS(rows(R"({"a": -1})"), ModelError, "'a': expected a row of its own from 0 to 2, found -1");
  EXPECT_FAILS(rows(R"({"a": 1.5})"), ModelError, "found 1.5");
  EXPECT_FAILS(rows("[]"), ModelError, "vocab.json: expected a JSON object with the row of each token");
}

TEST(HuggingFaceRows, AreFrom4ToTheMostOfATokenizer) {
  const auto rows = [](const std::string& json, int64_t missing = 0) {
    return huggingface_rows(ConfigFile(json, "c"), "n", missing);
  };
  EXPECT_EQ(rows(R"({"n": 4})"), 4);
  EXPECT_EQ(rows(R"({"n": 4194304})"), 4194304);
  EXPECT_EQ(rows("{}", 32128), 32128);
  EXPECT_FAILS(rows("{}"), ModelError, "c: n: is missing");
  EXPECT_FAILS(rows(R"({"n": 3})", 9), ModelError, "c: n: expected a whole number of at least 4, found 3");
  EXPECT_FAILS(rows(R"({"n": 4194305})"), ModelError, "expected a whole number of at most 4194304, found 4194305");
}

TEST_F(HuggingFaceFolder, TheSearchIsThatOfGenerationConfigElseOfConfig) {
  const ConfigFile config(std::string(R"({"num_beams": 6, "length_penalty": 0.6})"), "config.json");
  EXPECT_EQ(huggingface_decoding(path(), config).beam_size, 6);
  EXPECT_DOUBLE_EQ(huggingface_decoding(path(), config).length_alpha, 0.6);
  EXPECT_EQ(huggingface_decoding(path(), ConfigFile(std::string("{}"), "config.json")).beam_size, 4);
  folder_.file("generation_config.json", R"({"num_beams": 1000, "length_penalty": -2})");
  EXPECT_EQ(huggingface_decoding(path(), config).beam_size, 256) << "the largest that ours can have";
  EXPECT_DOUBLE_EQ(huggingface_decoding(path(), config).length_alpha, 0);
  folder_.file("generation_config.json", "{}");
  EXPECT_EQ(huggingface_decoding(path(), config).beam_size, 6);
  EXPECT_DOUBLE_EQ(huggingface_decoding(path(), config).length_alpha, 1);
}

}  // namespace
}  // namespace ventris::imports
