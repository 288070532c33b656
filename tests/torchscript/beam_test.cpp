#include <gtest/gtest.h>
#include <torch/script.h>

#include <functional>
#include <sstream>
#include <string>

#include "backend/module_scorer.h"
#include "decoding/search.h"
#include "families/rnn.h"
#include "nn/masks.h"
#include "support/model_writer.h"
#include "support/rnn_kinds.h"
#include "support/tiny_model.h"
#include "torchscript/torchscript.h"

/// The methods of a TorchScript file that search.
namespace ventris::torchscript {
namespace {

using architecture::TransformerOptions;

/// A kind of model, and its settings.
struct Kind {
  std::string name;
  std::function<void(TransformerOptions&)> change;
};

std::vector<Kind> kinds() {
  using architecture::CrossAttention;
  using architecture::SelfAttention;
  return {{"pre", [](auto& o) { o.norm = nn::NormPlace::kPre; }},
          {"post", [](auto& o) { o.norm = nn::NormPlace::kPost; }},
          {"rotary", [](auto& o) { o.positions = nn::Positions::kRotary; }},
          {"relative_bias", [](auto& o) { o.positions = nn::Positions::kRelativeBias; }},
          {"learned",
           [](auto& o) {
             o.positions = nn::Positions::kLearned;
             o.embedding_norm = true;
           }},
          {"layerwise", [](auto& o) { o.cross_attention = CrossAttention::kLayerwise; }},
          {"ssru", [](auto& o) { o.self_attention = SelfAttention::kSsru; }},
          {"experts", [](auto& o) { o.experts = 3; }},
          {"window",
           [](auto& o) {
             o.self_attention = SelfAttention::kWindow;
             o.window = 2;
           }},
          {"additive", [](auto& o) { o.attention_score = architecture::AttentionScore::kAdditive; }},
          {"wide_values", [](auto& o) { o.d_k = 4, o.d_v = 6; }}};
}

const std::vector<std::vector<int32_t>> kSources{{5, 6, 7, 3}, {8, 9, 3}, {14, 4, 4, 17, 12, 3}, {10, 3}};

torch::Tensor padded_sources() {
  torch::Tensor src = torch::zeros({static_cast<int64_t>(kSources.size()), 6}, torch::kLong);
  for (size_t row = 0; row < kSources.size(); ++row) {
    for (size_t i = 0; i < kSources[row].size(); ++i) {
      src[static_cast<int64_t>(row)][static_cast<int64_t>(i)] = kSources[row][i];
    }
  }
  return src;
}

/// Compares `beam` with decoding::search() over the module.
void expect_the_same_search(const nn::Seq2Seq& model, torch::jit::Module& script, int beam_size, double alpha) {
  constexpr int64_t kMaxLength = 9;
  const auto found =
      script.get_method("beam")({padded_sources(), int64_t{beam_size}, kMaxLength, alpha}).toTuple()->elements();
  const torch::Tensor ids = found[0].toTensor(), lengths = found[1].toTensor(), scores = found[2].toTensor();
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  options.max_length = kMaxLength;
  const auto scorer = backend::make_module_scorer(model, options);
  std::vector<decoding::Sentence> sentences;
  for (const auto& source : kSources) sentences.push_back({source, {}, sentences.size()});
  decoding::SearchOptions search;
  search.beam_size = beam_size;
  search.length_alpha = alpha;
  const auto expected = decoding::search(*scorer, sentences, search);
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    std::vector<int32_t> written = expected[i][0].ids;
    if (!expected[i][0].truncated) written.push_back(3);
    const auto length = static_cast<int64_t>(written.size());
    EXPECT_EQ(lengths[row].item<int64_t>(), length) << "sentence " << i;
    EXPECT_NEAR(scores[row].item<double>(), expected[i][0].score, 1e-5) << "sentence " << i;
    written.resize(static_cast<size_t>(ids.size(1)), 0);
    for (int64_t at = 0; at < ids.size(1); ++at) {
      EXPECT_EQ(ids[row][at].item<int64_t>(), written[static_cast<size_t>(at)]) << "sentence " << i << ", token " << at;
    }
  }
}

torch::jit::Module loaded(const std::string& bytes) {
  std::istringstream stream(bytes);
  return torch::jit::load(stream);
}

class BeamMethod : public testing::TestWithParam<Kind> {
 protected:
  BeamMethod() {
    auto package = test::package_of_tiny_model();
    auto& options = test::shape_of(package.config);
    GetParam().change(options);
    torch::manual_seed(7);
    model = families::make_model(options);
    model->eval();
    script = loaded(write_torchscript(model, package));
  }

  torch::NoGradGuard no_grad;
  families::EncoderDecoder model{nullptr};
  torch::jit::Module script;
};
INSTANTIATE_TEST_SUITE_P(Kinds, BeamMethod, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(BeamMethod, IsTheSearchOfThisProgram) {
  for (const int beam_size : {1, 3, 5}) {
    for (const double alpha : {0.0, 1.0}) expect_the_same_search(model, script, beam_size, alpha);
  }
}

TEST_P(BeamMethod, ABeamWiderThanTheVocabularyIsPossible) { expect_the_same_search(model, script, 30, 1.0); }

TEST_P(BeamMethod, StepsHaveTheLogProbabilitiesOfTheWholeTarget) {
  const torch::Tensor src = padded_sources(), src_mask = nn::padding_mask(src, 0);
  const torch::Tensor tgt = torch::tensor({{2, 10, 11, 5}, {2, 12, 6, 7}, {2, 5, 5, 8}, {2, 9, 13, 10}});
  const auto memory = script.get_method("encode")({src, src_mask});
  const auto hidden = script.get_method("decode")({memory, src_mask, tgt, nn::target_mask(tgt, 0)}).toTensor();
  const torch::Tensor expected = script.attr("generator").toModule().forward({hidden}).toTensor();
  c10::IValue state = script.get_method("start")({memory, src_mask});
  for (int64_t length = 1; length <= tgt.size(1); ++length) {
    const auto step = script.get_method("decode_step")({tgt.slice(1, 0, length), state}).toTuple();
    EXPECT_TRUE(torch::allclose(step->elements()[0].toTensor(), expected.select(1, length - 1), 1e-5, 1e-5)) << length;
    state = step->elements()[1];
  }
}

TEST_P(BeamMethod, InBf16TheScoresAreNear) {
  auto package = test::package_of_tiny_model();
  GetParam().change(test::shape_of(package.config));
  package.tensors.push_back({"encoder.norm.weight", "F32", {16}, ""});
  round_to_bf16(model.ptr(), package);
  EXPECT_EQ(package.tensors.front().dtype, "BF16");
  auto rounded = loaded(write_torchscript(model.ptr(), package));
  const std::vector<c10::IValue> inputs{padded_sources(), int64_t{3}, int64_t{9}, 1.0};
  const auto scores = [&](torch::jit::Module& module) {
    return module.get_method("beam")(inputs).toTuple()->elements()[2].toTensor();
  };
  EXPECT_TRUE(torch::allclose(scores(rounded), scores(script), 0.02, 0.05)) << scores(rounded) << scores(script);
  for (const torch::Tensor& parameter : rounded.parameters()) EXPECT_EQ(parameter.scalar_type(), torch::kBFloat16);
}

TEST(BeamMethodOfRnn, IsTheSearchOfThisProgram) {
  const torch::NoGradGuard no_grad;
  for (const architecture::RnnOptions& options : test::rnn_kinds()) {
    SCOPED_TRACE(test::name_of(options));
    torch::manual_seed(4);
    families::RnnEncoderDecoder model(options);
    model->initialise();
    model->eval();
    model::Package package;
    package.config.architecture = std::make_shared<architecture::RnnArchitecture>(options);
    package.source_spm = package.target_spm = test::written_model(19);
    torch::jit::Module script = loaded(write_torchscript(model.ptr(), package));
    expect_the_same_search(model.ptr(), script, 3, 1.0);
  }
}

}  // namespace
}  // namespace ventris::torchscript
