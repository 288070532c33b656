#include "formats/messages.h"

#include <gtest/gtest.h>

#include "formats/code_in_messages.h"

namespace ventris::formats {
namespace {

std::vector<std::string> parts(std::string_view message) {
  std::vector<std::string> all;
  for (const ByteRange& range : paragraphs_of(message)) all.emplace_back(part_of(message, range));
  return all;
}
using Texts = std::vector<std::string>;

TEST(Messages, BarsOfNamesAndOfOptionsDivideNothing) {
  for (const std::string text :
       {"The |project|'s name", "a |big-project|-based one", "git commit [-a | --patch] [-m | -F]"}) {
    EXPECT_EQ(parts(text), Texts{text});
  }
  EXPECT_EQ(parts("one |name| | several |name|"), (Texts{"one |name|", "several |name|"}));
}

TEST(Messages, EachLineIsATextWithoutTheSpaceAroundIt) {
  EXPECT_EQ(parts("  One.\n\n\tTwo.  \r\n...\nThree"), (Texts{"One.", "Two.", "Three"}));
  EXPECT_EQ(parts("%d\n"), Texts{"%d"}) << "the placeholders are found later";
  EXPECT_TRUE(parts("").empty());
  EXPECT_TRUE(parts(" \n--\n").empty());
}

TEST(Messages, TheSignOfAListItemIsNoPartOfItsText) {
  EXPECT_EQ(parts("Files:\n  * one\n  - two\n\u2022three\n\u2013 four"),
            (Texts{"Files:", "one", "two", "three", "four"}));
  EXPECT_EQ(parts("-one\n*two*\n--three"), (Texts{"-one", "*two*", "--three"})) << "no sign without a space";
  EXPECT_TRUE(parts("- \n* ").empty());
  EXPECT_EQ(parts("1. one\n 22) two\n3.5 three"), (Texts{"one", "two", "3.5 three"}));
  EXPECT_EQ(parts("3. Oktober\n"), Texts{"3. Oktober"});
  EXPECT_EQ(parts("- This is a long item of a message\nthat goes on here."),
            Texts{"This is a long item of a message\nthat goes on here."});
}

TEST(Messages, ALongLineGoesOnInSmallLetters) {
  EXPECT_EQ(parts("This is a long line of a message\nthat goes on here.\nNew"),
            (Texts{"This is a long line of a message\nthat goes on here.", "New"}));
  EXPECT_EQ(parts("This is a long line of a message.\nthat"), (Texts{"This is a long line of a message.", "that"}));
  EXPECT_EQ(parts("This is a long line of a message\n  that"), (Texts{"This is a long line of a message", "that"}));
  EXPECT_EQ(parts("short\nline"), (Texts{"short", "line"}));
}

TEST(Messages, FormsForSeveralNumbersAreTextsOfTheirOwn) {
  EXPECT_EQ(parts("one book | several books"), (Texts{"one book", "several books"}));
  EXPECT_EQ(parts("{0} none|{1} one| [2,*] several {n}|more"), (Texts{"none", "one", "several {n}", "more"}));
  EXPECT_EQ(parts("[1,19] some | [20,*] many"), (Texts{"some", "many"}));
  EXPECT_EQ(parts("{0} none|{1} one|]1,Inf[ many"), (Texts{"none", "one", "many"}));
  EXPECT_EQ(parts("]-Inf,0[ cold|[0,Inf[ warm"), (Texts{"cold", "warm"}));
  EXPECT_EQ(parts("{0} none| [see] below"), (Texts{"{0} none| [see] below"})) << "no condition";
  EXPECT_EQ(parts("} a {x, select, y {b | c}} | d"), (Texts{"} a {x, select, y {b | c}}", "d"}));
  EXPECT_EQ(parts("There is one|:n apples"), (Texts{"There is one", ":n apples"}));
  EXPECT_EQ(parts("apple|apples"), (Texts{"apple", "apples"}));
  for (const char* text :
       {"a|b", "A|B tests", "left||right", "see (left|right)", "ls |grep", "ls| grep", "|left", "left|"})
    EXPECT_EQ(parts(text), Texts{text});
  std::string bars = "{0}";
  for (int i = 0; i < 100'000; ++i) bars += "|1";
  EXPECT_EQ(parts(bars + std::string(300'000, ' ') + "x").size(), 1U) << "in one pass";
}

TEST(Messages, TranslationsTakeThePlacesOfTheTexts) {
  markup::MarkedDocument document;
  MessageList messages;
  const size_t first = messages.add(" one\n--\ntwo ", 7, document), second = messages.add("", 8, document);
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[1].line, 7);
  EXPECT_EQ(messages.translated(first, {"a", "b"}), " a\n--\nb ");
  EXPECT_EQ(messages.translated(second, {"a", "b"}), "");
  EXPECT_TRUE(messages.has_texts(first));
  EXPECT_FALSE(messages.has_texts(second));
}

TEST(Messages, CodeIsNotDivided) {
  const auto parts_with_code = [](const std::string& message) {
    Texts all;
    for (const ByteRange& range : paragraphs_of(message, code_in(message))) all.emplace_back(part_of(message, range));
    return all;
  };
  EXPECT_EQ(parts_with_code("One {n, plural,\n one {# day}\n other {# days}}\nTwo"),
            (Texts{"One {n, plural,\n one {# day}\n other {# days}}", "Two"}));
  EXPECT_EQ(parts_with_code("Run `a | b` now | <a title=\"c | d\">e</a>"),
            (Texts{"Run `a | b` now", "<a title=\"c | d\">e</a>"}));
}

TEST(Messages, CodeOverLinesIsAPlaceholder) {
  markup::MarkedDocument document;
  MessageList messages;
  messages.add("One\nTwo <pre>a\nb</pre> <b>c</b>", 1, document);
  ASSERT_EQ(document.blocks.size(), 2U);
  ASSERT_EQ(document.blocks[1].placeholders.size(), 1U);
  EXPECT_EQ(part_of(document.blocks[1].text.text, document.blocks[1].placeholders[0]), "<pre>a\nb</pre>");
}

TEST(Messages, WordsAroundAPatternOfIcuComeIntoItsForms) {
  markup::MarkedDocument document;
  MessageList messages;
  const size_t message = messages.add("See {n, plural,\n one {# day}\n other {# days}\n}!", 1, document);
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[1].text.text, "See # days!");
  EXPECT_EQ(document.blocks[1].placeholders.size(), 1U);
  EXPECT_EQ(messages.translated(message, {"A # B!", "C"}), "{n, plural,\n one {A # B!}\n other {C}\n}");
}

TEST(Messages, EachLineWithAPatternOfIcuIsOne) {
  markup::MarkedDocument document;
  MessageList messages;
  const size_t message =
      messages.add("Title\n\n* See {n, plural,\n one {a}\n other {b}\n}\n\nMore | text", 1, document);
  ASSERT_EQ(document.blocks.size(), 5U);
  EXPECT_EQ(document.blocks[1].text.text, "See a");
  EXPECT_EQ(messages.translated(message, {"1", "2", "3", "4", "5"}),
            "1\n\n* {n, plural,\n one {2}\n other {3}\n}\n\n4 | 5");
}

TEST(Messages, WithDoubledApostrophesNoNumberSignIsQuoted) {
  markup::MarkedDocument document;
  MessageList messages;
  const std::string text = "It''s house #{h}: {n, plural, one {# dog} other {# dogs}}";
  const size_t message = messages.add(text, 1, document);
  ASSERT_EQ(document.blocks.size(), 1U);
  EXPECT_EQ(document.blocks[0].text.text, "It's house #{h}: {n, plural, one {# dog} other {# dogs}}");
  EXPECT_EQ(messages.translated(message, {"It's X"}), "It''s X");
}

TEST(Messages, NoApostropheOfATranslationBeginsAQuoteIfAMessageIsAPatternOfIcu) {
  for (const bool has_pattern : {false, true}) {
    markup::MarkedDocument document;
    MessageList messages;
    const size_t one = messages.add("the {x}", 1, document), quoted = messages.add("the '{'", 2, document);
    const size_t last = messages.add(has_pattern ? "{n, plural, other {# days}}" : "days", 3, document);
    const std::vector<std::string> translations{"l'{x}", "l'{'", "d'# jours'"};
    EXPECT_EQ(messages.translated(one, translations), has_pattern ? "l''{x}" : "l'{x}");
    EXPECT_EQ(messages.translated(quoted, translations), "l'{'");
    EXPECT_EQ(messages.translated(last, translations),
              has_pattern ? "{n, plural, other {d''# jours''}}" : "d'# jours'");
  }
}

TEST(Messages, DoubledApostrophesAreSingleInTheTextsAndDoubledAgain) {
  markup::MarkedDocument document;
  MessageList messages, java(true);
  const size_t forms = messages.add("{n, plural, one {a man''s #} other {# it''s}}", 1, document);
  EXPECT_EQ(document.blocks[0].text.text, "a man's #");
  EXPECT_EQ(document.blocks[0].placeholders[0].begin, 8U);
  EXPECT_EQ(messages.translated(forms, {"l'a #", "b"}), "{n, plural, one {l''a #} other {b}}");
  const size_t plain = java.add("See {0}.", 2, document);
  EXPECT_EQ(java.translated(plain, {"", "", "l'{0}"}), "l''{0}");
}

TEST(Messages, PlaceholdersThatOverlapBecomeOne) {
  markup::Block block;
  block.placeholders = {{4, 6}};
  add_placeholders(block, {{0, 1}, {5, 8}, {8, 9}});
  ASSERT_EQ(block.placeholders.size(), 3U);
  EXPECT_EQ(block.placeholders[1].begin, 4U);
  EXPECT_EQ(block.placeholders[1].end, 8U);
}

}  // namespace
}  // namespace ventris::formats
