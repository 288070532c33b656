#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "pipeline/trained_model.h"

/// The promises of docs/design.md section 6 about the engine, for each kind of attention.
namespace ventris::test {
namespace {

const std::map<std::string, std::string> kModels{
    {"cosine_window", R"("attention_score": "cosine", "self_attention": "window", "window": 3, "global_positions": 2)"},
    {"bilinear", R"("attention_score": "bilinear", "cross_attention": "layerwise")"},
    {"additive", R"("attention_score": "additive", "d_k": 5, "d_v": 9)"},
    {"gaussian_low_rank", R"("attention_score": "gaussian", "self_attention": "low_rank", "low_rank_size": 4)"},
    {"linear", R"("self_attention": "linear", "attention_bias": false)"},
    {"segment", R"("self_attention": "segment", "positions": "relative", "segment": 4, "segment_memory": 5)"}};

/// A model that was trained for some updates.
class Model {
 public:
  explicit Model(const std::string& attention) {
    const std::string settings = folder_.file("settings.json", kToySettings),
                      kind = folder_.file("kind.json", R"({"model": {"encoder_layers": 2, )" + attention + "}}");
    const ToyCorpus train = write_toy_corpus(folder_, "train", 300, 1);
    const Outcome outcome = run_program("ventris-train", {"-c", settings, "-c", kind, "--train", train.source,
                                                          train.target, "-m", folder_.path("run"), "--after", "60u"});
    if (outcome.code != 0) ADD_FAILURE() << outcome.err;
  }

  std::string output(const std::string& program, const std::vector<std::string>& flags) const {
    std::vector<std::string> all{"-m", folder_.path("run/final")};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome outcome = run_program(program, all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  std::string translate(std::vector<std::string> flags) const {
    flags.insert(flags.end(), {"-i", valid.source});
    return output("ventris-translate", flags);
  }

 private:
  TempFolder folder_;

 public:
  const ToyCorpus valid = write_toy_corpus(folder_, "valid", 60, 2);
};

/// Made once for each kind.
const Model& model_of(const std::string& kind) {
  static std::map<std::string, std::unique_ptr<Model>> made;
  auto& model = made[kind];
  if (!model) model = std::make_unique<Model>(kModels.at(kind));
  return *model;
}

class AttentionKinds : public testing::TestWithParam<std::string> {
 protected:
  const Model& model = model_of(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Kinds, AttentionKinds,
                         testing::Values("cosine_window", "bilinear", "additive", "gaussian_low_rank", "linear",
                                         "segment"),
                         [](const auto& kind) { return kind.param; });

TEST_P(AttentionKinds, NotEvenAScoreDependsOnBatchesOrThreads) {
  const std::vector<std::vector<std::string>> ways{
      {"--mini-batch", "1"}, {"--mini-batch", "64", "--threads", "2"}, {"--mini-batch-words", "40"}};
  for (const std::string precision : {"f32", "int8"}) {
    const std::vector<std::string> flags{"--precision", precision, "--n-best", "2", "--word-scores", "-b", "3"};
    const std::string expected = model.translate(flags);
    EXPECT_EQ(lines_of(expected).size(), 120U);
    for (auto way : ways) {
      way.insert(way.end(), flags.begin(), flags.end());
      EXPECT_EQ(model.translate(way), expected) << precision << " " << way[0] << " " << way[1];
    }
  }
}

TEST_P(AttentionKinds, TranslationsAreThoseOfLibTorch) {
  for (const std::string beam : {"1", "4"}) {
    const std::vector<std::string> flags{"-b", beam, "--format", "jsonl", "--alignment", "--backend"};
    const auto with = [&](const std::string& backend) {
      auto all = flags;
      all.push_back(backend);
      return lines_of(model.translate(all));
    };
    const auto engine = with("engine"), torch = with("torch");
    ASSERT_EQ(engine.size(), torch.size());
    for (size_t i = 0; i < engine.size(); ++i) {
      const auto found = nlohmann::json::parse(engine[i]), expected = nlohmann::json::parse(torch[i]);
      EXPECT_NEAR(found["score"].get<double>(), expected["score"].get<double>(), 1e-4) << "line " << i;
    }
  }
}

TEST_P(AttentionKinds, GivenTranslationsHaveTheScoresOfLibTorch) {
  const auto with = [&](const std::string& backend) {
    return lines_of(model.output("ventris-score", {model.valid.source, model.valid.target, "--backend", backend}));
  };
  const auto engine = with("engine"), torch = with("torch");
  ASSERT_EQ(engine.size(), 60U);
  ASSERT_EQ(torch.size(), 60U);
  for (size_t i = 0; i < engine.size(); ++i) EXPECT_NEAR(std::stod(engine[i]), std::stod(torch[i]), 1e-3);
}

}  // namespace
}  // namespace ventris::test
