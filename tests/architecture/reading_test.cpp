#include "architecture/reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

int64_t size_in(const json& settings, int64_t least = 1, int64_t most = kLargestSize) {
  core::JsonReader reader(settings, "model");
  int64_t value = 5;
  read_size(reader, "heads", value, least, most);
  return value;
}

double dropout_in(const json& settings) {
  core::JsonReader reader(settings, "model");
  double value = 0.25;
  read_dropout(reader, "dropout", value);
  return value;
}

TEST(ReadSize, TakesWhatIsThereOrKeepsTheDefault) {
  EXPECT_EQ(size_in({{"heads", 8}}), 8);
  EXPECT_EQ(size_in(json::object()), 5);
}

TEST(ReadSize, NamesTheSettingItsLimitsAndTheValue) {
  EXPECT_EQ(size_in({{"heads", 1}}), 1);
  EXPECT_EQ(size_in({{"heads", kLargestSize}}), kLargestSize);
  EXPECT_FAILS(size_in({{"heads", 0}}), ConfigError, "model.heads: must be from 1 to 16777216, got 0");
  EXPECT_FAILS(size_in({{"heads", kLargestSize + 1}}), ConfigError, "got 16777217");
  EXPECT_FAILS(size_in({{"heads", 3}}, 4, 6), ConfigError, "model.heads: must be from 4 to 6, got 3");
  EXPECT_FAILS(size_in(json::object(), 6, 9), ConfigError, "got 5");  // a default is checked, too
  EXPECT_FAILS(size_in({{"heads", "many"}}), ConfigError, "model.heads: expected a whole number");
}

TEST(ReadDropout, IsAtLeast0AndUnder1) {
  EXPECT_EQ(dropout_in({{"dropout", 0}}), 0);
  EXPECT_EQ(dropout_in({{"dropout", 0.999}}), 0.999);
  EXPECT_EQ(dropout_in(json::object()), 0.25);
  for (const double value : {1.0, -0.1, std::nan("")}) {
    EXPECT_FAILS(dropout_in({{"dropout", value}}), ConfigError, "model.dropout: ") << value;
  }
}

}  // namespace
}  // namespace ventris::architecture
