#include "documents/word_places.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::documents {
namespace {

/// The target with "|" in the place that corresponds to that in the source; the target alone if there is none.
std::string placed(std::string source, std::string target) {
  const size_t at = source.find('|');
  source.erase(at, 1);
  const std::optional<size_t> place = place_in_word(source, at, target);
  return place ? target.insert(*place, "|") : target;
}

TEST(WordPlaces, AreBetweenTheSamePartsIfAllSignsAreTheSame) {
  EXPECT_EQ(placed("owner:|group", "besitzer:gruppe"), "besitzer:|gruppe");
  EXPECT_EQ(placed("open(|file,", "öffne(datei,"), "öffne(|datei,");
  EXPECT_EQ(placed("open(file|,", "öffne(datei,"), "öffne(datei|,");
  EXPECT_EQ(placed("(|)", "()"), "(|)");
}

TEST(WordPlaces, AreBehindTheSameSignsAtTheBeginningOrInFrontOfThoseAtTheEnd) {
  EXPECT_EQ(placed("(|now", "(jetzt)"), "(|jetzt)");
  EXPECT_EQ(placed("now|!)", "gleich-jetzt!)"), "gleich-jetzt|!)");
  EXPECT_EQ(placed("now|.", "jetzt,"), "jetzt,");
  EXPECT_EQ(placed("a-b|-c", "d-e"), "d-e");
}

TEST(WordPlaces, TakeAllQuotationMarksForTheSame) {
  EXPECT_EQ(placed("\"|now\"", "„jetzt“"), "„|jetzt“");
  EXPECT_EQ(placed("\"now|\"", "„jetzt“"), "„jetzt|“");
}

TEST(WordPlaces, AreNotInsideLettersNorInLongWords) {
  EXPECT_EQ(placed("no|w", "jetzt"), "jetzt");
  const std::string many(300, '-');
  EXPECT_EQ(placed("a|" + many, "b" + many), "b" + many);
}

}  // namespace
}  // namespace ventris::documents
