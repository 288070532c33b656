#include "documents/new_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/upper_case_run.h"

namespace ventris::documents {
namespace {

using markup::kObject;
using testing::ElementsAre;
using testing::IsEmpty;

markup::MarkedText sentence_of(const std::string& text) {
  markup::MarkedText sentence;
  sentence.text = text;
  for (size_t at = text.find(kObject); at != std::string::npos; at = text.find(kObject, at + 1)) {
    sentence.objects.push_back({at, "{x}"});
  }
  return sentence;
}

std::string object() { return std::string(kObject); }

TEST(NewSpaces, AreBesideSignsThatTouchedAnObject) {
  const NewSpaces found = new_spaces_of(sentence_of("(" + object() + " tool) your " + object() + ", \u201C" + object() +
                                                    " a\u201D, b " + object() + "\u2026"),
                                        "( tool) your , \u201C a\u201D, b \u2026");
  EXPECT_THAT(found.opening, ElementsAre("(", "\u201C"));
  EXPECT_THAT(found.closing, ElementsAre(",", "\u2026"));
}

TEST(NewSpaces, AreNoneIfTheSentenceHasThemOrNoObject) {
  const NewSpaces found = new_spaces_of(sentence_of("a " + object() + "! - b !"), "a ! - b !");
  EXPECT_THAT(found.closing, IsEmpty());
  EXPECT_THAT(new_spaces_of(sentence_of("a"), "a .").closing, IsEmpty());
}

TEST(NewSpaces, AreRemovedFromATranslation) {
  const NewSpaces spaces{{"("}, {".", "\u2026"}};
  EXPECT_EQ(spaces.removed_from(" tool) of your . a \u2026", "("), "tool) of your. a\u2026");
  EXPECT_EQ(spaces.removed_from("( a ) b", ""), "(a ) b");
}

TEST(NewSpaces, AreNotWrittenBesideMarksAroundTheObject) {
  EXPECT_EQ(test::message_in_upper_case("See <b>your {x}</b>. \u201C<i>{x} dogs</i>\u201D, <b>a {x}</b>-suffix!"),
            "SEE <b>YOUR {x}</b>. \u201C<i>{x} DOGS</i>\u201D, <b>A {x}</b>-SUFFIX!");
}

}  // namespace
}  // namespace ventris::documents
