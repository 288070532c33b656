#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

/// Models of other programs, and a BERT on its way to Hugging Face's transformers and back.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ImportProgram : public testing::Test {
 protected:
  ImportProgram() { write_tiny_bert(bert); }

  Outcome export_to(const std::string& model, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-m", model, "-o", exported, "--format", "huggingface"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-export", all);
  }

  TempFolder folder;
  std::string bert = folder.path("bert"), exported = folder.path("exported"), imported = folder.path("imported");
};

TEST_F(ImportProgram, ABertComesBackFromTransformersAsItWas) {
  const Outcome out = export_to(bert);
  ASSERT_EQ(out.code, 0) << out.err;
  const Outcome back = run_program("ventris-import", {"-m", exported, "-o", imported});
  ASSERT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(file_bytes(imported + "/model.safetensors"), file_bytes(bert + "/model.safetensors"));
  const std::string input = "The [MASK] man\n";
  EXPECT_EQ(run_program("ventris-fill", {"-m", imported}, input).out,
            run_program("ventris-fill", {"-m", bert}, input).out);
}

TEST_F(ImportProgram, ATransformerComesBackFromTransformersAsItWas) {
  write_tiny_bundle(folder.path("tiny"));
  const Outcome out = export_to(folder.path("tiny"));
  ASSERT_EQ(out.code, 0) << out.err;
  const Outcome back = run_program("ventris-import", {"-m", exported, "-o", imported});
  ASSERT_EQ(back.code, 0) << back.err;
  EXPECT_THAT(back.err, HasSubstr("a Pegasus of Hugging Face's transformers"));
  const std::string input = "Nobody sees the bridge.\n";
  EXPECT_EQ(run_program("ventris-translate", {"-m", imported, "-b", "1"}, input).out,
            run_program("ventris-translate", {"-m", folder.path("tiny"), "-b", "1"}, input).out);
}

TEST_F(ImportProgram, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(export_to(bert, {"--verify", "text"}).code, 4) << "a BERT does not translate";
  EXPECT_FALSE(fs::exists(exported));
  const Outcome other =
      run_program("ventris-export", {"-m", bert, "-o", folder.path("ct2"), "--format", "ctranslate2"});
  EXPECT_EQ(other.code, 4) << other.err;
  EXPECT_THAT(run_program("ventris-export", {"-m", bert, "-o", bert, "--format", "huggingface"}).err,
              HasSubstr("is a file of the model"));
  ASSERT_EQ(export_to(bert).code, 0);
  EXPECT_EQ(run_program("ventris-import", {"-m", exported, "-o", exported}).code, 2);
  EXPECT_EQ(run_program("ventris-import", {"-m", folder.path("none"), "-o", imported}).code, 4);
  const Outcome missing =
      run_program("ventris-import", {"-m", exported, "-o", imported, "--tokenizer", folder.path("none")});
  EXPECT_EQ(missing.code, 3) << missing.err;
  fs::create_directory(imported);
  folder.file("imported/notes", "mine");
  const Outcome taken = run_program("ventris-import", {"-m", exported, "-o", imported});
  EXPECT_EQ(taken.code, 2);
  EXPECT_THAT(taken.err, HasSubstr("exists and is not a model folder"));
}

/// A model of tests/imports/make_marian_expected.py.
class ImportMarian : public testing::Test {
 protected:
  ImportMarian() : found_(run_program("ventris-import", {"-m", marian, "-o", bundle})) {}

  TempFolder folder;
  std::string marian = VENTRIS_SOURCE "/tests/imports/data/marian_shared", bundle = folder.path("bundle");
  Outcome found_;
};

TEST_F(ImportMarian, TheLogSaysWhatWasReadAndAssumed) {
  ASSERT_EQ(found_.code, 0) << found_.err;
  EXPECT_THAT(found_.err, HasSubstr("made of " + marian + ", a MarianMT of Hugging Face's transformers"));
  EXPECT_THAT(found_.err, HasSubstr("the longest sentence has 48 tokens"));
  EXPECT_THAT(found_.err, HasSubstr("1 piece of the SentencePiece models has no row in the model"));
  EXPECT_EQ(run_program("ventris-import", {"-m", marian, "-o", bundle, "--tokenizer", marian + "/source.spm"}).code, 2);
}

TEST_F(ImportMarian, TheBundleTranslatesTheSameInBothBackends) {
  const std::string input = "the old man sees a green book\nchildren sing\n";
  const auto translate = [&](const std::string& backend) {
    return run_program("ventris-translate", {"-m", bundle, "--backend", backend, "--max-length-factor", "1"}, input)
        .out;
  };
  EXPECT_EQ(translate("engine"), translate("torch"));
  EXPECT_EQ(std::ranges::count(translate("engine"), '\n'), 2);
}

TEST_F(ImportMarian, TheBundleIsTrainedFurtherAndKeepsItsTokenizers) {
  const std::string source = folder.file("train.en", "the old man sees a green book\nchildren sing\n"),
                    target = folder.file("train.de", "der alte mann sieht ein buch\nkinder singen\n"),
                    run = folder.path("run");
  const Outcome trained =
      run_program("ventris-train", {"--model", run, "--finetune-from", bundle, "--train", source, target, "--after",
                                    "2u", "--threads", "1", "--max-length", "40"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  for (const char* name : {"/source.spm", "/target.spm"}) {
    EXPECT_EQ(file_bytes(run + "/final" + name), file_bytes(bundle + name));
  }
  EXPECT_THAT(file_bytes(run + "/final/config.json"), HasSubstr("\"common_ids\": true"));
  EXPECT_NE(file_bytes(run + "/final/model.safetensors"), file_bytes(bundle + "/model.safetensors"));
}

/// Models of the scripts with tests/imports/toolkit_models.py.
class ImportToolkit : public testing::Test {
 protected:
  std::string translation(const std::vector<std::string>& arguments, const std::string& what) const {
    std::vector<std::string> all{"-o", folder.path("bundle"), "-m"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome made = run_program("ventris-import", all);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr(what));
    return run_program("ventris-translate", {"-m", folder.path("bundle"), "--max-length-factor", "1"}, "the old man\n")
        .out;
  }
  TempFolder folder;
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/";
};

TEST_F(ImportToolkit, ModelsOfFourToolkitsTranslate) {
  for (const std::string& text : {translation({data + "joeynmt_post"}, "a Transformer of JoeyNMT"),
                                  translation({data + "opennmt_rotary/model.pt", "--tokenizer", data + "opennmt.spm"},
                                              "a Transformer of OpenNMT-py"),
                                  translation({data + "eole_learned"}, "a Transformer of Eole"),
                                  translation({data + "fairseq_post/model.pt"}, "a Transformer of fairseq")}) {
    EXPECT_EQ(std::ranges::count(text, '\n'), 1);
    EXPECT_GT(text.size(), 3U);
  }
}

TEST_F(ImportToolkit, MistakesHaveTheirExitCodes) {
  const auto code = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"-o", folder.path("bundle"), "-m"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program("ventris-import", all).code;
  };
  EXPECT_EQ(code({data + "opennmt_rotary/model.pt"}), 2) << "it needs a tokenizer";
  EXPECT_EQ(code({data + "eole_plain", "--vocabulary", "a"}), 2);
  EXPECT_EQ(code({data + "fairseq_pre/model.pt", "--vocabulary", folder.path("none")}), 3);
  EXPECT_EQ(code({data + "eole_plain", "--from", "joeynmt"}), 4);
  const std::string whole = file_bytes(data + "fairseq_post/model.pt");
  EXPECT_EQ(code({folder.file("cut.pt", whole.substr(0, whole.size() / 2))}), 4);
  EXPECT_FALSE(fs::exists(folder.path("bundle")));
}

/// Models of tests/imports/make_ctranslate2_expected.py.
class ImportCTranslate2 : public testing::Test {
 protected:
  static Outcome import(const std::string& model, const std::string& bundle,
                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"-m", VENTRIS_SOURCE "/tests/imports/data/" + model, "-o", bundle};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-import", all);
  }

  TempFolder folder;
  std::string bundle = folder.path("bundle");
};

TEST_F(ImportCTranslate2, APackageOfArgosTranslatesInBothBackends) {
  const Outcome out = import("en_de.argosmodel", bundle);
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.err, HasSubstr("a package of Argos Translate (en to de), a Transformer of CTranslate2"));
  const auto translate = [&](const std::string& backend) {
    return run_program("ventris-translate", {"-m", bundle, "--backend", backend, "--max-length-factor", "1"},
                       "the old man sees a green book\n")
        .out;
  };
  EXPECT_EQ(translate("engine"), translate("torch"));
}

TEST_F(ImportCTranslate2, TheProgramAndTheTokenizersCanBeGiven) {
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/ctranslate2_rms/";
  const Outcome out = import("ctranslate2_rms", bundle,
                             {"--from", "ctranslate2", "--tokenizer", data + "source.spm", data + "target.spm"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.err, HasSubstr("a Transformer of CTranslate2 (file version 6, bf16)"));
}

TEST_F(ImportCTranslate2, MistakesHaveTheirExitCodes) {
  const Outcome unknown = import("ctranslate2_rms", bundle, {"--from", "marian-nmt"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--from"));
  EXPECT_EQ(import("ctranslate2_rms", bundle, {"--from", "argos"}).code, 4);
  EXPECT_EQ(import("en_de.argosmodel", bundle, {"--tokenizer", "text.spm"}).code, 2);
  EXPECT_EQ(import("ctranslate2_rms", bundle, {"--tokenizer", "a", "b", "c"}).code, 2);
}

/// Models of tests/imports/make_marian_files.py.
TEST(ImportOfMarianItself, WritesABundleAndALexicon) {
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/marian/";
  const TempFolder folder;
  const std::string bundle = folder.path("bundle"), shortlist = folder.file("lex.bin", "no shortlist");
  const std::vector<std::string> arguments{"-m",  data + "ssru_bergamot.bin", "--tokenizer", data + "both.spm", "-o",
                                           bundle};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-import", all);
  };
  const Outcome out = with({});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_THAT(out.err, HasSubstr("a Transformer of Marian (version v1.12"));
  EXPECT_EQ(run_program("ventris-translate", {"-m", bundle}, "te te\n").code, 0);
  const Outcome damaged = with({"--shortlist", shortlist});
  EXPECT_EQ(damaged.code, 4);
  EXPECT_THAT(damaged.err, HasSubstr("lex.bin: damaged, or no binary shortlist of Bergamot"));
  const Outcome alone = with({"--lexicon", folder.path("lexicon")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--lexicon: is made of a --shortlist; give one, too"));
  for (const std::string& taken : {data + "both.spm", bundle + "/config.json"}) {
    const Outcome replacing = with({"--shortlist", shortlist, "--lexicon", taken});
    EXPECT_EQ(replacing.code, 2);
    EXPECT_THAT(replacing.err, HasSubstr("--lexicon: " + taken + " would replace "));
  }
  fs::create_directory(folder.path("models"));
  const std::string copied = folder.file("models/m.bin", test::file_bytes(data + "ssru_bergamot.bin"));
  const Outcome over =
      run_program("ventris-import", {"-m", copied, "--tokenizer", data + "both.spm", "-o", folder.path("models")});
  EXPECT_EQ(over.code, 2);
  EXPECT_THAT(over.err, HasSubstr("models would replace " + copied + " or a part of it; give another path"));
}

}  // namespace
}  // namespace ventris::test
