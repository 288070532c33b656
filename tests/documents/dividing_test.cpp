#include "documents/dividing.h"

#include <gtest/gtest.h>

#include "documents/tag_pairs.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;
using markup::Mark;

/// The texts that are translated alone, if all in angle brackets or braces is a placeholder.
Texts parts_of(const std::string& written, bool sentences = false) {
  static const SentenceSplitter splitter("en");
  MarkedText text{written};
  std::vector<ByteRange> found;
  for (size_t at = written.find_first_of("<{"); at != std::string::npos; at = written.find_first_of("<{", at)) {
    const bool tag = written[at] == '<', doubled = written.substr(at, 2) == "{{",
               percent = written.substr(at, 2) == "{%";
    const std::string end = tag ? ">" : doubled ? "}}" : percent ? "%}" : "}";
    const size_t last = written.find(end, at) + end.size();
    found.push_back({at, last});
    at = last;
  }
  mark_tags(text, found, {});
  text.hide(found);
  Texts parts;
  for (const ByteRange& part : divided(text, sentences ? &splitter : nullptr)) {
    const std::string_view inside = std::string_view(text.text).substr(part.begin, part.end - part.begin);
    if (inside.find_first_not_of(' ') != std::string_view::npos) parts.emplace_back(inside);
  }
  return parts;
}

TEST(Divided, ATextWithoutMarksIsWhole) {
  EXPECT_EQ(parts_of("One. Two."), Texts{"One. Two."});
  EXPECT_EQ(divided({""}, nullptr).size(), 1U);
}

TEST(Divided, TagsOfBlocksDivide) {
  EXPECT_EQ(parts_of("<p>One</p><p>Two</p>"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("<ul><li>One</li><li>Two</li></ul>"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("a <b>b</b> c").size(), 1U);
  EXPECT_EQ(parts_of("a <pre>b").size(), 1U) << "only the begin of its name is that of <p>";
}

TEST(Divided, EachBranchOfATemplateIsATextOfItsOwn) {
  EXPECT_EQ(parts_of("a {% if x %}One{% else %}Two{% endif %} b"), (Texts{"a ", "One", "Two", " b"}));
  EXPECT_EQ(parts_of("{% if x %}One{% elif y %}Two{% else %}Three{% endif %}"), (Texts{"One", "Two", "Three"}));
  EXPECT_EQ(parts_of("{{#a}}One{{/a}}{{^a}}Two{{/a}}"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("{{#if a}}One{{else}}Two{{/if}}"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("a {% if x %}One{% endif %} b").size(), 1U) << "a pair around words";
}

TEST(Divided, StatementsOfTemplatesDivideAndValuesDoNot) {
  EXPECT_EQ(parts_of("{% load x %} One"), Texts{" One"});
  EXPECT_EQ(parts_of("One {% block a %}{% endblock %} Two"), (Texts{"One ", " Two"}));
  EXPECT_EQ(parts_of("One {% url x %} Two").size(), 1U);
  EXPECT_EQ(parts_of("One {{ name }} Two").size(), 1U);
  EXPECT_EQ(parts_of("One {{#x}}{{name}}{{/x}} Two").size(), 1U) << "all together is a value";
}

TEST(Divided, ATagBetweenTwoSentencesDividesThem) {
  EXPECT_EQ(parts_of("One.<br>Two.", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One.<br><br>Two.", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One!{br}Two.", true), (Texts{"One!", "Two."}));
  EXPECT_EQ(parts_of("<b>One.</b><i>Two.</i>", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One.<br>Two.", false).size(), 1U);
  EXPECT_EQ(parts_of("One,<br>Two.", true).size(), 1U);
  EXPECT_EQ(parts_of("One.<br>two.", true).size(), 1U);
  EXPECT_EQ(parts_of("a.<wbr>B", true).size(), 1U);
}

TEST(Divided, AnObjectBetweenTwoSentencesBelongsToNeither) {
  EXPECT_EQ(parts_of("They are tired. {x} They sleep", true), (Texts{"They are tired. ", " They sleep"}));
  EXPECT_EQ(parts_of("I met Mr. {x} Smith", true).size(), 1U);
  EXPECT_EQ(parts_of("They are tired. {x} they sleep", true).size(), 1U);
  EXPECT_EQ(parts_of("They are tired. {x} They sleep", false).size(), 1U);
}

TEST(Divided, AMarkThatDividesDoes) {
  MarkedText text{"One two", {{3, Mark::Kind::kAlone, "<tab>"}}};
  EXPECT_EQ(divided(text, nullptr).size(), 1U);
  text.marks[0].divides = true;
  EXPECT_EQ(divided(text, nullptr).size(), 2U);
}

TEST(Divided, ObjectsInFrontOfAWholeSentenceOrBehindItAreNoPartOfIt) {
  const auto first_and_last = [](const std::string& text) {
    const Texts parts = parts_of(text);
    return parts.size() == 1 ? std::string("whole") : text + " has " + std::to_string(parts.size());
  };
  EXPECT_EQ(parts_of("{x} One is two.").back(), "One is two.");
  EXPECT_EQ(parts_of("{x}: One is two.").back(), "One is two.");
  EXPECT_EQ(parts_of("{{x}} {{y}} - One is two.").back(), "One is two.");
  EXPECT_EQ(parts_of("One is two. {x}").front(), "One is two.");
  for (const std::string text : {"{x} one is two.", "{x} Terms of Use", "{x}One is two.", "One is {x}.",
                                 "One is two {x}", "{x}, {y} and One.", "{x}"}) {
    EXPECT_EQ(first_and_last(text), "whole") << text;
  }
}

}  // namespace
}  // namespace ventris::documents
