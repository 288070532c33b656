#include "training/initial_weights.h"

#include <gtest/gtest.h>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "support/tiny_bundle.h"

namespace ventris::training {
namespace {

using torch::Tensor;

constexpr int64_t kPieces = 20;
constexpr const char* kEmbedding = "src_embed.0.lut.weight";

nn::Model made_with(const InitialWeights& initial) {
  torch::manual_seed(1);
  nn::Model model = backend::make_module(*test::tiny_config(kPieces).architecture);
  set_initial_weights(*model, initial);
  return model;
}

/// The same direction of every row.
void expect_same_directions(const Tensor& one, const Tensor& other) {
  const Tensor cosines = at::cosine_similarity(one, other, 1);
  EXPECT_LT((cosines - 1).abs().max().item<float>(), 1e-6);
}

TEST(InitialWeights, VectorsTakeThePlaceOfRandomOnesWithTheirSize) {
  preparation::PieceVectors vectors;
  vectors.ids = {5, 9};
  vectors.values = {1, 2, 3, 4, -8, 6, 7, 5};
  vectors.width = 4;
  const Tensor random = made_with({})->named_parameters()[kEmbedding];
  const Tensor found = made_with({.vectors = {{kEmbedding, vectors}}})->named_parameters()[kEmbedding];
  const Tensor ids = torch::tensor({5, 9});
  const Tensor given = torch::tensor(vectors.values).view({2, 4}), taken = found.index_select(0, ids);
  expect_same_directions(taken, given);
  EXPECT_NEAR(taken.square().mean().item<float>(), random.index_select(0, ids).square().mean().item<float>(), 1e-6);
  EXPECT_NEAR((taken[0].norm() / taken[1].norm()).item<float>(), (given[0].norm() / given[1].norm()).item<float>(),
              1e-5);
  EXPECT_TRUE(torch::equal(found[6], random[6]));
}

TEST(InitialWeights, VectorsThatAreAllZeroOrMissingChangeNothing) {
  const std::string random = backend::save_weights(*made_with({}));
  preparation::PieceVectors zeros;
  zeros.ids = {5};
  zeros.values = {0, 0, 0, 0};
  zeros.width = 4;
  EXPECT_EQ(backend::save_weights(*made_with({.vectors = {{kEmbedding, zeros}}})), random);
  EXPECT_EQ(backend::save_weights(*made_with({.vectors = {{kEmbedding, {}}}})), random);
}

TEST(InitialWeights, ARunThatIsResumedHasNone) {
  const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  const preparation::Tokenizers tokenizers{tokenizer, tokenizer};
  const settings::RunConfig config;
  preparation::OpenedRun run;
  EXPECT_TRUE(initial_weights_of(config, run, tokenizers).has_value());
  run.checkpoint.emplace();
  EXPECT_FALSE(initial_weights_of(config, run, tokenizers).has_value());
}

TEST(InitialWeights, AllOfABundleAreTakenAsTheyAre) {
  const auto base = model::Safetensors::parse(test::tiny_weights(kPieces), "base");
  const nn::Model model = made_with({.all = &base});
  const auto saved = model::Safetensors::parse(backend::save_weights(*model), "saved");
  for (const auto& tensor : base.tensors()) EXPECT_EQ(saved.at(tensor.name).bytes, tensor.bytes) << tensor.name;
}

}  // namespace
}  // namespace ventris::training
