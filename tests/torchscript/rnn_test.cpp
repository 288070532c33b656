#include <gtest/gtest.h>
#include <torch/script.h>

#include <set>
#include <sstream>

#include "backend/module_scorer.h"
#include "decoding/search.h"
#include "families/rnn.h"
#include "nn/masks.h"
#include "scripting/script_model.h"
#include "support/model_writer.h"
#include "support/rnn_kinds.h"
#include "support/temp_folder.h"
#include "torchscript/torchscript.h"

namespace ventris::torchscript {
namespace {

/// The export of a recurrent model of every kind.
class RnnTorchScript : public testing::TestWithParam<architecture::RnnOptions> {
 protected:
  RnnTorchScript() {
    torch::manual_seed(4);
    model = families::RnnEncoderDecoder(GetParam());
    model->initialise();
    model->eval();
    model::Package package;
    package.config.architecture = std::make_shared<architecture::RnnArchitecture>(GetParam());
    package.source_spm = package.target_spm = test::written_model(19);
    bytes = write_torchscript(model, package);
  }
  torch::jit::Module loaded() const {
    std::istringstream stream(bytes);
    return torch::jit::load(stream);
  }

  families::RnnEncoderDecoder model{nullptr};
  std::string bytes;
};
INSTANTIATE_TEST_SUITE_P(Kinds, RnnTorchScript, testing::ValuesIn(test::rnn_kinds()),
                         [](const auto& kind) { return test::name_of(kind.param); });

TEST_P(RnnTorchScript, ComputesWhatTheModuleComputes) {
  auto script = loaded();
  const torch::NoGradGuard no_grad;
  const auto src = torch::tensor({{8, 9, 3, 0}, {5, 6, 7, 3}}), tgt = torch::tensor({{2, 10, 11}, {2, 12, 0}});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::target_mask(tgt, 0);
  const auto memory = script.get_method("encode")({src, src_mask}).toTensor();
  const auto states = model->encode(src, src_mask).states;
  EXPECT_TRUE(torch::allclose(memory.narrow(2, 0, states.size(2)), states, 1e-5, 1e-6));
  const auto hidden = model->forward(src, tgt, src_mask, tgt_mask);
  EXPECT_TRUE(torch::allclose(script.forward({src, tgt, src_mask, tgt_mask}).toTensor(), hidden, 1e-5, 1e-6));
  EXPECT_TRUE(
      torch::allclose(script.get_method("decode")({memory, src_mask, tgt, tgt_mask}).toTensor(), hidden, 1e-5, 1e-6));
}

TEST_P(RnnTorchScript, HasTheNamesOfTheModule) {
  const auto script = loaded();
  std::set<std::string> expected, found;
  for (const auto& item : model->named_parameters()) expected.insert(item.key());
  for (const auto& item : script.named_parameters()) found.insert(item.name);
  EXPECT_EQ(found, expected);
}

TEST_P(RnnTorchScript, TheScorerOverTheFileFindsTheSameTranslations) {
  const test::TempFolder folder;
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  const auto file = scripting::load_script_model(folder.file("model.pt", bytes), "tiny.pt", 23, torch::kCPU);
  const auto script = backend::make_module_scorer(file, options), module = backend::make_module_scorer(model, options);
  std::vector<decoding::Sentence> sentences;
  for (int32_t i = 0; i < 8; ++i) {
    std::vector<int32_t> source{4 + i, 11 - i, 5 + i, 3};
    source.resize(static_cast<size_t>(2 + i % 3));
    source.back() = 3;
    sentences.push_back({source, {}, static_cast<uint64_t>(i)});
  }
  decoding::SearchOptions search;
  search.beam_size = 4;
  search.max_length_factor = 1;
  const auto ours = decoding::search(*module, sentences, search), theirs = decoding::search(*script, sentences, search);
  for (size_t i = 0; i < sentences.size(); ++i) {
    EXPECT_EQ(ours[i][0].ids, theirs[i][0].ids);
    EXPECT_NEAR(ours[i][0].score, theirs[i][0].score, 1e-4);
  }
}

TEST_P(RnnTorchScript, GreedyIsTheGreedySearch) {
  auto script = loaded();
  const auto ids = script.get_method("greedy")({torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}}), 9}).toTensor();
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  options.max_length = 9;
  const auto results = decoding::search(*backend::make_module_scorer(model, options),
                                        std::vector<decoding::Sentence>{{{5, 6, 7, 3}, {}, 0}, {{8, 9, 3}, {}, 1}}, {});
  for (int64_t row = 0; row < 2; ++row) {
    const auto& expected = results[static_cast<size_t>(row)][0].ids;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ids[row][static_cast<int64_t>(i)].item<int64_t>(), expected[i]);
    }
  }
}

}  // namespace
}  // namespace ventris::torchscript
