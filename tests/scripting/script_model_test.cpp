#include "scripting/script_model.h"

#include <gtest/gtest.h>

#include "backend/module_scorer.h"
#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_script.h"

namespace ventris::scripting {
namespace {

using backend::ScorerOptions;
using Ids = std::vector<int32_t>;
using Sources = std::vector<std::span<const int32_t>>;

/// A scorer over the tiny script, and what its rows ought to be.
class ScriptModelTest : public testing::Test {
 protected:
  void admit(const std::vector<Ids>& sources) {
    scorer->admit(Sources(sources.begin(), sources.end()));
    for (const Ids& source : sources) rows.push_back({source, {}});
  }

  /// One step; all continuations of every row are checked.
  void advance(const Ids& parents, const Ids& last_ids) {
    std::vector<Row> next;
    for (size_t i = 0; i < parents.size(); ++i) {
      next.push_back(rows.at(static_cast<size_t>(parents[i])));
      next.back().target.push_back(last_ids[i]);
    }
    rows = next;
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = last_ids;
    request.continuations = kWidth;
    const auto found = scorer->advance(request);
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t at = i * kWidth; at < (i + 1) * kWidth; ++at) {
        ASSERT_GE(found.ids[at], 3);  // 0 to 2 are never generated
        EXPECT_NEAR(found.log_probs[at], test::tiny_script_log_prob(rows[i].source, rows[i].target, found.ids[at]),
                    1e-5)
            << "row " << i << ", id " << found.ids[at];
      }
    }
  }

  static ScorerOptions options() {
    ScorerOptions options;
    options.never = {0, 1, 2};
    options.max_length = 50;
    return options;
  }

  struct Row {
    Ids source, target;
  };
  static constexpr int32_t kWidth = test::kTinyScriptVocab - 3;
  test::TempFolder folder;
  std::unique_ptr<decoding::ScorerFactory> factory =
      backend::make_module_factory(load_script_model(test::write_tiny_script(folder.path("tiny.pt")), "tiny.pt",
                                                     test::kTinyScriptVocab, torch::kCPU),
                                   options());
  std::unique_ptr<decoding::StepScorer> scorer = factory->make();
  std::vector<Row> rows;
};

TEST_F(ScriptModelTest, SaysWhatASearchMustKnow) {
  const auto info = scorer->info();
  EXPECT_EQ(info.bos, 2);
  EXPECT_EQ(info.eos, 3);
  EXPECT_EQ(info.vocab, test::kTinyScriptVocab);
  EXPECT_EQ(info.max_length, 50);
}

TEST_F(ScriptModelTest, ScoresByTheWholeTargetAndTheSourceWithoutItsPadding) {
  admit({{5, 5, 6, 3}, {7, 3}, {4, 4, 3}});
  advance({0, 1, 2}, {2, 2, 2});
  advance({0, 1, 2}, {6, 4, 7});
  advance({0, 1, 2}, {6, 5, 3});
}

TEST_F(ScriptModelTest, RowsMayRepeatVanishAndChangeOrder) {
  admit({{5, 5, 6, 3}, {7, 3}, {4, 4, 3}});
  advance({0, 1, 2}, {2, 2, 2});
  advance({2, 0, 0, 2}, {4, 5, 6, 7});
  advance({3, 1}, {5, 5});
  advance({1, 1, 0}, {6, 7, 4});
}

TEST_F(ScriptModelTest, SentencesMayBeAdmittedWhileOthersAreUnderWay) {
  admit({{5, 6, 3}, {7, 3}});
  advance({0, 1}, {2, 2});
  advance({1, 0}, {4, 5});
  admit({{6, 6, 6, 6, 3}});
  advance({0, 2, 1}, {4, 2, 6});  // the new one's target is shorter than the others'
  advance({2, 1, 0}, {7, 6, 5});
}

TEST_F(ScriptModelTest, ResetForgetsAllRows) {
  admit({{5, 6, 3}, {7, 3}});
  advance({0, 1}, {2, 2});
  scorer->reset();
  rows.clear();
  admit({{4, 3}});
  advance({0}, {2});
}

TEST_F(ScriptModelTest, ScorersOfOneFactoryKnowNothingOfEachOther) {
  const auto other = factory->make();
  admit({{5, 6, 3}});
  const Ids source{7, 7, 7, 3};
  other->admit(Sources{source, source});
  advance({0}, {2});
  advance({0}, {5});
}

}  // namespace
}  // namespace ventris::scripting
