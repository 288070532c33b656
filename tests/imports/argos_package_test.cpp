#include "imports/argos_package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "imports/import_model.h"
#include "imports/model_files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/zip.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kArgosPackage = VENTRIS_SOURCE "/tests/imports/data/en_de.argosmodel";

/// The files of a package, for changes.
class ArgosPackage : public testing::Test {
 protected:
  ArgosPackage() {
    const auto original = files_of_zip(kArgosPackage, "metadata.json");
    for (const char* name : {"metadata.json", "sentencepiece.model", "model/model.bin", "model/config.json",
                             "model/shared_vocabulary.json"}) {
      content[name] = original->read_text(name);
    }
  }
  std::string written(zip_int32_t method = ZIP_CM_STORE) const {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto& [name, bytes] : content) entries.emplace_back("en_de/" + name, bytes);
    test::write_zip(folder.path("package"), entries, method);
    return folder.path("package");
  }
  void expect_refused(const std::string& part) const { EXPECT_FAILS(from_argos_package(written()), ModelError, part); }

  test::TempFolder folder;
  std::map<std::string, std::string> content;
};

TEST_F(ArgosPackage, StoredDeflatedAndUnpackedPackagesAreTheSame) {
  const Imported packed = from_argos_package(kArgosPackage);
  EXPECT_EQ(packed.what,
            "a package of Argos Translate (en to de), a Transformer of CTranslate2 (file version 6, int8)");
  EXPECT_EQ(packed.package.config.decoding.beam_size, 4);
  EXPECT_EQ(packed.package.config.decoding.length_alpha, 0.2);
  EXPECT_TRUE(packed.package.config.tokenizer.shared);
  EXPECT_FALSE(packed.package.config.tokenizer.source_eos);
  EXPECT_TRUE(from_argos_package(written(ZIP_CM_STORE)).weights == packed.weights);
  EXPECT_TRUE(from_argos_package(written(ZIP_CM_DEFLATE)).weights == packed.weights);
  fs::create_directories(folder.path("unpacked/model"));
  for (const auto& [name, bytes] : content) folder.file("unpacked/" + name, bytes);
  EXPECT_TRUE(from_argos_package(folder.path("unpacked")).weights == packed.weights);
}

TEST_F(ArgosPackage, IsRecognisedByItsContent) {
  EXPECT_TRUE(is_argos_package(written()));
  EXPECT_THAT(import_model({written()}).what, HasSubstr("a package of Argos Translate"));
  EXPECT_FALSE(is_argos_package(folder.file("en.argosmodel", "text")));
  EXPECT_FALSE(is_argos_package(folder.path("none")));
  EXPECT_FALSE(is_argos_package(folder.path()));
  content.erase("metadata.json");
  EXPECT_FALSE(is_argos_package(written()));
  expect_refused("package: expected a folder with metadata.json, found none");
}

TEST_F(ArgosPackage, PackagesOfOtherKindsAreNamed) {
  content["metadata.json"] = R"({"type": "sbd"})";
  expect_refused("(metadata.json): type: expected a package that translates ('translate'), found 'sbd'");
  content["metadata.json"] = R"({"target_prefix": ">>pt<<", "to_code": "pt"})";
  expect_refused("(metadata.json): target_prefix: expected a token of the model, found '>>pt<<'");
  content["metadata.json"] = R"({"target_prefix": "a"})";
  expect_refused("(metadata.json): to_code: expected a language of at most 40 bytes, found ''");
  content["metadata.json"] = "{}";
  EXPECT_THAT(from_argos_package(written()).what, HasSubstr("(? to ?)"));
}

TEST_F(ArgosPackage, TheTokenThatTranslationsBeginWithIsThatOfTheTargetLanguage) {
  content["metadata.json"] = R"({"target_prefix": "ei", "to_code": "de"})";
  content["model/shared_vocabulary.json"].replace(content["model/shared_vocabulary.json"].find("\"er\""), 4, "\"ei\"");
  const auto languages = from_argos_package(written()).package.config.tokenizer.languages;
  ASSERT_EQ(languages.size(), 1U);
  EXPECT_EQ(languages.at("de").target_prefix, std::vector<std::string>{"ei"});
  EXPECT_FALSE(languages.at("de").marks_sources());
}

TEST_F(ArgosPackage, TheTokenizerMustBeSentencePiece) {
  content["bpe.model"] = content["sentencepiece.model"];
  content.erase("sentencepiece.model");
  EXPECT_NO_THROW(from_argos_package(written())) << "the name does not matter";
  content["bpe.model"] = "#version: 0.2\nt h\nth e</w>\n";
  expect_refused("(bpe.model): is a list of merges for words of Moses (subword-nmt); only packages with a");
  content.erase("bpe.model");
  expect_refused("(sentencepiece.model): does not exist");
}

TEST_F(ArgosPackage, AMissingModelIsNamed) {
  content.erase("model/model.bin");
  expect_refused("(model/model.bin): does not exist");
}

}  // namespace
}  // namespace ventris::imports
