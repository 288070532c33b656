#include "formats/subtitle_chains.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

/// Whether a sentence may go on from one subtitle to the next, `pause` seconds later.
bool goes_on(const std::string& text, const std::string& next, double pause = 0.5) {
  CueLine first, second;
  first.text.text = text;
  second.text.text = next;
  second.cue = 1;
  return may_go_on(first, second, {{0, 2}, {2 + pause, 4}});
}

TEST(SubtitleChains, ASentenceGoesOnUntilItEnds) {
  EXPECT_TRUE(goes_on("I would like you to meet", "John Smith."));
  EXPECT_TRUE(goes_on("This is Mr.", "Smith.")) << "a short word may be an abbreviation";
  EXPECT_TRUE(goes_on("I was going to\u2026", "\u2026the store."));
  EXPECT_TRUE(goes_on("\"Why?\"", "he asked."));
  EXPECT_FALSE(goes_on("He went outside.", "Then he slept."));
  EXPECT_FALSE(goes_on("\"He is here!\"", "Tom said nothing."));
  EXPECT_FALSE(goes_on("\u4F60\u597D\u3002", "\u518D\u89C1"));
}

TEST(SubtitleChains, ItDoesNotGoOnWithSomebodyElse) {
  EXPECT_FALSE(goes_on("I think", "TOM: You think"));
  EXPECT_FALSE(goes_on("I think", "[door opens]"));
  EXPECT_FALSE(goes_on("(sighs)", "I think"));
  EXPECT_FALSE(goes_on("I think", "[door opens] (sighs)"));
  EXPECT_FALSE(goes_on("He went outside.", "(sighs) yes")) << "the small letter does not go on";
  EXPECT_TRUE(goes_on("I think [door opens", "you know"));
  EXPECT_FALSE(goes_on("They sleep. [laughs]", "Anna is here."));
  EXPECT_FALSE(goes_on("They sleep! (sighs)", "Anna is here."));
  EXPECT_TRUE(goes_on("They sleep (and", "snore) now"));
  EXPECT_TRUE(goes_on("They sleep (a lot)", "Anna is here."));
  EXPECT_FALSE(goes_on("BERLIN, 1945", "They were tired"));
  EXPECT_FALSE(goes_on("They saw", "EMERGENCY EXIT"));
  EXPECT_TRUE(goes_on("They saw the USA", "and other lands"));
  CueLine first, second;
  second.begins = true;
  EXPECT_FALSE(may_go_on(first, second, {{0, 1}}));
  second = {};
  second.voice = "<v Bob>";
  EXPECT_FALSE(may_go_on(first, second, {{0, 1}}));
}

TEST(SubtitleChains, ItDoesNotGoOnAfterANote) {
  CueLine first, second;
  first.ends = true;
  EXPECT_FALSE(may_go_on(first, second, {{0, 1}}));
}

TEST(SubtitleChains, ItDoesNotGoOnAfterALongPause) {
  EXPECT_TRUE(goes_on("He went", "home", 3));
  EXPECT_FALSE(goes_on("He went", "home", 3.1));
  CueLine first, second;
  second.cue = 2;
  EXPECT_FALSE(may_go_on(first, second, {{0, 1}, {1, 2}, {2, 3}})) << "a subtitle without text is between them";
}

TEST(SubtitleChains, AnAddressIsNoPartOfASentence) {
  EXPECT_FALSE(goes_on("www.opensubtitles.org", "I think"));
  EXPECT_FALSE(goes_on("I think", "https://a.org - me@a.org"));
  EXPECT_TRUE(goes_on("I went to www.a.org", "and read"));
}

}  // namespace
}  // namespace ventris::formats
