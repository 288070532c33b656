#include "formats/letter_entities.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

std::string letters(const std::string& text) {
  std::vector<ByteRange> none;
  return with_letters(text, none);
}

TEST(LetterEntities, PartsOfWordsAreCharacters) {
  EXPECT_EQ(letters("It&rsquo;s caf&eacute;, don&#39;t; &Uuml;ber"), "It\u2019s caf\u00E9, don't; \u00DCber");
  EXPECT_EQ(letters("l&#39;&eacute;t&eacute; d&apos;&ecirc;tre"), "l'\u00E9t\u00E9 d'\u00EAtre");
  EXPECT_EQ(letters("Donau&shy;dampf the dogs&apos; x"), "Donau\u00ADdampf the dogs' x");
}

TEST(LetterEntities, OthersStay) {
  for (const std::string text : {"a &amp; b", "R&amp;D", "&ldquo;a&rdquo;", "use &eacute; for it", "a&nbsp;b", "AT&T;",
                                 "a &unknown; b", "l&apos;{x}", "5 &#215; 4", "a&", "&;", "<a title='don&#39;t'>",
                                 "</a&eth;b>", "https://a.org/?a=b&eth;c", "`caf&eacute;`"}) {
    EXPECT_EQ(letters(text), text);
  }
}

TEST(LetterEntities, PlacesMoveAndKeepTheirBytes) {
  const std::string text = "caf&eacute; {a} it&rsquo;s {b&eacute;b} c";
  const size_t first = text.find("{a}"), second = text.find("{b");
  std::vector<ByteRange> places{{first, first + 3}, {second, second + 11}};
  const std::string changed = with_letters(text, places);
  EXPECT_EQ(changed, "caf\u00E9 {a} it\u2019s {b&eacute;b} c");
  EXPECT_EQ(changed.substr(places[0].begin, places[0].end - places[0].begin), "{a}");
  EXPECT_EQ(changed.substr(places[1].begin, places[1].end - places[1].begin), "{b&eacute;b");
}

}  // namespace
}  // namespace ventris::formats
