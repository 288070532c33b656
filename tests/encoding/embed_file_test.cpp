#include "encoding/embed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "encoding/npy.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::encoding {
namespace {

using nlohmann::json;

class EmbedFile : public testing::Test {
 protected:
  EmbedFile() { test::write_tiny_bert(folder.path("model")); }
  std::string embedded(const std::string& text, EmbedOptions options = {}, const std::string& output = "out") const {
    options.model = folder.path("model");
    options.lines.input = folder.file("in.txt", text);
    options.lines.output = folder.path(output);
    embed_file(options);
    return test::file_bytes(folder.path(output));
  }
  std::vector<json> objects(const std::string& text, const EmbedderOptions& vectors = {}) const {
    std::istringstream stream(embedded(text, {.vectors = vectors}));
    std::vector<json> all;
    for (std::string line; std::getline(stream, line);) all.push_back(json::parse(line));
    return all;
  }

  test::TempFolder folder;
};

TEST_F(EmbedFile, APackedNpyFileIsRefusedUnlessTheFormatIsGiven) {
  EXPECT_FAILS(embedded("bread\n", {}, "out.npy.gz"), ConfigError, "NumPy does not read .npy files that are packed");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.npy.gz")));
  EXPECT_TRUE(embedded("bread\n", {.format = EmbedFormat::kNpy}, "out.npy.gz").starts_with("\x1f\x8b"));
}

TEST_F(EmbedFile, TheSuffixOfTheOutputChoosesTheFormat) {
  const std::string npy = embedded("bread\n", {}, "out.npy");
  EXPECT_TRUE(npy.starts_with(npy_header(1, 4)));
  EXPECT_EQ(npy.size(), npy_header(1, 4).size() + 16);
  EXPECT_EQ(embedded("bread\n", {.format = EmbedFormat::kJsonl}, "other.npy").front(), '{');
  EXPECT_EQ(embedded("bread\n", {.format = EmbedFormat::kNpy}), npy);
}

TEST_F(EmbedFile, NumbersOfJsonAreThoseOfTheMatrix) {
  const std::string npy = embedded("bread\nThe old man\n", {.format = EmbedFormat::kNpy});
  const auto lines = objects("bread\nThe old man\n");
  const std::string body = npy.substr(npy_header(2, 4).size());
  for (size_t i = 0; i < 8; ++i) {
    float value = 0;
    body.copy(reinterpret_cast<char*>(&value), sizeof value, i * sizeof value);
    EXPECT_EQ(lines[i / 4].at("vector").at(i % 4).get<float>(), value);
  }
}

TEST_F(EmbedFile, ABlankLineHasNullOrARowOfZerosOrNoWords) {
  EXPECT_EQ(objects("\n").at(0), json({{"id", 0}, {"text", ""}, {"vector", nullptr}, {"cut", false}}));
  EXPECT_EQ(objects("\n", {.words = true}).at(0).at("vectors"), json::array());
  EXPECT_EQ(embedded("\n", {.format = EmbedFormat::kNpy}), npy_header(1, 4) + std::string(16, '\0'));
  EXPECT_EQ(embedded("\n", {.format = EmbedFormat::kNpy, .vectors = {.words = true}}), npy_header(0, 4));
}

TEST_F(EmbedFile, WordsThatWereCutOffAreNull) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "bread ";
  const json line = objects(text + "\n", {.words = true}).at(0);
  EXPECT_EQ(line.at("cut"), true);
  ASSERT_EQ(line.at("words").size(), 30U);
  ASSERT_EQ(line.at("vectors").size(), 30U);
  EXPECT_TRUE(line.at("vectors").at(0).is_array());
  EXPECT_TRUE(line.at("vectors").at(29).is_null());
  const std::string npy = embedded(text + "\n", {.format = EmbedFormat::kNpy, .vectors = {.words = true}});
  EXPECT_TRUE(npy.starts_with(npy_header(30, 4)));
  EXPECT_EQ(npy.substr(npy.size() - 16), std::string(16, '\0'));
}

TEST_F(EmbedFile, AnOutputInTheModelIsRefused) {
  EXPECT_FAILS(embedded("bread\n", {}, "model/config.json"), ConfigError, "config.json");
  EXPECT_FAILS(embedded("bread\n", {.vectors = {.layer = 7}}), ConfigError, "--layer: the model has layers 0 to 1");
}

}  // namespace
}  // namespace ventris::encoding
