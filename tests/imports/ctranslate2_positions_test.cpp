#include "imports/ctranslate2_positions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "architecture/sinusoids.h"
#include "core/error.h"
#include "imports/ctranslate2_writer.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

TEST(ComputedPositions, AreThoseOfCTranslate2) {
  const std::vector<float> table = computed_positions(3, 4);
  ASSERT_EQ(table.size(), 12U);
  EXPECT_NEAR(table[0], std::sin(1.0), 1e-6);
  EXPECT_NEAR(table[1], std::sin(1e-4), 1e-6);
  EXPECT_NEAR(table[2], std::cos(1.0), 1e-6);
  EXPECT_NEAR(table[3], std::cos(1e-4), 1e-6);
  EXPECT_NEAR(table[8], std::sin(3.0), 1e-6);
}

TEST(CTranslate2Positions, ThoseOfAnOddWidthCannotBeComputed) {
  architecture::TransformerOptions options;
  options.d_model = 3;
  const CTranslate2Variables found{core::SharedBytes(CTranslate2Writer().finish()), "model.bin"};
  const Order features = unchanged(3);
  BundleWeights weights(found, options, features);
  std::vector<std::string> notes;
  EXPECT_FAILS(take_positions(found, options, weights, notes), ModelError,
               "has no stored positions, and a width of 3; expected an even width from 4");
}

TEST(ComputedPositions, WavelengthsGrowEvenlyUpTo10000Times) {
  const std::vector<float> table = computed_positions(1, 6);
  ASSERT_EQ(table.size(), 6U);
  const double wavelengths[] = {1, 100, 10000};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(table[i], std::sin(1 / wavelengths[i]), 1e-6);
    EXPECT_NEAR(table[3 + i], std::cos(1 / wavelengths[i]), 1e-6);
  }
}

/// What take_positions() makes of stored tables of 4 features; a table without positions is not stored.
struct TakenPositions {
  TakenPositions(const std::vector<float>& source, const std::vector<float>& target)
      : variables(stored(source, target)) {
    options.d_model = 4;
    take_positions(variables, options, weights, notes);
  }
  static CTranslate2Variables stored(const std::vector<float>& source, const std::vector<float>& target) {
    CTranslate2Writer writer;
    for (const auto& [side, table] : {std::pair("encoder", source), std::pair("decoder", target)}) {
      const auto count = static_cast<uint32_t>(table.size() / 4);
      if (count > 0) writer.floats(std::string(side) + "/position_encodings/encodings", {count, 4}, table);
    }
    return {core::SharedBytes(writer.finish()), "model.bin"};
  }

  CTranslate2Variables variables;
  architecture::TransformerOptions options;
  const Order features = unchanged(4);
  BundleWeights weights{variables, options, features};
  std::vector<std::string> notes;
};

TEST(CTranslate2Positions, OurSinusoidsAreNotStoredOtherTablesAre) {
  std::vector<float> table = architecture::sinusoid_table(9, 4);
  const TakenPositions same(table, table);
  EXPECT_EQ(same.options.positions, architecture::Positions::kSinusoidal);
  EXPECT_EQ(same.options.max_positions, 9);
  EXPECT_TRUE(same.notes.empty());
  std::vector<float> rounded = table;
  rounded.back() += 9e-4F;
  EXPECT_EQ(TakenPositions(table, rounded).options.positions, architecture::Positions::kSinusoidal);
  rounded.back() += 3e-4F;
  const TakenPositions other(table, rounded);
  EXPECT_EQ(other.options.positions, architecture::Positions::kLearned);
  EXPECT_EQ(other.weights.values("src_embed.1.pe"), table);
  EXPECT_EQ(other.weights.values("tgt_embed.1.pe"), rounded);
  EXPECT_THAT(other.notes,
              testing::ElementsAre("the positions are stored as a table; the longest sentence has 9 tokens"));
}

TEST(CTranslate2Positions, TheShorterTableSaysHowLongASentenceCanBe) {
  const std::vector<float> longer(11 * size_t{4}, 1), shorter(8 * size_t{4}, 2);
  for (const bool swapped : {false, true}) {
    const TakenPositions taken(swapped ? shorter : longer, swapped ? longer : shorter);
    EXPECT_EQ(taken.options.max_positions, 8);
    EXPECT_EQ(taken.weights.values("src_embed.1.pe").size(), 32U);
    EXPECT_EQ(taken.weights.values("tgt_embed.1.pe").size(), 32U);
  }
}

TEST(CTranslate2Positions, ASideWithoutATableHasAsManyOfTheFormula) {
  const TakenPositions none({}, {});
  EXPECT_EQ(none.options.max_positions, 1024);
  EXPECT_EQ(none.options.positions, architecture::Positions::kLearned);
  EXPECT_EQ(none.weights.values("src_embed.1.pe"), computed_positions(1024, 4));
  const TakenPositions one({}, std::vector<float>(8 * size_t{4}, 2));
  EXPECT_EQ(one.options.max_positions, 8);
  EXPECT_EQ(one.weights.values("src_embed.1.pe"), computed_positions(8, 4));
}

}  // namespace
}  // namespace ventris::imports
