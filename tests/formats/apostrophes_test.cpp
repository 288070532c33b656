#include "formats/apostrophes.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

TEST(Apostrophes, AreDoubledIfAllAreAndOneIsBetweenLetters) {
  for (const char* doubled : {"can''t", "it''s the dogs''", "l''{0} d''or", "can''t find ''{0}''"})
    EXPECT_TRUE(has_doubled_apostrophes(doubled, false)) << doubled;
  for (const char* other : {"", "can't", "can''t, won't", "''a''", "'''a'''b", "a'''b", "{0} dogs", "= ''"})
    EXPECT_FALSE(has_doubled_apostrophes(other, false)) << other;
}

TEST(Apostrophes, OfJavasPatternsWithNumbersAreDoubledUnlessOneIsNot) {
  for (const char* pattern : {"{0} dogs", "''{0}''", "{a} ''{12}'' dogs"})
    EXPECT_TRUE(has_doubled_apostrophes(pattern, true)) << pattern;
  for (const char* other : {"the dogs", "{a} dogs", "'{0}'", "{0} ''a'' b'", "{"})
    EXPECT_FALSE(has_doubled_apostrophes(other, true)) << other;
}

TEST(Apostrophes, PlacesMoveWithSingleOnes) {
  std::vector<ByteRange> places{{0, 2}, {3, 7}, {7, 8}, {10, 10}};
  EXPECT_EQ(with_single_apostrophes("''a''{0}b''", places), "'a'{0}b'");
  const std::vector<ByteRange> expected{{0, 1}, {2, 5}, {5, 6}, {8, 8}};
  ASSERT_EQ(places.size(), expected.size());
  for (size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(places[i].begin, expected[i].begin) << i;
    EXPECT_EQ(places[i].end, expected[i].end) << i;
  }
  EXPECT_EQ(with_doubled_apostrophes("'a'{0}b'"), "''a''{0}b''");
}

TEST(Apostrophes, OfATranslationThatWouldQuoteBracesAreDoubled) {
  const auto safe = [](const std::string& translation, const std::string& source, const std::string& behind = "") {
    return without_quoting_apostrophes(translation, "{" + source + behind, {1, 1 + source.size()});
  };
  EXPECT_EQ(safe("l'{x} d'or #'", "the {x}", "}"), "l''{x} d'or #''");
  EXPECT_EQ(safe("l'{x} d'or #'", "the {x}"), "l''{x} d'or #'") << "nothing follows";
  EXPECT_EQ(safe("d'or'", "gold", "|"), "d'or''");
  EXPECT_EQ(safe("l'# d'or", "it's #"), "l''# d'or");
  EXPECT_EQ(safe("l'{x} '{' a", "the {x} '{'"), "l'{x} '{' a") << "the source has quoted parts";
  EXPECT_EQ(safe("l'{x}", "the ''{x}''"), "l'{x}");
}

}  // namespace
}  // namespace ventris::formats
