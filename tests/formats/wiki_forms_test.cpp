#include "formats/wiki_forms.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::formats {
namespace {

/// The message as it becomes, and its forms behind it, one a line.
std::string taken(std::string message) {
  const std::vector<IcuForm> forms = take_wiki_forms(message);
  std::string all = message;
  for (const IcuForm& form : forms) all += "\n" + message.substr(form.text.begin, form.text.end - form.text.begin);
  return all;
}

TEST(WikiForms, HaveTheWordsAroundThem) {
  EXPECT_EQ(taken("Found {{PLURAL:$1|one page|$1 pages}} in total."),
            "{{PLURAL:$1|Found one page in total.|Found $1 pages in total.}}\n"
            "Found one page in total.\nFound $1 pages in total.");
  EXPECT_EQ(taken("$1 {{PLURAL:$1|page|pages}}"), "{{PLURAL:$1|$1 page|$1 pages}}\n$1 page\n$1 pages");
  EXPECT_EQ(taken("$1 page{{plural:$1||s}}"), "{{plural:$1|$1 page|$1 pages}}\n$1 page\n$1 pages");
}

TEST(WikiForms, OfAWholeMessageStayWhereTheyAre) {
  EXPECT_EQ(taken("({{GENDER:$2|he|she | they }})"), "({{GENDER:$2|he|she | they }})\nhe\nshe\nthey");
}

TEST(WikiForms, KeepTheNumberForWhichTheyStand) {
  EXPECT_EQ(taken("Has {{PLURAL:$1|0=no page|12=a dozen|$1 pages}}"),
            "{{PLURAL:$1|0=Has no page|12=Has a dozen|Has $1 pages}}\nHas no page\nHas a dozen\nHas $1 pages");
}

TEST(WikiForms, OfSeveralChoicesAreFormsOfForms) {
  EXPECT_EQ(taken("{{GENDER:$1|He|She}} has {{PLURAL:$2|a dog|dogs}}"),
            "{{GENDER:$1|{{PLURAL:$2|He has a dog|He has dogs}}|{{PLURAL:$2|She has a dog|She has dogs}}}}\n"
            "He has a dog\nHe has dogs\nShe has a dog\nShe has dogs");
  EXPECT_EQ(taken("{{PLURAL:$1|a|b {{GENDER:$2|c|d}}}}"), "{{PLURAL:$1|a|{{GENDER:$2|b c|b d}}}}\na\nb c\nb d");
}

TEST(WikiForms, MayHaveLinksAndTemplatesInside) {
  EXPECT_EQ(taken("See {{PLURAL:$1|[[Main|page]]|{{SITENAME|x}}}} in [[A|b]]"),
            "{{PLURAL:$1|See [[Main|page]] in [[A|b]]|See {{SITENAME|x}} in [[A|b]]}}\n"
            "See [[Main|page]] in [[A|b]]\nSee {{SITENAME|x}} in [[A|b]]");
}

TEST(WikiForms, KeepTheirArguments) {
  std::string message = "{{PLURAL:$2|one of $1|$2 of $1}}";
  const std::vector<IcuForm> forms = take_wiki_forms(message);
  ASSERT_EQ(forms.size(), 2U);
  ASSERT_EQ(forms[0].kept.size(), 1U);
  EXPECT_EQ(forms[0].kept[0].begin, 7U);
  EXPECT_EQ(forms[0].kept[0].end, 9U);
  EXPECT_EQ(forms[1].kept.size(), 2U);
}

TEST(WikiForms, AMessageThatCannotBeWrittenSoStays) {
  std::string many;
  for (int i = 0; i < 7; ++i) many += "{{PLURAL:$1|a|b}} and ";
  for (const std::string& message :
       {many, std::string("a | {{PLURAL:$1|b|c}}"), std::string("1={{PLURAL:$1|b|c}}d"),
        std::string("<a title=\"{{PLURAL:$1|b|c}}\">d</a>"), std::string("a {{PLURAL:$1|b|c"),
        std::string("a [[b {{PLURAL:$1|c|d}}]]"), std::string("{{SITENAME}} a"), std::string("{{PLURAL:$1}} a|b")}) {
    EXPECT_EQ(taken(message), message);
  }
}

TEST(WikiForms, AreKnownAnywhereInAText) {
  for (const char* text : {"a {{PLURAL:$1|b|c}}", "[[a|{{GENDER:$1|b}}]]"}) EXPECT_TRUE(has_wiki_forms(text)) << text;
  for (const char* text : {"{{PLURAL:$1|1|2}}", "{{SITENAME|a}}", "PLURAL:a|b"}) {
    EXPECT_FALSE(has_wiki_forms(text)) << text;
  }
}

TEST(WikiForms, OfAHostileMessageTakeLittleTime) {
  for (const std::string part : {"{{", "{{PLURAL:a|", "[[", "{{PLURAL:a|b}}", "|", "}}"}) {
    std::string message;
    while (message.size() < 200'000) message += part;
    taken(message);
  }
}

}  // namespace
}  // namespace ventris::formats
