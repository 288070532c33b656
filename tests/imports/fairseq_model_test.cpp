#include "imports/fairseq_model.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

Imported fairseq(const std::string& name) {
  const std::vector<std::string> spm{toolkit_data("fairseq.spm")};
  return from_fairseq(toolkit_data(name) + "/model.pt", {name == "fairseq_pre" ? spm : std::vector<std::string>(), {}});
}

/// A model of make_fairseq_expected.py, and what fairseq computes with it.
class FairseqModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = fairseq(GetParam());
};

TEST_P(FairseqModel, ComputesWhatFairseqComputes) {
  ASSERT_TRUE(is_fairseq(toolkit_data(GetParam()) + "/model.pt"));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(FairseqModel, SearchesWriteTheTokensOfFairseq) { check_searches(imported_, GetParam()); }
TEST_P(FairseqModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, FairseqModel, testing::Values("fairseq_post", "fairseq_pre"));

TEST(FromFairseq, OldNamesAreThoseOfTheSameModel) {
  const std::string dictionary = toolkit_data("fairseq_post/dict.");
  const Imported older =
      from_fairseq(toolkit_data("fairseq_old.pt"), {{}, {dictionary + "en.txt", dictionary + "de.txt"}});
  EXPECT_TRUE(older.weights == fairseq("fairseq_post").weights);
}

TEST(FairseqDictionary, LinesHaveATokenAndACount) {
  EXPECT_EQ(parse_fairseq_dictionary("a 3\r\nb c 2\n\u2581d 1", "dict"),
            (std::vector<std::string>{"<s>", "<pad>", "</s>", "<unk>", "a", "b c", "\u2581d"}));
  EXPECT_EQ(parse_fairseq_dictionary("<s> 3 #fairseq:overwrite\n", "dict").size(), 5U);
  EXPECT_FAILS(parse_fairseq_dictionary("a 3\nb\n", "dict"), ModelError, "dict:2: expected TOKEN COUNT");
  EXPECT_FAILS(parse_fairseq_dictionary("a x\n", "dict"), ModelError, "dict:1: expected TOKEN COUNT");
  EXPECT_FAILS(parse_fairseq_dictionary("a 3\na 2\n", "dict"), ModelError, "dict:2: the token 'a' is there twice");
  EXPECT_FAILS(parse_fairseq_dictionary("\n", "dict"), ModelError, "dict:1: expected TOKEN COUNT");
}

/// A copy of a checkpoint with another part of the same length in its pickle.
class ChangedFairseq : public testing::Test {
 protected:
  void expect_refused(const std::string& old_part, const std::string& new_part, const std::string& message,
                      const std::string& model = "fairseq_post") const {
    expect_fails(changed_zip(folder_, toolkit_data(model) + "/model.pt", old_part, new_part), message, model);
  }
  void expect_value_refused(const std::string& key, const std::string& value, const std::string& message) const {
    const std::string model = "fairseq_post";
    expect_fails(changed_value(folder_, toolkit_data(model) + "/model.pt", key, value), key + ": " + message, model);
  }
  static void expect_fails(const std::string& path, const std::string& message, const std::string& model) {
    const std::string dictionary = toolkit_data(model) + "/dict.";
    const std::vector<std::string> spm{toolkit_data("fairseq.spm")};
    EXPECT_FAILS(from_fairseq(path, {model == "fairseq_pre" ? spm : std::vector<std::string>(),
                                     {dictionary + "en.txt", dictionary + "de.txt"}}),
                 ModelError, message);
  }
  test::TempFolder folder_;
};

TEST_F(ChangedFairseq, OtherSettingsAreRefusedByTheirNames) {
  expect_refused("transformer_iwslt_de_en", "convolution_iwslt_de_en",
                 "arch: expected transformer, or one of its sizes");
  expect_refused("gelu_fast", "gelu_slow", "activation_fn: expected one of relu, gelu, gelu_accurate, gelu_fast, swish",
                 "fairseq_pre");
  for (const std::string key :
       {"adaptive_input", "cross_self_attention", "no_cross_attention", "no_token_positional_embeddings"}) {
    expect_value_refused(key, "\x88", "expected false, found true; a model of ours has no such part");
  }
  expect_value_refused("decoder_attention_heads", "K\3", "expected a number of heads of which the width of the model");
  expect_value_refused("encoder_attention_heads", "N", "is missing");
  expect_refused("encoder_normalize_before", "encoder_normalize_befor2",
                 "decoder_normalize_before: expected false as in the encoder, found true", "fairseq_pre");
  expect_refused("encoder_learned_pos", "encoder_learned_po2", "decoder_learned_pos: expected false as in the encoder",
                 "fairseq_pre");
  expect_refused("decoder.version", "decoder.versio2", "decoder: expected a norm after the last layer", "fairseq_pre");
  expect_refused("decoder.layers.0.fc1.weight", "decoder.layers.0.fc3.weight",
                 "has no tensor 'decoder.layers.0.fc1.weight'");
  expect_refused("Namespace", "Namespac2", "has an object of argparse.Namespac2, which is not known to be plain data");
}

TEST(FromFairseq, DictionariesAreThoseNextToItOrThoseThatAreGiven) {
  const test::TempFolder folder;
  std::filesystem::copy(toolkit_data("fairseq_post/model.pt"), folder.path("model.pt"));
  EXPECT_FAILS(from_fairseq(folder.path("model.pt"), {}), ConfigError,
               "/dict.en.txt does not exist; give the dictionaries");
  const std::string short_one = folder.file("dict.en.txt", "a 1\n");
  EXPECT_FAILS(from_fairseq(folder.path("model.pt"), {{}, {short_one}}), ModelError,
               "dict.en.txt: expected 56 tokens, one for each row of 'encoder.embed_tokens.weight'");
}

}  // namespace
}  // namespace ventris::imports
