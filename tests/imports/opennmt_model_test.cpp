#include "imports/opennmt_model.h"

#include <gtest/gtest.h>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

std::vector<std::string> opennmt_spm(const std::string& name) {
  return name == "opennmt_words" ? std::vector<std::string>() : std::vector<std::string>{toolkit_data("opennmt.spm")};
}
Imported opennmt(const std::string& name) { return from_opennmt(toolkit_data(name) + "/model.pt", opennmt_spm(name)); }

/// A model of make_opennmt_expected.py, and what OpenNMT-py computes with it.
class OpennmtModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = opennmt(GetParam());
};

TEST_P(OpennmtModel, ComputesWhatOpenNmtComputes) {
  ASSERT_TRUE(is_opennmt(toolkit_data(GetParam()) + "/model.pt"));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(OpennmtModel, SearchesWriteTheTokensOfOpenNmt) { check_searches(imported_, GetParam()); }
TEST_P(OpennmtModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, OpennmtModel,
                         testing::Values("opennmt_words", "opennmt_concat", "opennmt_rotary", "opennmt_interleaved",
                                         "opennmt_buckets"));

TEST(FromOpenNmt, ACheckpointOfVersion2IsTheSameModel) {
  const Imported older = from_opennmt(toolkit_data("opennmt_old.pt"), {}), newer = opennmt("opennmt_words");
  EXPECT_TRUE(older.weights == newer.weights);
  EXPECT_EQ(older.package.source_spm, newer.package.source_spm);
}

/// A copy of a checkpoint in which an option has another name and value of the same length; the zip file is made anew.
class ChangedOpennmt : public testing::Test {
 protected:
  void expect_refused(const std::string& old_part, const std::string& new_part, const std::string& message,
                      const std::string& model = "opennmt_words") const {
    const std::string path = changed_zip(folder_, toolkit_data(model) + "/model.pt", old_part, new_part);
    EXPECT_FAILS(from_opennmt(path, opennmt_spm(model)), ModelError, message);
  }
  void expect_value_refused(const std::string& key, const std::string& value, const std::string& message,
                            const std::string& model = "opennmt_words") const {
    const std::string path = changed_value(folder_, toolkit_data(model) + "/model.pt", key, value);
    EXPECT_FAILS(from_opennmt(path, opennmt_spm(model)), ModelError, "opt: " + key + ": " + message);
  }
  test::TempFolder folder_;
};

TEST_F(ChangedOpennmt, OtherSettingsAreRefusedByTheirNames) {
  expect_refused(pickled_text("transformer"), pickled_text("transforme2"),
                 "opt: encoder_type: expected 'transformer' (other models cannot be");
  expect_refused("SinusoidalInterleaved", "SinusoidalInterleave2",
                 "opt: position_encoding_type: expected SinusoidalInterleaved or SinusoidalConcat");
  expect_refused("SinusoidalConcat", "SinusoidalConca2", "opt: position_encoding_type: expected", "opennmt_concat");
  expect_refused("silu", "tanh", "opt: pos_ffn_activation_fn: expected one of relu, gelu, silu, gated-gelu",
                 "opennmt_rotary");
  expect_refused("Namespace", "Namespac2", "has an object of argparse.Namespac2, which is not known to be plain data");
  expect_refused("decoder.transformer_layers.0.context_attn.linear_query.weight",
                 "decoder.transformer_layers.0.context_attn.linear_quer2.weight",
                 "has no tensor 'decoder.transformer_layers.0.context_attn.linear_query.weight'");
  expect_refused("<blank>", "<blan2>", "vocab.src: has no token '<blank>', the padding");
  expect_refused(pickled_text("src"), pickled_text("sr2"), "vocab.src: expected a list of tokens, found none");
  expect_refused(pickled_text("opt"), pickled_text("op2"),
                 "expected a checkpoint of OpenNMT-py with 'opt', found none");
}

TEST_F(ChangedOpennmt, FlagsAndNumbersOfOtherModelsAreRefused) {
  for (const char* key : {"copy_attn", "parallel_residual"}) {
    expect_value_refused(key, "\x88", "expected false, found true");
  }
  const std::string adapted = changed_zip(folder_, toolkit_data("opennmt_words/model.pt"), pickled_text("copy_attn"),
                                          pickled_text("lora_embedding"));
  EXPECT_FAILS(from_opennmt(changed_value(folder_, adapted, "lora_embedding", "\x88"), {}), ModelError,
               "opt: lora_embedding: expected false, found true; merge it with the model first");
  expect_value_refused("num_experts", "K\2", "expected 0 (no mixture of experts), found 2");
  expect_value_refused("sliding_window", "K\2", "expected 0 (no attention within a window), found 2");
  expect_value_refused("num_kv", "K\1", "expected 0, or as many as heads");
  expect_value_refused("heads", "K\3", "expected a number of heads of which the width of the model, 16, is an even");
  expect_value_refused("max_relative_positions", "K\4", "expected 0, as the model has sinusoids");
  expect_value_refused("max_relative_positions", "J\xfe\xff\xff\xff",
                       "expected -1 (rotary positions) in a model without", "opennmt_rotary");
  expect_value_refused("rotary_theta", "M\x11\x27", "expected 10000 (the base of ours), found 10001", "opennmt_rotary");
  expect_value_refused("rotary_dim", "K\4", "expected 0, or all features of a head", "opennmt_rotary");
}

TEST(FromOpenNmt, ATokenizerIsNeededForPiecesOnly) {
  EXPECT_FAILS(from_opennmt(toolkit_data("opennmt_concat/model.pt"), {}), ConfigError, "--tokenizer: ");
  EXPECT_NE(opennmt("opennmt_words").notes[0].find("tokens separated by spaces"), std::string::npos);
}

TEST(FromOpenNmt, WeightsMayBeInAFileOfTheirOwn) {
  const test::TempFolder folder;
  const std::string path =
      changed_zip(folder, toolkit_data("opennmt_words/model.pt"), pickled_text("model"), pickled_text("mode2"));
  const std::string without = changed_zip(folder, path, pickled_text("generator"), pickled_text("generato2"));
  EXPECT_FAILS(from_opennmt(without, {}), ModelError, "has no weights, and ");
}

}  // namespace
}  // namespace ventris::imports
