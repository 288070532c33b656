#include "documents/units.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

TEST(Units, AreSymbolsOrWordsButNotBoth) {
  for (const char* symbol : {"GB", "px", "min", "\u00B0C"}) {
    EXPECT_TRUE(is_unit_symbol(symbol)) << symbol;
    EXPECT_FALSE(is_unit_word(symbol)) << symbol;
  }
  for (const char* word : {"hours", "pixels"}) {
    EXPECT_TRUE(is_unit_word(word)) << word;
    EXPECT_FALSE(is_unit_symbol(word)) << word;
  }
  for (const char* other : {"", "a", "dogs", "gB"}) EXPECT_FALSE(is_unit_symbol(other) || is_unit_word(other)) << other;
}

}  // namespace
}  // namespace ventris::documents
