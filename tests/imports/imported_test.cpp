#include "imports/imported.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/process.h"

namespace ventris::imports {
namespace {

NewVocabulary vocabulary_with(const std::string& token) {
  NewVocabulary vocabulary;
  vocabulary.texts = {"<pad>", "<unk>", "<s>", "</s>", token};
  return vocabulary;
}

/// What configure() says of two tokenizers and vocabularies.
model::Package configured(const std::string& source_spm, const std::string& target_spm, const std::string& source,
                          const std::string& target) {
  model::Package package;
  package.source_spm = source_spm;
  package.target_spm = target_spm;
  Sides sides;
  sides.source = vocabulary_with(source);
  sides.target = vocabulary_with(target);
  architecture::TransformerOptions options;
  options.d_model = 64;
  configure(package, options, sides, "their/model");
  return package;
}

TEST(ImportedPackage, EqualTokenizersAreSharedAndEqualTokensHaveCommonIds) {
  const auto tokenizer = [](const char* source_spm, const char* target_spm, const char* source, const char* target) {
    return configured(source_spm, target_spm, source, target).config.tokenizer;
  };
  EXPECT_TRUE(tokenizer("a", "a", "x", "x").shared);
  EXPECT_FALSE(tokenizer("a", "a", "x", "x").common_ids) << "shared says it already";
  EXPECT_FALSE(tokenizer("a", "b", "x", "x").shared);
  EXPECT_TRUE(tokenizer("a", "b", "x", "x").common_ids);
  EXPECT_FALSE(tokenizer("a", "b", "x", "y").common_ids);
}

TEST(ImportedPackage, SaysWhereItComesFromAndWhichModelItIs) {
  const model::Package package = configured("a", "a", "x", "x");
  EXPECT_EQ(package.path, "their/model");
  EXPECT_EQ(package.config.architecture->width(), 64);
  const auto provenance = nlohmann::json::parse(package.config.provenance);
  EXPECT_EQ(provenance.at("imported_from"), "their/model");
  EXPECT_EQ(provenance.at("program"), std::string("ventris-import ") + core::version());
}

TEST(ImportedPackage, APathMayHaveBytesThatAreNoText) {
  model::Package package;
  configure(package, {}, {}, "model\xe9");
  EXPECT_EQ(nlohmann::json::parse(package.config.provenance).at("imported_from"), "model\uFFFD");
}

}  // namespace
}  // namespace ventris::imports
