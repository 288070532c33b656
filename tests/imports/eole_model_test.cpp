#include "imports/eole_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

/// A model of make_eole_expected.py, and what Eole computes with it.
class EoleModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = from_eole(toolkit_data(GetParam()), {});
};

TEST_P(EoleModel, ComputesWhatEoleComputes) {
  ASSERT_TRUE(is_eole(toolkit_data(GetParam())));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(EoleModel, SearchesWriteTheTokensOfEole) { check_searches(imported_, GetParam()); }
TEST_P(EoleModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, EoleModel, testing::Values("eole_plain", "eole_rotary", "eole_learned"));

namespace fs = std::filesystem;
using nlohmann::json;

/// A copy of a folder that a test changes.
class ChangedEoleFolder : public testing::Test {
 protected:
  void copy(const std::string& name) {
    fs::remove_all(path_);
    fs::copy(toolkit_data(name), path_);
    for (const auto& entry : fs::directory_iterator(path_)) fs::permissions(entry, fs::perms::owner_all);
  }
  void expect_refused(const std::string& name, const std::string& place, const json& value, const std::string& part) {
    copy(name);
    json config = json::parse(files::read_file(path_ + "/config.json"));
    config[json::json_pointer(place)] = value;
    files::write_file(path_ + "/config.json", config.dump());
    EXPECT_FAILS(from_eole(path_, {}), ModelError, "config.json: " + part);
  }

  test::TempFolder folder_;
  const std::string path_ = folder_.path("eole");
};

TEST_F(ChangedEoleFolder, OtherSettingsAreRefusedByTheirNames) {
  const std::string plain = "eole_plain", rotary = "eole_rotary";
  for (const std::string key : {"parallel_residual", "ffn_layernorm", "query_norm", "q_gating"}) {
    expect_refused(plain, "/model/" + key, true, "model." + key + ": expected false, found true; a model of ours");
    expect_refused(plain, "/model/decoder/" + key, true, "model.decoder." + key + ": expected false, found true");
  }
  for (const std::string key : {"num_experts", "sliding_window", "relative_positions_buckets"}) {
    expect_refused(plain, "/model/" + key, 8,
                   "model." + key + ": expected 0 (a model of ours has no such part), found 8");
  }
  expect_refused(plain, "/model/encoder/encoder_type", "rnn", "model.encoder.encoder_type: expected 'transformer'");
  expect_refused(plain, "/model/decoder/decoder_type", nullptr,
                 "model.decoder.decoder_type: expected 'transformer', found none");
  expect_refused(plain, "/model/encoder/encoder_layer_style", "postnorm",
                 "model.encoder.encoder_layer_style: expected 'standard'");
  expect_refused(plain, "/model/attn_scaling", 2, "model.attn_scaling: expected none, found 2");
  expect_refused(plain, "/model/decoder/heads", 3,
                 "model.decoder.heads: expected a number of heads of which the width");
  expect_refused(plain, "/model/heads_kv", 1, "model.heads_kv: expected as many as heads");
  expect_refused(plain, "/model/head_dim", 4, "model.head_dim: expected 8");
  expect_refused(plain, "/model/layer_norm", "gemma-rms", "model.layer_norm: expected standard, standardFP32 or rms");
  expect_refused(plain, "/model/norm_eps", 0, "model.norm_eps: expected a number from 0 to 1");
  expect_refused(plain, "/model/decoder/norm_eps", 0.1,
                 "model.decoder: expected mlp_activation_fn, layer_norm and norm_eps");
  expect_refused(plain, "/model/mlp_activation_fn", "tanh", "model.mlp_activation_fn: expected one of relu, gelu");
  expect_refused(plain, "/model/generator_function", "sparsemax", "model.generator_function: expected 'softmax'");
  expect_refused(plain, "/model/add_estimator", true, "model.add_estimator: expected false, found true");
  expect_refused(plain, "/model/embeddings/position_encoding_type", "Relative",
                 "model.embeddings.position_encoding_type: expected SinusoidalInterleaved");
  expect_refused(plain, "/model/embeddings/normalize", true, "model.embeddings.normalize: expected false");
  expect_refused("eole_learned", "/model/embeddings/position_shift", 2, "model.embeddings.position_shift: expected 0");
  expect_refused(rotary, "/model/encoder/rope_config/rotary_theta", 5000,
                 "model.encoder.rope_config.rotary_theta: expected 10000");
  expect_refused(rotary, "/model/encoder/rope_config/scaling_type", "llama3",
                 "model.encoder.rope_config.scaling_type: expected none");
  expect_refused(rotary, "/model/encoder/rope_config/rotary_dim", 4,
                 "model.encoder.rope_config.rotary_dim: expected 0");
}

TEST_F(ChangedEoleFolder, FilesThatAreMissingOrDoNotFitAreNamed) {
  copy("eole_plain");
  const json vocabulary = json::parse(files::read_file(path_ + "/vocab.json"));
  const auto refused = [&](const std::string& key, const json& value, const std::string& part) {
    json changed = vocabulary;
    changed[key] = value;
    files::write_file(path_ + "/vocab.json", changed.dump());
    EXPECT_FAILS(from_eole(path_, {}), ModelError, "vocab.json: " + part);
  };
  refused("src", {"<unk>", 3}, "src: expected a list of texts");
  refused("src", {"<unk>", "<blank>"}, "src: has no token '</s>', the end of a sentence");
  refused("tgt", {"<unk>", "<blank>", "<s>", "</s>"}, "tgt: expected ");
  refused("decoder_start_token", "", "tgt: has no token '', the start of the decoder");
  fs::remove(path_ + "/both.spm");
  files::write_file(path_ + "/vocab.json", vocabulary.dump());
  EXPECT_FAILS(from_eole(path_, {}), ConfigError, "--tokenizer: ");
  fs::copy(path_ + "/model.00.safetensors", path_ + "/model.01.safetensors");
  EXPECT_FAILS(from_eole(path_, {}), ModelError, "model.01.safetensors: expected all weights in one file");
  fs::remove(path_ + "/model.00.safetensors");
  EXPECT_FAILS(from_eole(path_, {}), ModelError, "model.00.safetensors: does not exist");
}

}  // namespace
}  // namespace ventris::imports
