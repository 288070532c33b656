#include "documents/hidden_ranges.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

using markup::Mark;

/// Each object of the text, or of the objects that belong together, as it is written. Words in braces and brackets are
/// objects.
std::vector<std::string> joined_in(const std::string& written, const std::vector<Mark>& marks = {}) {
  std::vector<ByteRange> ranges;
  for (size_t at = written.find_first_of("{["); at != std::string::npos; at = written.find_first_of("{[", at + 1)) {
    ranges.push_back({at, written.find_first_of("}]", at) + 1});
  }
  MarkedText text{written, marks};
  text.hide(ranges);
  text.hide(joined_by_signs(text));
  std::vector<std::string> parts;
  for (const markup::Object& object : text.objects) parts.push_back(object.raw);
  return parts;
}

using Texts = std::vector<std::string>;

TEST(JoinedBySigns, PlaceholdersWithOnlyASignBetweenAreOne) {
  for (const std::string text : {"{h}:{m}", "{d}.{m}.{y}", "{a}-{b}", "{n}/{m}", "{a}+{b}", "{n} / {m}",
                                 "{a} \u2192 {b}", "{a} + {b} + {c}", "{a}...{b}"}) {
    EXPECT_EQ(joined_in("at " + text + " now"), Texts{text}) << text;
  }
}

TEST(JoinedBySigns, WordsSpacesBracketsAndQuotationMarksSeparateThem) {
  for (const std::string text : {"{a} {b}", "{a}, {b}", "{a} and {b}", "{a}({b}", "{a}'{b}", "{a}: {b}", "{a}....{b}",
                                 "{a} - {b} x", "{a}\u3001{b}", "{a}.{br}", "{a}.[^1]"}) {
    EXPECT_EQ(joined_in(text).size(), 2U) << text;
  }
  EXPECT_EQ(joined_in("{a}/{b}", {{3, Mark::Kind::kOpen, "<b>"}, {6, Mark::Kind::kClose, "</b>"}}).size(), 2U);
}

TEST(JoinedBySigns, ObjectsOfTheDocumentJoinOnlyWithOthers) {
  MarkedText text{"press {0}+{1}, {2}"};
  text.hide({{6, 9}, {10, 13}, {15, 18}});
  const std::vector<ByteRange> parts = joined_by_signs(text);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(text.raw(parts[0]), "{0}+{1}");
}

TEST(WithOwnSigns, ASignOfAnObjectThatIsTextIsHidden) {
  const std::string text = "a \uFFFC {0}";
  EXPECT_EQ(with_own_signs({text}, {{6, 9}}).size(), 2U);
  EXPECT_EQ(with_own_signs({text}, {{2, 9}}).size(), 1U);
}

TEST(WithThoseOfFormat, TheFormatDecidesAtTheSamePlace) {
  const std::vector<ByteRange> ranges = with_those_of_format({{0, 2}, {5, 9}}, {{0, 4}, {8, 12}});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].end, 4U);
  EXPECT_EQ(ranges[1].begin, 5U);
  EXPECT_EQ(ranges[1].end, 12U);
}

TEST(Joined, RangesThatTouchAreOne) {
  const std::vector<ByteRange> ranges = joined({{0, 2}, {2, 4}, {5, 6}});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].end, 4U);
}

TEST(HiddenRanges, FormulasWithAnIndexAreWhole) {
  const auto formulas = [](const std::string& written, const std::string& raw = "<sub>2</sub>") {  // "#": an index
    MarkedText text;
    for (const char c : written) {
      if (c == '#') text.objects.push_back({text.text.size(), raw});
      text.text += c == '#' ? std::string(markup::kObject) : std::string(1, c);
    }
    std::vector<std::string> found;
    for (const ByteRange& range : formulas_with_indices(text)) {
      std::string formula = text.text.substr(range.begin, range.end - range.begin);
      for (size_t at = formula.find(markup::kObject); at != std::string::npos; at = formula.find(markup::kObject)) {
        formula.replace(at, markup::kObject.size(), "#");
      }
      found.push_back(formula);
    }
    return found;
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(formulas("CO# and H#O, x# is C#H#OH."), (Found{"CO#", "H#O", "x#", "C#H#OH"}));
  EXPECT_EQ(formulas("window# #a Tip# and #"), Found{});
  EXPECT_EQ(formulas("CO# and H#O.", "$_2$"), (Found{"CO#", "H#O"}));
}

TEST(HiddenRanges, AUnitThatTouchesAValueOfATemplateBelongsToIt) {
  const auto behind = [](const std::string& raw, const std::string& text, bool tag = false) {
    MarkedText marked{std::string(markup::kObject) + text};
    marked.objects.push_back({0, raw});
    if (tag) marked.marks.push_back({markup::kObject.size(), markup::Mark::Kind::kOpen, "<b>"});
    const std::vector<ByteRange> found = values_with_units(marked);
    return found.empty() ? "" : marked.text.substr(markup::kObject.size(), found[0].end - markup::kObject.size());
  };
  EXPECT_EQ(behind("{{ h }}", "s left"), "s");
  EXPECT_EQ(behind("{{qty}}", "x"), "x");
  EXPECT_EQ(behind("<%= size %>", "px."), "px");
  EXPECT_EQ(behind("<?= $t ?>", "°C today"), "°C");
  for (const std::string text : {" s", "sixth", "s1", "s_a", "", "."}) EXPECT_EQ(behind("{{ h }}", text), "") << text;
  for (const std::string raw : {"{% a %}", "{{#a}}", "{{/a}}", "`a`"}) EXPECT_EQ(behind(raw, "s"), "") << raw;
  EXPECT_EQ(behind("{{ h }}", "s", true), "") << "a tag is between";
}

TEST(HiddenRanges, AShortEndingThatTouchesCodeBelongsToIt) {
  const auto behind = [](const std::string& raw, const std::string& text, size_t tag = 100) {
    MarkedText marked{std::string(markup::kObject) + text};
    marked.objects.push_back({0, raw});
    if (tag < 100) marked.marks.push_back({markup::kObject.size() + tag, markup::Mark::Kind::kOpen, "<b>"});
    const std::vector<ByteRange> found = codes_with_endings(marked);
    return found.empty() ? "" : marked.text.substr(markup::kObject.size(), found[0].end - markup::kObject.size());
  };
  EXPECT_EQ(behind("`Promise`", "s are"), "s");
  EXPECT_EQ(behind("<code>grep</code>", "ed."), "ed");
  EXPECT_EQ(behind("$n$", "th"), "th");
  EXPECT_EQ(behind("$\\mu$", "m filter"), "m");
  EXPECT_EQ(behind("$^\\circ$", "C."), "C");
  EXPECT_EQ(behind("$n$", "ed"), "");
  for (const std::string text : {" s", "able", "s1", "S", "s-a", "s\u00e4", "or", "and", "to", ""})
    EXPECT_EQ(behind("`a`", text), "") << text;
  for (const std::string raw : {"{{ a }}", "<br>", "<sup>1</sup>", "[^1]"}) EXPECT_EQ(behind(raw, "s"), "") << raw;
  EXPECT_EQ(behind("`a`", "es", 0), "") << "a tag is between";
  EXPECT_EQ(behind("`a`", "es", 1), "") << "a tag divides the ending";
  EXPECT_EQ(behind("`a`", "es", 2), "es");
}

TEST(HiddenRanges, WordsInAngleBracketsAreOneWithThem) {
  const std::string text = "<a b> < c >";
  const std::vector<ByteRange> whole = with_bracketed_words(text, {{0, 1}, {4, 5}, {6, 7}, {8, 9}, {10, 11}});
  ASSERT_EQ(whole.size(), 4U);
  EXPECT_EQ(whole[0].end, 5U);
  EXPECT_EQ(whole[3].begin, 10U);
}

TEST(WithDirectionalSigns, APlaceholderHasThoseThatTouchIt) {
  const std::string text = "\u200Fa \u2068{0}\u2069 b{1}\u200E\u200F c";
  const size_t first = text.find("{0}"), second = text.find("{1}");
  const std::vector<ByteRange> ranges = with_directional_signs({text}, {{first, first + 3}, {second, second + 3}});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(text.substr(ranges[0].begin, ranges[0].end - ranges[0].begin), "\u2068{0}\u2069");
  EXPECT_EQ(text.substr(ranges[1].begin, ranges[1].end - ranges[1].begin), "{1}\u200E\u200F");
}

TEST(WithDirectionalSigns, AnObjectOfTheTextWithThemIsHiddenAgain) {
  MarkedText text{"a \u200E{0} and {1}"};
  text.hide({{5, 8}, {13, 16}});
  const std::vector<ByteRange> ranges = with_directional_signs(text, {});
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(text.raw(ranges[0]), "\u200E{0}");
}

TEST(WithDirectionalSigns, OfOthersAreNoPartOfIt) {
  MarkedText text{"a \u200E{0}", {{5, Mark::Kind::kOpen, "<b>"}, {8, Mark::Kind::kClose, "</b>"}}};
  const std::vector<ByteRange> ranges = with_directional_signs(text, {{5, 8}});
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].begin, 5U);
}

TEST(PaddingOf, SeveralSignsAtTheEndThatNobodySees) {
  const std::string padding = "\u200C\u00A0\u200C\u00A0";
  const std::vector<ByteRange> found = padding_of({"a dog\u00A0" + padding});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin, 7U);
  EXPECT_EQ(found[0].end, 7 + padding.size());
  for (const std::string& none : {std::string("a dog\u00AD"), std::string("a dog  "), padding, padding + "a",
                                  std::string("a \U0001F3F4\U000E0067\U000E007F"), std::string("a \u2069\u200F")}) {
    EXPECT_TRUE(padding_of({none}).empty()) << none;
  }
}

}  // namespace
}  // namespace ventris::documents
