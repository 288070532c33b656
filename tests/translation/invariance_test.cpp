#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"
#include "engine/factory.h"
#include "engine/random_model.h"
#include "support/copy_model.h"
#include "translation/translator.h"

/// With the inference engine, no batch, number of workers, order or workspace changes anything of any line.
namespace ventris::translation {
namespace {

using engine::Precision;
using Lines = std::vector<std::string>;

std::string name_of(Precision precision) {
  if (precision == Precision::kF32) return "f32";
  return precision == Precision::kBf16 ? "bf16" : "int8";
}

/// A random model with the tokenizer of copying_package().
struct Model {
  explicit Model(Precision precision) {
    auto& shape = test::shape_of(package.config);
    shape.d_model = 24;
    shape.d_ff = 40;
    shape.encoder_layers = shape.decoder_layers = 2;
    shape.tying = architecture::Tying::kNone;
    const auto random = test::random_model(shape, 3);
    scorers = engine::make_factory(random.config, random.file(), {precision});
  }

  model::Package package = test::copying_package();
  std::shared_ptr<const decoding::ScorerFactory> scorers;
};

Lines many_lines() {
  Lines lines;
  for (const uint32_t i : core::shuffled_indices(96, 3, 0)) lines.push_back(test::tiny_text()[i]);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i % 17 == 3) lines[i] = "";
    for (size_t more = 0; more < i % 5; ++more) lines[i] += " " + lines[(7 * i + more) % lines.size()].substr(0, 30);
  }
  return lines;
}

/// Text and score of every candidate of each line.
std::vector<std::string> results_of(const Model& model, const TranslatorOptions& options, const Lines& lines) {
  std::vector<std::string> results;
  for (const Translation& translation : Translator(model.package, model.scorers, options).translate(lines)) {
    results.emplace_back();
    for (const Candidate& candidate : translation.candidates) {
      results.back() += candidate.text + "|" + std::to_string(candidate.score) + "|";
      const auto* bytes = reinterpret_cast<const char*>(candidate.token_log_probs.data());
      results.back().append(bytes, sizeof(float) * candidate.token_log_probs.size());  // to the last bit
    }
  }
  return results;
}

class Invariance : public testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, Invariance, testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8),
                         [](const auto& precision) { return name_of(precision.param); });

TEST_P(Invariance, BatchesWorkersAndWorkspaceChangeNoBitOfAnyLine) {
  const Model model(GetParam());
  const Lines lines = many_lines();
  for (const int32_t beam : {1, 4}) {
    TranslatorOptions options;
    options.search.beam_size = options.search.n_best = beam;
    options.search.max_length_factor = 1;
    options.batch.sentences = 1;
    const auto expected = results_of(model, options, lines);
    for (const int64_t sentences : {1, 7, 32, 64}) {
      for (const int workers : {1, 2}) {
        if (sentences == 1 && workers == 1) continue;  // as expected was made
        options.batch.sentences = sentences;
        options.workers = workers;
        options.workspace = sentences == 32 ? 28 : kWorkspace;  // of which the search gets a few
        EXPECT_EQ(results_of(model, options, lines), expected) << sentences << " sentences, " << workers << " workers";
      }
    }
  }
}

TEST_P(Invariance, TheOrderOfTheLinesChangesNoBitOfAnyLine) {
  const Model model(GetParam());
  const Lines lines = many_lines();
  TranslatorOptions options;
  options.search.beam_size = options.search.n_best = 3;
  options.search.max_length_factor = 1;
  const auto expected = results_of(model, options, lines);
  const auto order = core::shuffled_indices(static_cast<uint32_t>(lines.size()), 9, 0);
  Lines shuffled;
  for (const uint32_t i : order) shuffled.push_back(lines[i]);
  options.workers = 2;
  const auto found = results_of(model, options, shuffled);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]);
}

}  // namespace
}  // namespace ventris::translation
