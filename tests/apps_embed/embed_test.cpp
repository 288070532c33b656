#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::test {
namespace {

using testing::HasSubstr;

constexpr const char* kInput = "The old man\n\nbread\n";

class EmbedProgram : public testing::Test {
 protected:
  EmbedProgram() { write_tiny_bert(bert); }

  Outcome embed(const std::string& input, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-m", bert});
    return run_program("ventris-embed", more, input);
  }
  std::vector<nlohmann::json> objects(const std::vector<std::string>& flags) const {
    const Outcome outcome = embed(kInput, flags);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream stream(outcome.out);
    std::vector<nlohmann::json> objects;
    for (std::string line; std::getline(stream, line);) objects.push_back(nlohmann::json::parse(line));
    return objects;
  }
  /// The numbers behind the header of a .npy file, which must have this shape.
  static std::vector<float> matrix(const std::string& bytes, const std::string& shape) {
    EXPECT_THAT(bytes.substr(0, 128), HasSubstr("'shape': " + shape));
    const std::string body = bytes.substr(bytes.find('\n') + 1);
    std::vector<float> values(body.size() / sizeof(float));
    std::memcpy(values.data(), body.data(), body.size());
    return values;
  }

  TempFolder folder;
  std::string bert = folder.path("bert");
};

TEST_F(EmbedProgram, JsonLinesHaveAVectorForEachLine) {
  const auto lines = objects({});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("text"), "The old man");
  EXPECT_EQ(lines[0].at("vector").size(), 4U);
  EXPECT_EQ(lines[0].at("cut"), false);
  EXPECT_TRUE(lines[1].at("vector").is_null());
  EXPECT_EQ(lines[2].at("id"), 2);
}

TEST_F(EmbedProgram, JsonLinesHaveAVectorForEachWord) {
  const auto lines = objects({"--words"});
  EXPECT_EQ(lines[0].at("words"), (nlohmann::json{"The", "old", "man"}));
  EXPECT_EQ(lines[0].at("vectors").size(), 3U);
  EXPECT_EQ(lines[0].at("vectors").at(2).size(), 4U);
  EXPECT_EQ(lines[1].at("words"), nlohmann::json::array());
  EXPECT_EQ(lines[1].at("vectors"), nlohmann::json::array());
}

TEST_F(EmbedProgram, AnNpyFileHasTheNumbersOfTheJsonLines) {
  const auto lines = objects({});
  const std::string file = folder.path("vectors.npy");
  ASSERT_EQ(embed(kInput, {"-o", file}).code, 0);
  const auto values = matrix(file_bytes(file), "(3, 4)");
  ASSERT_EQ(values.size(), 12U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(values[i], lines[0].at("vector").at(i).get<float>());
    EXPECT_EQ(values[4 + i], 0) << "of an empty line";
  }
  const auto words = matrix(embed(kInput, {"--words", "--format", "npy"}).out, "(4, 4)");
  EXPECT_EQ(words.size(), 16U);
  EXPECT_EQ(matrix(embed("", {"--format", "npy"}).out, "(0, 4)").size(), 0U);
}

TEST_F(EmbedProgram, PoolingAndLayerChooseTheVector) {
  const auto mean = objects({}), cls = objects({"--pooling", "cls"}), pooler = objects({"--pooling", "pooler"}),
             embeddings = objects({"--layer", "0"});
  EXPECT_NE(mean[0].at("vector"), cls[0].at("vector"));
  EXPECT_NE(mean[0].at("vector"), embeddings[0].at("vector"));
  EXPECT_NE(cls[0].at("vector"), pooler[0].at("vector"));
}

TEST_F(EmbedProgram, AModelThatTranslatesHasVectorsToo) {
  write_tiny_bundle(folder.path("other"));
  const Outcome outcome = run_program("ventris-embed", {"-m", folder.path("other"), "--words"}, kInput);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 3);
}

TEST_F(EmbedProgram, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(embed("", {"--layer", "7"}).code, 2);
  EXPECT_EQ(embed("", {"--words", "--pooling", "cls"}).code, 2);
  EXPECT_EQ(embed("", {"--pooling", "max"}).code, 2);
  EXPECT_EQ(embed("", {"-i", folder.path("none")}).code, 3);
  EXPECT_EQ(run_program("ventris-embed", {"-m", folder.path("none")}).code, 4);
  EXPECT_EQ(embed("bread\n", {"-o", "/dev/full"}).code, 74);
  const std::string file = folder.path("vectors.npy");
  EXPECT_EQ(embed("caf\xe9\n", {"--strict", "-o", file}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(EmbedProgram, AWrongLineLosesNoLineBeforeIt) {
  const std::string output = folder.path("out"), input = "The man\nbr\xFFoad\n";
  EXPECT_EQ(embed(input, {"--strict", "-o", output}).code, 3);
  EXPECT_EQ(std::ranges::count(file_bytes(output + ".partial"), '\n'), 1);
  const Outcome matrix = embed(input, {"--strict", "-o", output + ".npy"});  // of which no part is kept
  EXPECT_EQ(matrix.code, 3);
  EXPECT_THAT(matrix.err, testing::EndsWith("(for example with iconv)\n"));
  EXPECT_FALSE(std::filesystem::exists(output + ".npy.partial"));
}

}  // namespace
}  // namespace ventris::test
