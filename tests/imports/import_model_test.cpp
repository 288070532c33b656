#include "imports/import_model.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

const std::string kMarian = VENTRIS_SOURCE "/tests/imports/data/marian_shared";

TEST(ImportModel, TheKindIsThatOfConfigJson) {
  EXPECT_EQ(import_model({kMarian}).what, "a MarianMT of Hugging Face's transformers");
  const test::TempFolder folder;
  folder.file("config.json", R"({"model_type": "umt5"})");
  EXPECT_FAILS(
      import_model({folder.path()}), ModelError,
      "config.json: model_type: expected bert, m2m_100, marian, mbart, mt5, pegasus or t5, found 'umt5'; other "
      "models cannot be imported");
  folder.file("config.json", "{}");
  EXPECT_FAILS(import_model({folder.path()}), ModelError,
               "model_type: expected bert, m2m_100, marian, mbart, mt5, pegasus or t5, found ''");
}

TEST(ImportModel, WhatIsNoFolderOfAModelIsToldSo) {
  const test::TempFolder folder;
  EXPECT_FAILS(import_model({folder.path("none")}), ModelError, "none: does not exist");
  EXPECT_FAILS(import_model({folder.path()}), ModelError,
               "expected a folder of Hugging Face's transformers with a config.json");
  EXPECT_FAILS(import_model({folder.file("model.txt", "text")}), ModelError, "model.txt: expected a folder");
}

TEST(ImportModel, APipeIsNotRead) {
  const test::TempFolder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FAILS(import_model({pipe}), ModelError, "pipe: expected a folder or a file, found a pipe or a device");
}

TEST(ImportModel, AFileOfAnOldPyTorchIsToldSo) {
  const test::TempFolder folder;
  const std::string old("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  EXPECT_FAILS(import_model({folder.file("old.pt", old), "some.spm"}), ModelError,
               "old.pt: is in the format that torch.save wrote before PyTorch 1.6");
}

TEST(ImportModel, WhatABundleCannotHaveIsRefusedBeforeItIsWritten) {
  const test::TempFolder folder;
  const std::string path = folder.path("marian");
  std::filesystem::copy(kMarian, path);
  const std::string vocabulary = path + "/vocab.json", long_name = ">>" + std::string(41, 'x') + "<<";
  std::filesystem::permissions(vocabulary, std::filesystem::perms::owner_all);
  const nlohmann::json rows = nlohmann::json::parse(files::read_file(vocabulary));
  nlohmann::json changed = nlohmann::json::object();
  for (const auto& [text, row] : rows.items()) {
    changed[row == 5 ? long_name : text] = row;
  }
  files::write_file(vocabulary, changed.dump());
  EXPECT_FAILS(import_model({path}), ModelError, "expected the name of a language, with 1 to 40 bytes");
}

TEST(ImportModel, TheProgramIsThatOfTheFilesOrTheOneThatIsNamed) {
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/", folder = data + "ctranslate2_rms";
  EXPECT_EQ(import_model({folder}).what, "a Transformer of CTranslate2 (file version 6, bf16)");
  EXPECT_EQ(import_model({.model = folder, .from = "ctranslate2"}).what, import_model({folder}).what);
  EXPECT_FAILS(import_model({.model = folder, .from = "huggingface"}), ModelError, "model_type: expected");
  EXPECT_FAILS(import_model({.model = folder, .from = "argos"}), ModelError, "metadata.json");
  EXPECT_FAILS(import_model({.model = kMarian, .from = "ctranslate2"}), ModelError, "model.bin: does not exist");
  EXPECT_FAILS(import_model({.model = kMarian, .from = "moses"}), ConfigError,
               "--from: expected argos, ctranslate2, eole, fairseq, huggingface, joeynmt, marian, opennmt or pytorch, "
               "found 'moses'");
}

TEST(ImportModel, ATokenizerThatIsInTheFolderAnywayIsRefused) {
  EXPECT_FAILS(import_model({VENTRIS_SOURCE "/tests/imports/data/en_de.argosmodel", "a.spm"}), ConfigError,
               "--tokenizer: a package of Argos Translate has its tokenizers in its folder; leave it out");
  const test::TempFolder bert;
  bert.file("config.json", R"({"model_type": "bert"})");
  EXPECT_FAILS(import_model({bert.path(), "a.spm", "b.spm"}), ConfigError,
               "--tokenizer: a BERT has one tokenizer, found two; give one");
  EXPECT_FAILS(import_model({kMarian, kMarian + "/source.spm"}), ConfigError,
               "--tokenizer: a MarianMT has its tokenizers in its folder; leave it out");
}

TEST(ImportModel, ModelsOfToolkitsAreRecognised) {
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/";
  EXPECT_EQ(import_model({data + "joeynmt_pre"}).what, "a Transformer of JoeyNMT");
  EXPECT_EQ(import_model({data + "joeynmt_pre/best.ckpt"}).what, "a Transformer of JoeyNMT");
  EXPECT_EQ(import_model({data + "opennmt_rotary/model.pt", data + "opennmt.spm"}).what, "a Transformer of OpenNMT-py");
  EXPECT_EQ(import_model({data + "eole_plain"}).what, "a Transformer of Eole");
  EXPECT_EQ(import_model({data + "fairseq_post/model.pt"}).what, "a Transformer of fairseq");
  EXPECT_FAILS(import_model({.model = data + "fairseq_post/model.pt", .from = "opennmt"}), ModelError,
               "expected a checkpoint of OpenNMT-py with 'opt', found none");
  EXPECT_FAILS(import_model({.model = data + "fairseq_post/model.pt", .from = "pytorch", .heads = 2}), ConfigError,
               "--tokenizer: a state dict has no tokenizer");
}

TEST(ImportModel, ACheckpointThatIsCutOffIsRefusedWhateverElseIsGiven) {
  const test::TempFolder folder;
  const std::string whole = files::read_file(VENTRIS_SOURCE "/tests/imports/data/fairseq_post/model.pt");
  for (const size_t size : {5, 1000, 40000}) {
    EXPECT_FAILS(import_model({folder.file("cut.pt", whole.substr(0, size))}), ModelError, "cut.pt: damaged");
  }
}

TEST(ImportModel, VocabulariesAndAShortlistAreOnlyForProgramsThatHaveThem) {
  const test::TempFolder folder;
  ImportOptions other{VENTRIS_SOURCE "/tests/imports/data/marian_shared"};
  other.vocabularies = {"v.yml"};
  EXPECT_FAILS(import_model(other), ConfigError,
               "--vocabulary: only for a model of fairseq, JoeyNMT, Marian or Bergamot; leave it out");
  other.vocabularies.clear();
  other.shortlist = "lex.bin";
  EXPECT_FAILS(import_model(other), ConfigError, "--shortlist: only for a model of Marian or Bergamot; leave it out");
  ImportOptions text{folder.file("v.yml", "text")};
  text.from = "marian";
  EXPECT_FAILS(import_model(text), ModelError,
               "v.yml: expected a model of Marian: an .npz file with special:model.yml, or a .bin file");
}

}  // namespace
}  // namespace ventris::imports
