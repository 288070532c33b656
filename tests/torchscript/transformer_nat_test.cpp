#include <gtest/gtest.h>
#include <torch/script.h>

#include <set>
#include <sstream>

#include "backend/families.h"
#include "backend/module_nat_scorer.h"
#include "decoding/decoder.h"
#include "nn/masks.h"
#include "scripting/nat_script_model.h"
#include "support/model_writer.h"
#include "support/nat_kinds.h"
#include "support/temp_folder.h"
#include "torchscript/torchscript.h"

namespace ventris::torchscript {
namespace {

/// The export of a non-autoregressive model of every kind.
class NatTorchScript : public testing::TestWithParam<std::pair<std::string, architecture::NatOptions>> {
 protected:
  NatTorchScript() {
    model::Package package;
    package.config.architecture = std::make_shared<architecture::NatArchitecture>(settings);
    package.source_spm = package.target_spm = test::written_model(19);
    bytes = write_torchscript(model.ptr(), package);
  }
  torch::jit::Module loaded() const {
    std::istringstream stream(bytes);
    return torch::jit::load(stream);
  }

  const architecture::NatOptions settings = GetParam().second;
  families::NonAutoregressive model = test::random_nat(settings, 4);
  std::string bytes;
};
INSTANTIATE_TEST_SUITE_P(Kinds, NatTorchScript, testing::ValuesIn(test::nat_kinds()),
                         [](const auto& kind) { return kind.param.first; });

TEST_P(NatTorchScript, ComputesWhatTheModuleComputes) {
  auto script = loaded();
  const torch::NoGradGuard no_grad;
  const auto src = torch::tensor({{8, 9, 3, 0}, {5, 6, 7, 3}}), lengths = torch::tensor({4, 6});
  const auto src_mask = nn::padding_mask(src, 0), tgt_mask = nn::length_mask(lengths, 6);
  const nn::Memory memory = model->encode(src, src_mask);
  const auto states = script.get_method("encode")({src, src_mask}).toTensor();
  EXPECT_TRUE(torch::allclose(states, memory.states, 1e-5, 1e-6));
  const auto hidden = model->decode(memory, model->first_input(src, src_mask, lengths), tgt_mask);
  EXPECT_TRUE(torch::allclose(script.forward({src, src_mask, lengths, tgt_mask}).toTensor(), hidden, 1e-5, 1e-6));
  if (!settings.predicts_length()) return;
  EXPECT_TRUE(torch::allclose(script.get_method("length_log_probs")({states, src_mask}).toTensor(),
                              model->length_log_probs(memory), 1e-5, 1e-6));
}

TEST_P(NatTorchScript, HasTheNamesOfTheModule) {
  const auto script = loaded();
  std::set<std::string> expected, found;
  for (const auto& item : model->named_parameters()) expected.insert(item.key());
  for (const auto& item : script.named_parameters()) found.insert(item.name);
  EXPECT_EQ(found, expected);
}

std::vector<decoding::Sentence> sentences() {
  std::vector<decoding::Sentence> all;
  for (int32_t i = 0; i < 8; ++i) {
    std::vector<int32_t> source{4 + i, 11 - i, 5 + i, 3};
    source.resize(static_cast<size_t>(2 + i % 3));
    source.back() = 3;
    all.push_back({source, {}, static_cast<uint64_t>(i)});
  }
  return all;
}

TEST_P(NatTorchScript, TheDecoderOverTheFileFindsTheSameTranslations) {
  const test::TempFolder folder;
  backend::ScorerOptions options;
  const architecture::NatArchitecture architecture(settings);
  const auto file = backend::family("transformer-nat")
                        .load_script(folder.file("model.pt", bytes), "tiny.pt", architecture, torch::kCPU);
  const auto script = backend::make_factory(file, architecture, options, "test")->make_decoder();
  const auto module = backend::make_nat_factory(model.ptr(), settings, options)->make_decoder();
  decoding::SearchOptions search;
  search.iterations = settings.objective == architecture::NatLoss::kMaskPredict ? 3 : 1;
  search.length_candidates = settings.predicts_length() ? 3 : 1;
  search.beam_size = settings.ctc() ? 4 : 1;
  const auto ours = module->decode(sentences(), search), theirs = script->decode(sentences(), search);
  for (size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i][0].ids, theirs[i][0].ids);
    EXPECT_NEAR(ours[i][0].score, theirs[i][0].score, 1e-4);
  }
}

TEST_P(NatTorchScript, GreedyIsOnePassWithTheBestLength) {
  auto script = loaded();
  const auto ids = script.get_method("greedy")({torch::tensor({{5, 6, 7, 3}, {8, 9, 3, 0}}), 60}).toTensor();
  const std::vector<decoding::Sentence> two{{{5, 6, 7, 3}, {}, 0}, {{8, 9, 3}, {}, 1}};
  decoding::SearchOptions search;
  search.max_length_factor = 9;
  backend::ScorerOptions options;
  options.never = {0, 1, 2};
  const auto results = backend::make_nat_factory(model.ptr(), settings, options)->make_decoder()->decode(two, search);
  for (int64_t row = 0; row < 2; ++row) {
    const auto& expected = results[static_cast<size_t>(row)][0].ids;
    for (int64_t i = 0; i < ids.size(1); ++i) {
      const bool inside = i < static_cast<int64_t>(expected.size());
      EXPECT_EQ(ids[row][i].item<int64_t>(), inside ? expected[static_cast<size_t>(i)] : 0);
    }
  }
}

}  // namespace
}  // namespace ventris::torchscript
