#include "documents/link_placeholders.h"

#include <gtest/gtest.h>

#include <string>

#include "support/found_placeholders.h"
#include "support/upper_case_run.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

TEST(LinkPlaceholders, TargetsOfAnyKindStay) {
  for (const std::string target :
       {"command:a.openSettings", "./docs/setup.md", "#set-up", "docs/intro", "mailto:a@b.c", "<a b>", "a(b)c",
        "x \"A title, or two\"", "x 'a'", "%{base_url}/about", "{{ site.url }}/about", "", "https://a.b/c_(d)"}) {
    const std::string link = "](" + target + ")";
    EXPECT_EQ(found_in("See [the guide" + link + " now"), (Texts{"[", link})) << target;
  }
  EXPECT_EQ(found_in("![an image](a.png) [![alt](b)](c)"), (Texts{"![", "](a.png)", "[", "![", "](b)", "](c)"}));
}

TEST(LinkPlaceholders, ATargetHasNoWhiteSpace) {
  for (const std::string text : {"[optional](see below)", "[a] (b)", "[a](b", "[a](b \"c)", "a](b)", "\\[a](b)",
                                 "[a](b\n)", "(a)[b]", "[a](b c.d)", "array[0](x)", "file[s](optional)"}) {
    EXPECT_EQ(found_in(text), Texts{}) << text;
  }
}

TEST(LinkPlaceholders, GrammarOfAppleStaysWhateverItSays) {
  EXPECT_EQ(found_in("^[%lld apple](inflect: true)"), (Texts{"^[", "%lld", "](inflect: true)"}));
  EXPECT_EQ(found_in("^[two apples](morphology: { number: \"f(x) y\" })."),
            (Texts{"^[", "](morphology: { number: \"f(x) y\" })"}));
}

TEST(LinkPlaceholders, WordsInPlaceOfANameAreTranslated) {
  EXPECT_EQ(found_in("Hi [firstname,fallback=my friend], [a, b] [a,fallback]"), (Texts{"[firstname,fallback=", "]"}));
  EXPECT_EQ(test::message_in_upper_case("Hi [firstname, fallback=friend]!"), "HI [firstname, fallback=FRIEND]!");
}

TEST(LinkPlaceholders, TheWordsOfALinkAreTranslated) {
  EXPECT_EQ(
      test::message_in_upper_case("Click [here](command:a.openSettings) or [the guide](./docs/setup.md 'a title')."),
      "CLICK [HERE](command:a.openSettings) OR [THE GUIDE](./docs/setup.md 'a title').");
  EXPECT_EQ(test::message_in_upper_case("^[%lld apple](inflect: true)"), "^[%lld APPLE](inflect: true)");
  EXPECT_EQ(test::message_in_upper_case("Only [`a`](b) and [c](d)"), "ONLY [`a`](b) AND [C](d)");
  EXPECT_EQ(test::message_in_upper_case("$(sync~spin) Syncing {0}"), "$(sync~spin) SYNCING {0}");
}

TEST(LinkPlaceholders, TagsOfMailchimpStandAroundTheirWords) {
  EXPECT_EQ(test::message_in_upper_case("*|IF:LANG=en|*some words*|ELSE:|*other words*|END:IF|* here"),
            "*|IF:LANG=en|*SOME WORDS*|ELSE:|*OTHER WORDS*|END:IF|* HERE");
}

TEST(LinkPlaceholders, WordsOfTwoLinksAreApart) {
  EXPECT_EQ(test::message_in_upper_case("Now [one dog](a)[two dogs](b)."), "NOW [ONE DOG](a) [TWO DOGS](b).");
}

}  // namespace
}  // namespace ventris::documents
