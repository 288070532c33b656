#include "torchscript/torchscript.h"

#include <gtest/gtest.h>
#include <torch/script.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "backend/module_scorer.h"
#include "backend/module_weights.h"
#include "backend/open_module.h"
#include "decoding/search.h"
#include "nn/masks.h"
#include "scripting/script_model.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

namespace ventris::torchscript {
namespace {

class TorchScript : public testing::TestWithParam<nn::NormPlace> {
 protected:
  families::EncoderDecoder model = test::tiny_model(4, GetParam());
  std::string bytes = write_torchscript(model, test::package_of_tiny_model(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(BothNorms, TorchScript, testing::Values(nn::NormPlace::kPre, nn::NormPlace::kPost));

TEST_P(TorchScript, ComputesWhatTheModuleComputes) {
  std::istringstream stream(bytes);
  auto script = torch::jit::load(stream);
  const torch::NoGradGuard no_grad;
  const auto src = torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}}), tgt = torch::tensor({{2, 10, 11}, {2, 12, 0}});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::target_mask(tgt, 0);
  const auto memory = model->encode(src, src_mask).states;
  EXPECT_TRUE(torch::allclose(script.get_method("encode")({src, src_mask}).toTensor(), memory, 1e-5, 1e-6));
  const auto hidden = model->forward(src, tgt, src_mask, tgt_mask);
  EXPECT_TRUE(torch::allclose(script.forward({src, tgt, src_mask, tgt_mask}).toTensor(), hidden, 1e-5, 1e-6));
  EXPECT_TRUE(
      torch::allclose(script.get_method("decode")({memory, src_mask, tgt, tgt_mask}).toTensor(), hidden, 1e-5, 1e-6));
  const auto log_probs = script.attr("generator").toModule().forward({hidden}).toTensor();
  EXPECT_TRUE(torch::allclose(log_probs, model->generator->forward(hidden), 1e-5, 1e-6));
}

TEST_P(TorchScript, HasTheNamesOfTheModule) {
  std::istringstream stream(bytes);
  const auto script = torch::jit::load(stream);
  std::set<std::string> expected, found;
  for (const auto& item : model->named_parameters()) expected.insert(item.key());
  for (const auto& item : model->named_buffers()) expected.insert(item.key());
  for (const auto& item : script.named_parameters()) found.insert(item.name);
  for (const auto& item : script.named_buffers()) found.insert(item.name);
  EXPECT_EQ(found, expected);
}

TEST_P(TorchScript, GreedyIsTheGreedySearch) {
  std::istringstream stream(bytes);
  auto script = torch::jit::load(stream);
  const auto src = torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}, {14, 4, 4, 3}});
  const auto ids = script.get_method("greedy")({src, 9}).toTensor();
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  options.max_length = 9;
  const auto scorer = backend::make_module_scorer(model, options);
  const std::vector<decoding::Sentence> sentences{{{5, 6, 7, 3}, {}, 0}, {{8, 9, 3}, {}, 1}, {{14, 4, 4, 3}, {}, 2}};
  const auto results = decoding::search(*scorer, sentences, {});
  for (size_t row = 0; row < 3; ++row) {
    for (size_t i = 0; i < results[row][0].ids.size(); ++i) {
      EXPECT_EQ(ids[static_cast<int64_t>(row)][static_cast<int64_t>(i)].item<int64_t>(), results[row][0].ids[i]);
    }
    const auto rest = ids[static_cast<int64_t>(row)].slice(0, static_cast<int64_t>(results[row][0].ids.size()));
    if (rest.size(0) == 0) continue;  // the longest: cut at max_len
    EXPECT_EQ(rest[0].item<int64_t>(), 3) << "eos follows";
    EXPECT_TRUE(rest.slice(0, 1).eq(0).all().item<bool>()) << "and then padding";
  }
}

TEST_P(TorchScript, TheScorerOverTheFileFindsTheSameTranslations) {
  const test::TempFolder folder;
  const std::string path = folder.file("model.pt", bytes);
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  const auto script =
      backend::make_module_scorer(scripting::load_script_model(path, "tiny.pt", 23, torch::kCPU), options);
  const auto module = backend::make_module_scorer(model, options);
  std::vector<decoding::Sentence> sentences;
  for (int32_t i = 0; i < 8; ++i) sentences.push_back({{4 + i, 11 - i, 5 + i, 3}, {}, static_cast<uint64_t>(i)});
  decoding::SearchOptions search;
  search.beam_size = 4;
  search.max_length_factor = 1;
  const auto ours = decoding::search(*module, sentences, search), theirs = decoding::search(*script, sentences, search);
  for (size_t i = 0; i < sentences.size(); ++i) {
    EXPECT_EQ(ours[i][0].ids, theirs[i][0].ids);
    EXPECT_NEAR(ours[i][0].score, theirs[i][0].score, 1e-4);
  }
}

TEST_P(TorchScript, CarriesItsConfigurationAndTokenizer) {
  const test::TempFolder folder;
  const auto package = model::read_package(folder.file("model.pt", bytes));
  EXPECT_EQ(package.kind, model::PackageKind::kTorchScript);
  EXPECT_EQ(test::shape_of(package.config).d_model, 16);
  EXPECT_EQ(package.source_spm, test::package_of_tiny_model().source_spm);
  std::istringstream stream(bytes);
  const auto kept =
      torch::jit::load(stream).attr("extra_files").toGenericDict().at("source.spm").toTensor();  // as on the page
  EXPECT_EQ(std::string(kept.data_ptr<uint8_t>(), kept.data_ptr<uint8_t>() + kept.numel()), package.source_spm);
}

TEST_P(TorchScript, WhatIsSavedAgainWithoutExtraFilesKeepsThemAndItsWeights) {
  std::istringstream stream(bytes);
  auto script = torch::jit::load(stream);
  const torch::NoGradGuard no_grad;
  const std::string changed_one = "encoder.layers.0.feed_forward.w_1.weight";
  for (const auto& item : script.named_parameters()) {
    if (item.name == changed_one) item.value.add_(1);
  }
  std::ostringstream again;
  script.save(again);
  const test::TempFolder folder;
  const auto before = model::read_package(folder.file("model.pt", bytes));
  const auto package = model::read_package(folder.file("again.pt", again.str()));
  EXPECT_EQ(package.config.to_json(), before.config.to_json());
  EXPECT_EQ(package.source_spm, before.source_spm);
  EXPECT_EQ(model::tensors_to_json(package.tensors), model::tensors_to_json(before.tensors));
  const auto changed = scripting::load_script_model(folder.path("again.pt"), "again.pt", 23, torch::kCPU);
  const auto src = torch::tensor({{5, 6, 3}}), tgt = torch::tensor({{2, 10}});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::target_mask(tgt, 0);
  model->named_parameters()[changed_one].add_(1);
  const auto expected = model->decode(model->encode(src, src_mask), tgt, tgt_mask);
  EXPECT_TRUE(torch::allclose(changed->decode(changed->encode(src, src_mask), tgt, tgt_mask), expected, 1e-4, 1e-5));
}

TEST(TorchScriptLearnedPositions, AreExportedAsAParameter) {
  torch::manual_seed(1);
  auto model = families::make_model(nn::TransformerOptions{.src_vocab = 23,
                                                           .tgt_vocab = 29,
                                                           .encoder_layers = 1,
                                                           .decoder_layers = 1,
                                                           .d_model = 16,
                                                           .d_ff = 32,
                                                           .heads = 4,
                                                           .activation = nn::Activation::kGelu,
                                                           .positions = nn::Positions::kLearned,
                                                           .max_positions = 64,
                                                           .tying = nn::Tying::kNone});
  model->eval();
  auto package = test::package_of_tiny_model();
  auto& transformer = test::shape_of(package.config);
  transformer.encoder_layers = transformer.decoder_layers = 1;
  transformer.tgt_vocab = 29;
  transformer.activation = nn::Activation::kGelu;
  transformer.positions = nn::Positions::kLearned;
  transformer.tying = nn::Tying::kNone;
  std::istringstream stream(write_torchscript(model, package));
  auto script = torch::jit::load(stream);
  const auto src = torch::tensor({{5, 6, 3}}), tgt = torch::tensor({{2, 10}});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::target_mask(tgt, 0);
  const auto found = script.forward({src, tgt, src_mask, tgt_mask}).toTensor();
  EXPECT_TRUE(torch::allclose(found, model->forward(src, tgt, src_mask, tgt_mask), 1e-5, 1e-6));
}

/// The place of a dropout module in a Transformer: the last name before "dropout" that is not a number.
std::string place_of(const std::string& path) {
  std::istringstream names(path);
  std::string place;
  for (std::string name; std::getline(names, name, '.');) {
    if (name != "dropout" && name.find_first_not_of("0123456789") != std::string::npos) place = name;
  }
  return place;
}

TEST(TorchScriptDropout, EachPlaceHasItsOwnRate) {
  auto package = test::package_of_tiny_model();
  auto& options = test::shape_of(package.config);
  options.dropout = 0.1;
  options.attention_dropout = 0.2;
  options.activation_dropout = 0.3;
  options.embedding_dropout = 0.4;
  auto model = families::make_model(options);
  model->eval();
  std::istringstream stream(write_torchscript(model, package));
  const auto script = torch::jit::load(stream);
  std::map<std::string, std::set<double>> rates;
  size_t count = 0;
  for (const auto& module : script.named_modules()) {
    if (!module.value.hasattr("p")) continue;
    rates[place_of(module.name)].insert(module.value.attr("p").toDouble());
    ++count;
  }
  const std::map<std::string, std::set<double>> expected{{"sublayer", {0.1}},  {"self_attn", {0.2}},
                                                         {"src_attn", {0.2}},  {"feed_forward", {0.3}},
                                                         {"src_embed", {0.4}}, {"tgt_embed", {0.4}}};
  EXPECT_EQ(rates, expected);
  // In each encoder layer, 2 sublayers and their 2 blocks; in each decoder layer, 3 and 3; the embeddings of each side.
  EXPECT_EQ(count, static_cast<size_t>(4 * options.encoder_layers + 6 * options.decoder_layers + 2));
}

/// Every score and every kind of cross-attention, each with other settings that change the text.
class TorchScriptOfVariants : public testing::TestWithParam<nn::TransformerOptions> {};

TEST_P(TorchScriptOfVariants, ComputesAndTranslatesLikeTheModule) {
  torch::manual_seed(3);
  auto model = families::make_model(GetParam());
  model->eval();
  const torch::NoGradGuard no_grad;
  for (const auto& parameter : model->parameters()) parameter.add_(0.1 * torch::randn_like(parameter));
  auto package = test::package_of_tiny_model();
  test::shape_of(package.config) = GetParam();
  const test::TempFolder folder;
  const std::string path = folder.file("model.pt", write_torchscript(model, package));
  EXPECT_EQ(model::read_package(path).config.architecture->to_json(), package.config.architecture->to_json());
  auto script = torch::jit::load(path);
  const auto src = torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}}), tgt = torch::tensor({{2, 10, 11}, {2, 12, 0}});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::target_mask(tgt, 0);
  EXPECT_TRUE(torch::allclose(script.get_method("encode")({src, src_mask}).toTensor(),
                              model->encode(src, src_mask).states, 1e-5, 1e-5));
  EXPECT_TRUE(torch::allclose(script.forward({src, tgt, src_mask, tgt_mask}).toTensor(),
                              model->forward(src, tgt, src_mask, tgt_mask), 1e-4, 1e-5));
  std::set<std::string> expected, found;
  for (const auto& item : model->named_parameters()) expected.insert(item.key());
  for (const auto& item : model->named_buffers()) expected.insert(item.key());
  for (const auto& item : script.named_parameters()) found.insert(item.name);
  for (const auto& item : script.named_buffers()) found.insert(item.name);
  EXPECT_EQ(found, expected);
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  const auto theirs = backend::make_module_scorer(scripting::load_script_model(path, "a.pt", 23, torch::kCPU), options);
  const auto ours = backend::make_module_scorer(model, options);
  std::vector<decoding::Sentence> sentences;
  for (int32_t i = 0; i < 6; ++i) sentences.push_back({{4 + i, 11 - i, 5 + i, 3}, {}, static_cast<uint64_t>(i)});
  decoding::SearchOptions search;
  search.beam_size = 3;
  search.max_length_factor = 1;
  const auto of_module = decoding::search(*ours, sentences, search),
             of_file = decoding::search(*theirs, sentences, search);
  for (size_t i = 0; i < sentences.size(); ++i) EXPECT_EQ(of_module[i][0].ids, of_file[i][0].ids);
}

/// Every kind of self-attention; sentences of the test are longer than the windows.
std::vector<nn::TransformerOptions> long_inputs(nn::TransformerOptions options) {
  std::vector<nn::TransformerOptions> all;
  for (const int64_t globals : {0, 2}) {
    options.attention_score = globals == 0 ? nn::AttentionScore::kScaledDot : nn::AttentionScore::kAdditive;
    auto windowed = options, low_rank = options;
    windowed.self_attention = nn::SelfAttention::kWindow;
    windowed.window = 1;
    windowed.global_positions = globals;
    low_rank.self_attention = nn::SelfAttention::kLowRank;
    low_rank.low_rank_size = 3;
    all.insert(all.end(), {windowed, low_rank});
  }
  options.self_attention = nn::SelfAttention::kSsru;
  all.push_back(options);
  options.self_attention = nn::SelfAttention::kLinear;
  options.attention_score = nn::AttentionScore::kScaledDot;
  all.push_back(options);
  options.self_attention = nn::SelfAttention::kSegment;
  options.positions = nn::Positions::kRelative;
  for (const int64_t memory : {0, 1, 5}) {
    options.segment = memory == 1 ? 3 : 2;
    options.segment_memory = memory;
    all.push_back(options);
  }
  return all;
}

/// Norms, activations, gates, rotary positions and buckets of distances.
std::vector<nn::TransformerOptions> newer_parts(nn::TransformerOptions options) {
  std::vector<nn::TransformerOptions> all;
  for (const auto place : {nn::NormPlace::kPre, nn::NormPlace::kPost}) {
    options.norm = place;
    options.norm_kind = nn::NormKind::kRms;
    options.embedding_norm = options.final_norm = place == nn::NormPlace::kPost;
    for (const auto activation : {nn::Activation::kRelu, nn::Activation::kGelu, nn::Activation::kSilu,
                                  nn::Activation::kGeluTanh, nn::Activation::kGeluSigmoid}) {
      options.activation = activation;
      options.scale_embeddings = activation != nn::Activation::kGeluTanh;
      options.gated_feed_forward = activation != nn::Activation::kRelu || place == nn::NormPlace::kPre;
      options.positions = options.gated_feed_forward ? nn::Positions::kRotary : nn::Positions::kHalvedSinusoidal;
      options.d_k = activation == nn::Activation::kGelu ? 6 : 0;
      if (activation == nn::Activation::kGeluTanh) options.positions = nn::Positions::kRelativeBias;
      options.relative_buckets = options.has_relative_bias() ? 6 : 0;
      options.relative_max_distance = options.has_relative_bias() ? 4 : 0;
      all.push_back(options);
    }
  }
  return all;
}

/// Experts in all layers or in some.
std::vector<nn::TransformerOptions> with_experts(nn::TransformerOptions options) {
  options.experts = 3;
  nn::TransformerOptions two = options;
  two.experts_per_token = 2;
  two.expert_interval = 2;
  two.encoder_layers = 2;
  two.gated_feed_forward = true;
  return {options, two};
}

std::vector<nn::TransformerOptions> variants() {
  nn::TransformerOptions options = test::shape_of(test::package_of_tiny_model().config);
  std::vector<nn::TransformerOptions> all = newer_parts(options);
  for (const nn::TransformerOptions& experts : with_experts(options)) all.push_back(experts);
  options.encoder_layers = 3;
  for (const auto cross : {nn::CrossAttention::kMean, nn::CrossAttention::kLayerwise, nn::CrossAttention::kWeighted}) {
    options.cross_attention = cross;
    options.norm = all.size() % 2 == 0 ? nn::NormPlace::kPre : nn::NormPlace::kPost;
    all.push_back(options);
  }
  for (const auto score :
       {nn::AttentionScore::kScaledDot, nn::AttentionScore::kDot, nn::AttentionScore::kCosine,
        nn::AttentionScore::kBilinear, nn::AttentionScore::kAdditive, nn::AttentionScore::kGaussian}) {
    options.attention_score = score;
    options.attention_bias = all.size() % 2 == 0;
    options.embedding_norm = !options.attention_bias;
    options.norm_epsilon = options.attention_bias ? 1e-5 : 0.1;
    options.d_k = 3;
    options.d_v = all.size() % 3 == 0 ? 3 : 5;
    all.push_back(options);
  }
  const auto more = long_inputs(options);
  all.insert(all.end(), more.begin(), more.end());
  for (size_t i = 0; i < all.size(); i += 2) {
    all[i].decoder_heads = all[i].heads == 1 ? 2 : 1;
    all[i].decoder_d_ff = all[i].d_ff + 3;
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Variants, TorchScriptOfVariants, testing::ValuesIn(variants()));

}  // namespace
}  // namespace ventris::torchscript
