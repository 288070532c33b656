#include "imports/huggingface_t5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "decoding/search.h"
#include "engine/encoder_factory.h"
#include "engine/factory.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using architecture::Activation;
using architecture::TransformerOptions;
using architecture::Tying;
using nlohmann::json;
using T5Ids = std::vector<int32_t>;

std::string t5_data(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/" + name; }
json t5_json(const std::string& name, const std::string& file) {
  return json::parse(files::read_file(t5_data(name) + "/" + file));
}

const TransformerOptions& options_in(const Imported& imported) {
  return dynamic_cast<const architecture::TransformerArchitecture&>(*imported.package.config.architecture).options;
}

/// A model of make_t5_expected.py, and what transformers computes with it.
class T5FolderTest : public testing::TestWithParam<std::string> {
 protected:
  T5FolderTest()
      : imported_(from_t5_folder(t5_data(GetParam()))),
        tokenizer_(imported_.package.source_spm, "source"),
        expected_(t5_json(GetParam(), "expected.json")) {
    const json config = t5_json(GetParam(), "config.json");
    const int32_t pad = config.at("pad_token_id"), eos = config.at("eos_token_id"), unk = pad == 0 ? 2 : 0;
    int32_t next = 4;
    for (int32_t row = 0; row < expected_.at("rows").get<int32_t>(); ++row) {
      ids_.push_back(row == pad ? 0 : row == unk ? 1 : row == eos ? 3 : next++);
    }
  }

  std::unique_ptr<decoding::ScorerFactory> scorers(engine::Precision precision = engine::Precision::kF32) const {
    return engine::make_factory(imported_.package.config, model::Safetensors::parse(imported_.weights, "weights"),
                                {precision});
  }
  /// The new ids of rows.
  T5Ids ids_of(const json& rows) const {
    T5Ids ids;
    for (const json& row : rows) ids.push_back(ids_.at(row.get<size_t>()));
    return ids;
  }
  /// The differences of log-probabilities to those of transformers, for all target tokens.
  std::vector<float> differences(engine::Precision precision) const {
    const auto scorer = scorers(precision)->make_pair_scorer();
    std::vector<float> found;
    for (const json& line : expected_.at("lines")) {
      T5Ids target = ids_of(line.at("target_ids"));
      target.pop_back();
      const T5Ids source = ids_of(line.at("ids"));
      const std::vector<decoding::Pair> pairs{{source, target}};
      const auto answers = scorer->answer(pairs, {});
      const auto expected = line.at("log_probs").get<std::vector<float>>();
      EXPECT_EQ(answers[0].log_probs.size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) found.push_back(std::abs(answers[0].log_probs[i] - expected[i]));
    }
    return found;
  }

  Imported imported_;
  text::Tokenizer tokenizer_;
  json expected_;
  T5Ids ids_;  // by row
};

TEST_P(T5FolderTest, TokenizersAndLanguagesGiveTheIdsOfSentencePieceAndTransformers) {
  const std::string code = expected_.at("language");
  T5Ids before;
  if (!code.empty()) {
    for (const std::string& piece : imported_.package.config.tokenizer.languages.at(code).to_prefix) {
      before.push_back(tokenizer_.id_of(piece));
    }
  }
  for (const json& line : expected_.at("lines")) {
    T5Ids source = tokenizer_.encode(line.at("source").get<std::string>());
    source.insert(source.begin(), before.begin(), before.end());
    source.push_back(3);
    EXPECT_EQ(source, ids_of(line.at("ids"))) << line.at("source");
    if (line.contains("ids_of_transformers")) {
      EXPECT_EQ(source, ids_of(line.at("ids_of_transformers"))) << line.at("source");
    }
    T5Ids target = tokenizer_.encode(line.at("target").get<std::string>());
    target.push_back(3);
    EXPECT_EQ(target, ids_of(line.at("target_ids"))) << line.at("target");
  }
}

TEST_P(T5FolderTest, StatesOfTheEncoderAreThoseOfTransformers) {
  const auto encoder =
      engine::make_text_encoders(imported_.package.config, model::Safetensors::parse(imported_.weights, "weights"),
                                 engine::Precision::kF32)
          ->make_encoder();
  for (const json& line : expected_.at("lines")) {
    const T5Ids ids = ids_of(line.at("ids"));
    const std::vector<std::span<const int32_t>> texts{ids};
    const std::span<const float> all = encoder->states(texts, {});
    const size_t width = static_cast<size_t>(encoder->info().width);
    std::vector<float> found(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(width));  // first and last token
    found.insert(found.end(), all.end() - static_cast<std::ptrdiff_t>(width), all.end());
    EXPECT_THAT(found, testing::Pointwise(testing::FloatNear(2e-5F), line.at("states").get<std::vector<float>>()));
  }
}

TEST_P(T5FolderTest, LogProbabilitiesAreThoseOfTransformers) {
  EXPECT_THAT(differences(engine::Precision::kF32), testing::Each(testing::Le(2e-5F)));
}

TEST_P(T5FolderTest, LogProbabilitiesInOtherPrecisionsAreNear) {
  for (const auto& [precision, most] :
       {std::pair(engine::Precision::kBf16, 0.03F), {engine::Precision::kInt8, 0.08F}}) {
    const std::vector<float> found = differences(precision);
    float sum = 0;
    for (const float difference : found) sum += difference;
    EXPECT_LE(sum / static_cast<float>(found.size()), most);
  }
}

TEST_P(T5FolderTest, GreedyAndBeamSearchWriteTheTokensOfTransformers) {
  constexpr size_t kMost = 29;
  const auto scorer = scorers()->make();
  for (const json& line : expected_.at("lines")) {
    decoding::Sentence sentence;
    sentence.source = ids_of(line.at("ids"));
    for (const auto& [name, beam] : {std::pair("greedy", 1), std::pair("beam", 4)}) {
      T5Ids expected = ids_of(line.at(name));
      const bool cut = expected.back() != 3;
      decoding::SearchOptions options;
      options.beam_size = beam;
      options.max_length_factor = 100;
      options.longest = kMost;
      scorer->reset();
      T5Ids found = decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids;
      if (!cut) expected.pop_back();
      EXPECT_EQ(found, expected) << name << ": " << line.at("source");
    }
  }
}

TEST_P(T5FolderTest, ATargetPrefixIsContinuedLikeAWholeTranslation) {
  const auto scorer = scorers()->make();
  for (const json& line : expected_.at("lines")) {
    decoding::Sentence sentence;
    sentence.source = ids_of(line.at("ids"));
    decoding::SearchOptions options;
    options.beam_size = 1;
    options.longest = 20;
    scorer->reset();
    const T5Ids whole = decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids;
    if (whole.size() < 4) continue;
    sentence.prefix = {whole.begin(), whole.begin() + 3};
    options.longest = std::ssize(whole);
    scorer->reset();
    EXPECT_EQ(decoding::search(*scorer, std::span(&sentence, 1), options)[0][0].ids, whole);
  }
}

TEST_P(T5FolderTest, TheBundleCanBeWrittenAndOpened) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported_.package, imported_.weights);
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  EXPECT_EQ(bundle.package.config.decoding.beam_size, 4);
  EXPECT_TRUE(bundle.package.config.tokenizer.shared);
  EXPECT_TRUE(bundle.package.config.tokenizer.source_eos);
  EXPECT_EQ(bundle.package.config.tokenizer.languages, imported_.package.config.tokenizer.languages);
}

INSTANTIATE_TEST_SUITE_P(Models, T5FolderTest, testing::Values("t5_small", "t5_gated", "mt5", "madlad"));

TEST(T5Folder, SettingsAreThoseOfConfigJson) {
  const Imported small = from_t5_folder(t5_data("t5_small")), gated = from_t5_folder(t5_data("t5_gated"));
  EXPECT_EQ(small.what, "a T5 of Hugging Face's transformers");
  EXPECT_EQ(options_in(small).tying, Tying::kAll);
  EXPECT_EQ(options_in(small).activation, Activation::kRelu);
  EXPECT_FALSE(options_in(small).gated_feed_forward);
  EXPECT_EQ(options_in(small).relative_buckets, 8);
  EXPECT_EQ(options_in(small).relative_max_distance, 20);
  EXPECT_EQ(options_in(small).norm_epsilon, 1e-6);
  EXPECT_EQ(options_in(gated).tying, Tying::kNone);
  EXPECT_EQ(options_in(gated).activation, Activation::kGeluTanh);
  EXPECT_TRUE(options_in(gated).gated_feed_forward);
  EXPECT_EQ(options_in(gated).encoder_layers, 1);
  EXPECT_EQ(options_in(gated).decoder_layers, 2);
  EXPECT_EQ(options_in(from_t5_folder(t5_data("madlad"))).activation, Activation::kSilu);
  EXPECT_EQ(from_t5_folder(t5_data("mt5")).what, "an mT5 of Hugging Face's transformers");
}

TEST(T5Folder, LanguagesAreThoseOfTagsOrOfTextsBeforeSources) {
  const auto of_tags = from_t5_folder(t5_data("madlad")).package.config.tokenizer.languages;
  EXPECT_EQ(of_tags.size(), 2U);
  EXPECT_EQ(of_tags.at("en").to_prefix, (std::vector<std::string>{"\u2581", "<2en>"}));
  const auto of_tasks = from_t5_folder(t5_data("t5_small")).package.config.tokenizer.languages;
  EXPECT_EQ(of_tasks.size(), 1U);
  std::string before;
  for (const std::string& piece : of_tasks.at("de").to_prefix) before += piece;
  EXPECT_EQ(before, "\u2581to\u2581German:");
  EXPECT_TRUE(from_t5_folder(t5_data("mt5")).package.config.tokenizer.languages.empty());
}

TEST(T5Folder, TagsSentinelsAndRowsWithoutTokensAreNoText) {
  for (const char* name : {"madlad", "t5_small"}) {
    const Imported imported = from_t5_folder(t5_data(name));
    const text::Tokenizer tokenizer(imported.package.source_spm, name);
    const T5Ids plain = tokenizer.encode("the old man");
    for (const char* piece : {"<2de>", "<extra_id_0>", "<extra_id_3>"}) {
      const int32_t id = tokenizer.id_of(piece);
      if (id < 0) continue;
      T5Ids ids = plain;
      ids.insert(ids.begin() + 1, id);
      EXPECT_EQ(tokenizer.decode(ids), "the old man") << piece;
      EXPECT_THAT(tokenizer.encode(std::string("the ") + piece), testing::Not(testing::Contains(id)));
    }
    const int32_t last = tokenizer.size() - 1;  // a row that only fills up the table
    EXPECT_EQ(tokenizer.decode(T5Ids{last}), "");
  }
}

/// A copy of a folder that a test changes.
class ChangedT5Folder : public testing::Test {
 protected:
  ChangedT5Folder() {
    fs::copy(t5_data("t5_small"), path, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(path)) fs::permissions(entry, fs::perms::owner_all);
  }
  json config() const { return json::parse(files::read_file(path + "/config.json")); }
  void write(const json& config) const { files::write_file(path + "/config.json", config.dump()); }
  void expect_refused(const std::string& key, const json& value, const std::string& part) const {
    const json before = config();
    json changed = before;
    changed[key] = value;
    write(changed);
    EXPECT_FAILS(from_t5_folder(path), ModelError, "config.json: " + key + ": " + part);
    write(before);
  }

  test::TempFolder folder;
  const std::string path = folder.path("t5");
};

TEST_F(ChangedT5Folder, OtherSettingsAreRefusedByTheirNames) {
  expect_refused("is_encoder_decoder", false, "expected true, found false; a model that has only an encoder");
  expect_refused("is_decoder", true, "expected false, found true; a model that has only a decoder");
  expect_refused("feed_forward_proj", "gated-tanh", "expected relu, gelu, gelu_new, gelu_pytorch_tanh, silu or swish");
  expect_refused("feed_forward_proj", "double-relu", "expected relu");
  expect_refused("dense_act_fn", "gelu", "expected 'relu' as in feed_forward_proj, found 'gelu'");
  expect_refused("is_gated_act", true, "expected false, found true; feed_forward_proj says so");
  expect_refused("relative_attention_num_buckets", 7, "expected an even number from 4 to 1024, found 7");
  expect_refused("relative_attention_num_buckets", 2, "expected an even number from 4 to 1024, found 2");
  expect_refused("relative_attention_max_distance", 4, "expected a number over 4 and up to 1024, found 4");
  expect_refused("layer_norm_epsilon", 0, "expected a number over 0");
  expect_refused("d_kv", nullptr, "is missing");
  expect_refused("num_decoder_layers", 0, "expected a whole number of at least 1, found 0");
  expect_refused("eos_token_id", nullptr, "is missing");
}

TEST_F(ChangedT5Folder, TablesAndTensorsMustBeThoseOfTheModel) {
  const auto refused = [&](const std::string& key, const json& value, const std::string& part) {
    const json before = config();
    json changed = before;
    changed[key] = value;
    write(changed);
    EXPECT_FAILS(from_t5_folder(path), ModelError, part);
    write(before);
  };
  refused("vocab_size", 50, "spiece.model: expected at most 50 pieces as in config.json, found ");
  refused("vocab_size", 105, "shared.weight");
  refused("num_layers", 3, "has no tensor 'encoder.block.2.layer.0.SelfAttention.q.weight'");
  refused("num_decoder_layers", 1, "this kind of model has no such part");
  refused("feed_forward_proj", "gated-gelu", "wi_0.weight");
  refused("relative_attention_num_buckets", 6, "relative_attention_bias.weight");
  refused("pad_token_id", 1000, "the padding is token 1000, but there are only 104 tokens");
  fs::remove(path + "/spiece.model");
  EXPECT_FAILS(from_t5_folder(path), ModelError, "spiece.model");
}

/// transformers 5 says it with a key of its own, and then ties by what is in the file.
TEST_F(ChangedT5Folder, WhetherTheOutputIsScaledIsSaidByTwoKeys) {
  const std::string scaled = from_t5_folder(path).weights;
  json changed = config();
  changed["tie_word_embeddings"] = false;
  write(changed);
  const std::string plain = from_t5_folder(path).weights;
  EXPECT_NE(plain, scaled);
  changed["tie_word_embeddings"] = true;
  write(changed);
  EXPECT_EQ(from_t5_folder(path).weights, scaled);
  changed["scale_decoder_outputs"] = false;
  write(changed);
  EXPECT_EQ(from_t5_folder(path).weights, plain);
}

}  // namespace
}  // namespace ventris::imports
