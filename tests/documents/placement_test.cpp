#include "documents/placement.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <map>

namespace ventris::documents {
namespace {

using Kind = Mark::Kind;

std::string as_it_is(std::string_view text) { return std::string(text); }

MarkedText with_object(const std::string& text, const std::string& object) {
  MarkedText marked{text};
  const size_t at = text.find(object);
  marked.hide({{at, at + object.size()}});
  return marked;
}

TEST(PutBack, APlaceholderThatTheModelWroteTooOftenIsLeftOut) {
  const MarkedText text = with_object("I see {0}.", "{0}");
  const MaskedText masked = mask(text, {"<ph1>"});
  EXPECT_EQ(masked.text, "I see <ph1>.");
  EXPECT_EQ(put_back(text, masked, {"Ich <ph1> sehe <ph1>.", {}}, as_it_is).raw, "Ich {0} sehe.");
  EXPECT_EQ(put_back(text, masked, {"Ich sehe <ph1>.", {}}, as_it_is).text, "Ich sehe .");
}

TEST(PutBack, AnObjectTakesThePlaceOfItsWord) {
  const MarkedText text = with_object("I see {0}.", "{0}");
  const MaskedText masked = mask(text, {"Tom"});
  EXPECT_EQ(put_back(text, masked, {"Ich sehe Tom.", {}}, as_it_is).raw, "Ich sehe {0}.");
  EXPECT_EQ(put_back(text, masked, {"Tom, ich sehe Tom.", {}}, as_it_is).raw, "{0}, ich sehe.");
  EXPECT_EQ(put_back(text, masked, {"Tom, ich sehe Tom.", {{2, 3}}}, as_it_is).raw, ", ich sehe {0}.")
      << "the linked one is meant";
  EXPECT_TRUE(has_surplus_words(masked, "Tom, ich sehe Tom."));
  EXPECT_FALSE(has_surplus_words(masked, "Tom sieht Toms Hund."));
  EXPECT_EQ(put_back(text, masked, {"Toms Ich sehe Tom", {}}, as_it_is).raw, "Toms Ich sehe {0}");
}

TEST(PutBack, AnObjectWhoseWordIsLostTakesThePlaceOfWhatIsLinkedToIt) {
  const MarkedText text = with_object("I see {0}.", "{0}");
  EXPECT_EQ(put_back(text, mask(text, {"Tom"}), {"Ich sehe Tim.", {{0, 0}, {1, 1}, {2, 2}}}, as_it_is).raw,
            "Ich sehe {0}.");
}

TEST(PutBack, AnObjectThatWasRemovedIsPutNextToItsNeighbour) {
  const MarkedText text = with_object("I see {0} today", "{0}");
  EXPECT_EQ(put_back(text, mask(text, {}), {"Ich sehe heute", {{0, 0}, {1, 1}, {2, 2}}}, as_it_is).raw,
            "Ich sehe {0} heute");
  EXPECT_EQ(put_back(text, mask(text, {}), {"", {}}, as_it_is).raw, "{0}");
}

TEST(PutBack, TheSignOfANoteStaysBehindAWordWithoutASpace) {
  const std::vector<translation::Link> links{{0, 0}, {1, 1}, {2, 2}};
  for (const std::string sign : {"[^1]", "<sup>2</sup>"}) {
    const auto placed = [&](const std::string& source, const std::string& target) {
      const MarkedText text = with_object(source, sign);
      const MaskedText masked = mask(text, {"Tom"});
      return put_back(text, masked, {target, links}, as_it_is).raw;
    };
    EXPECT_EQ(placed("I sleep now." + sign, "Ich schlafe jetzt."), "Ich schlafe jetzt." + sign);
    EXPECT_EQ(placed("I sleep" + sign + " now.", "Ich schlafe jetzt."), "Ich schlafe" + sign + " jetzt.");
    EXPECT_EQ(placed("I sleep now" + sign + ".", "Ich schlafe jetzt."), "Ich schlafe jetzt" + sign + ".");
    EXPECT_EQ(placed("I sleep, " + sign + " now.", "Ich Tom jetzt."), "Ich " + sign + " jetzt.") << "no note";
  }
  MarkedText two{"I sleep[^1][^2] now."};
  two.hide({{7, 11}, {11, 15}});
  EXPECT_EQ(put_back(two, mask(two, {"Tom"}), {"Ich schlafe jetzt.", links}, as_it_is).raw,
            "Ich schlafe[^1][^2] jetzt.");
}

TEST(PutBack, ARaisedNumberOfAnOfficeDocumentStaysBehindItsWord) {
  const MarkedText text{"I see m\uFFFC.", {}, {{7, "<n1>"}}};
  const MaskedText masked = mask(text, {"Tom"});
  EXPECT_EQ(masked.text, "I see m.");
  EXPECT_EQ(put_back(text, masked, {"Ich sehe m.", {{0, 0}, {1, 1}, {2, 2}}}, as_it_is).raw, "Ich sehe m<n1>.");
  EXPECT_EQ(mask({"I see m\uFFFC.", {}, {{7, "<name>"}}}, {"Tom"}).text, "I see m.");
}

TEST(PutBack, AnImageBetweenSpacesStaysBetweenSpaces) {
  MarkedText text{"I see  bread.", {{6, Kind::kAlone, "<img>"}}};
  const std::vector<translation::Link> links{{0, 0}, {1, 1}, {2, 2}};
  EXPECT_EQ(put_back(text, mask(text, {}), {"Ich sehe Brot.", links}, as_it_is).raw, "Ich sehe <img> Brot.");
  text.text = "I see bread.";
  EXPECT_EQ(put_back(text, mask(text, {}), {"Ich sehe Brot.", links}, as_it_is).raw, "Ich sehe <img>Brot.");
}

TEST(PutBack, OnlyTheTextIsEscaped) {
  MarkedText text = with_object("a {0} b", "{0}");
  text.marks = {{0, Kind::kOpen, "<b>"}, {text.text.size(), Kind::kClose, "</b>"}};
  const auto marked = [](std::string_view part) { return "[" + std::string(part) + "]"; };
  EXPECT_EQ(put_back(text, mask(text, {"Tom"}), {"c Tom d", {}}, marked).raw, "<b>[c ]{0}[ d]</b>");
}

/// The tags and objects of a text, each with its number.
std::map<std::string, int> counted(const std::string& text) {
  std::map<std::string, int> counts;
  for (size_t at = text.find_first_of("<{"); at != std::string::npos; at = text.find_first_of("<{", at + 1)) {
    ++counts[text.substr(at, text.find_first_of(">}", at) - at + 1)];
  }
  return counts;
}

bool is_nested(const std::string& text) {
  std::vector<std::string> open;
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::string name = text.substr(at + 1, text.find('>', at) - at - 1);
    if (name[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || open.back() != name.substr(1)) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

void check_random_text() {
  MarkedText text;
  std::vector<std::string> open;
  const int words = *rc::gen::inRange(1, 8);
  for (int i = 0; i < words; ++i) {
    for (int action = *rc::gen::inRange(0, 6); action > 2; --action) {
      if (open.empty() || *rc::gen::arbitrary<bool>()) {
        open.push_back(std::to_string(text.marks.size()));
        text.marks.push_back({text.text.size(), Kind::kOpen, "<" + open.back() + ">"});
      } else {
        text.marks.push_back({text.text.size(), Kind::kClose, "</" + open.back() + ">"});
        open.pop_back();
      }
    }
    if (*rc::gen::arbitrary<bool>()) {
      text.objects.push_back({text.text.size(), "{" + std::to_string(i) + "}"});
      text.text += markup::kObject;
    } else {
      text.text += "w" + std::to_string(i);
    }
    text.text += *rc::gen::element(" ", ", ", "");
  }
  for (; !open.empty(); open.pop_back())
    text.marks.push_back({text.text.size(), Kind::kClose, "</" + open.back() + ">"});
  AlignedText translation;
  const int translated = *rc::gen::inRange(0, 8);
  for (int i = 0; i < translated; ++i) {
    translation.text += *rc::gen::element("Tom ", "Anna, ", "x ", "y. ");
    translation.links.push_back({*rc::gen::inRange(0, words), i});
  }
  const std::string result = put_back(text, mask(text, {"Tom", "Anna"}), translation, as_it_is).raw;
  RC_ASSERT(counted(result) == counted(text.raw({0, text.text.size()})));
  RC_ASSERT(is_nested(result));
}

TEST(PutBack, LosesAndInventsNothingAndStaysNested) { EXPECT_TRUE(rc::check(check_random_text)); }

/// Words, objects and signs, between which there may be spaces or not.
MarkedText drawn_with_objects() {
  MarkedText text;
  const int parts = *rc::gen::inRange(1, 10);
  for (int i = 0; i < parts; ++i) {
    if (*rc::gen::arbitrary<bool>()) {
      text.objects.push_back({text.text.size(), "{" + std::to_string(i) + "}"});
      text.text += markup::kObject;
    } else {
      text.text += *rc::gen::element<std::string>("w" + std::to_string(i), "(", ")", ", ", "-", "a");
    }
    text.text += *rc::gen::element(" ", "");
  }
  return text;
}

void check_that_a_copy_is_the_same() {
  const MarkedText text = drawn_with_objects();
  const MaskedText masked = mask(text, {"Tom", "Anna", "Eva"});
  AlignedText copy{masked.text, {}};
  const auto words = static_cast<int32_t>(std::ranges::count(masked.text, ' ')) + 1;
  for (int32_t i = 0; i < words; ++i) copy.links.push_back({i, i});
  const auto without_spaces = [](std::string of) {
    std::erase(of, ' ');
    return of;
  };
  const std::string whole = text.raw({0, text.text.size()});
  RC_ASSERT(without_spaces(put_back(text, masked, copy, as_it_is).raw) == without_spaces(whole));
}

TEST(PutBack, OfACopyIsTheSame) { EXPECT_TRUE(rc::check(check_that_a_copy_is_the_same)); }

TEST(PutBack, ASpaceBetweenAnObjectAndASignStays) {
  for (const std::string source : {"Show {0} (all)", "A - {0}", "(old) {0}", "5% {0}", "{0} - left",
                                   "see {0} \u2022 it", "see {0}, it", "({0}) it", "see {0}"}) {
    const MarkedText text = with_object(source, "{0}");
    const MaskedText masked = mask(text, {});
    std::string target = masked.text;
    if (const size_t gap = target.find("  "); gap != std::string::npos) target.erase(gap, 1);
    target.erase(0, target.find_first_not_of(' '));
    target.erase(target.find_last_not_of(' ') + 1);
    const AlignedText copy{target, {{0, 0}, {1, 1}, {2, 2}}};
    EXPECT_EQ(put_back(text, masked, copy, as_it_is).raw, source);
  }
  for (const auto& [source, target, expected] :
       {std::array{"{0}   (all)", "(alle)", "{0} (alle)"}, std::array{"{0}\n   - left", "- links", "{0} - links"},
        std::array{"see:\n{0}", "siehe:", "siehe: {0}"}}) {
    const MarkedText text = with_object(source, "{0}");
    EXPECT_EQ(put_back(text, mask(text, {}), {target, {{0, 0}}}, as_it_is).raw, expected) << source;
  }
  MarkedText two{"take {0} {1}"};
  two.hide({{5, 8}, {9, 12}});
  EXPECT_EQ(put_back(two, mask(two, {}), {"take", {{0, 0}}}, as_it_is).raw, "take {0} {1}");
}

TEST(PutBack, ATagOfATemplateTouchesItsWords) {
  MarkedText text{"see {{else}}friend"};
  text.hide({{4, 12}});
  EXPECT_EQ(put_back(text, mask(text, {}), {"siehe Freund", {{0, 0}, {1, 1}}}, as_it_is).raw, "siehe {{else}}Freund");
  MarkedText two{"see {{a}}{{else}}friend"};
  two.hide({{4, 17}});
  EXPECT_EQ(put_back(two, mask(two, {}), {"siehe Freund", {{0, 0}, {1, 1}}}, as_it_is).raw,
            "siehe {{a}}{{else}}Freund");
}

TEST(PutBack, ObjectsThatFollowEachOtherStillDo) {
  const auto placed = [](const std::string& source, const std::string& target) {
    MarkedText text{source};
    const size_t first = source.find("{a}"), second = source.find("{b}");
    text.hide({{first, first + 3}, {second, second + 3}});
    const MaskedText masked = mask(text, {"Tom", "Anna"});
    return put_back(text, masked, {target, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}}, as_it_is).raw;
  };
  EXPECT_EQ(placed("I see {a}{b} here", "Ich sehe Tom hier"), "Ich sehe {a}{b} hier");
  EXPECT_EQ(placed("I see {a}{b}others", "Ich sehe andere"), "Ich sehe {a}{b} andere");
  EXPECT_EQ(placed("I see{a}{b} here", "Ich sehe hier"), "Ich sehe{a}{b} hier");
  EXPECT_EQ(placed("I see{a}{b}others", "Ich sehe andere"), "Ich sehe{a}{b}andere");
}

TEST(PutBack, AnObjectThatTouchesItsWordStillDoes) {
  const auto placed = [](const std::string& source, const std::string& target) {
    const MarkedText text = with_object(source, "{0}");
    return put_back(text, mask(text, {"Tom"}), {target, {{0, 0}, {1, 1}, {2, 2}}}, as_it_is).raw;
  };
  EXPECT_EQ(placed("I am tired{0}", "Ich bin m\u00fcde."), "Ich bin m\u00fcde.{0}");
  EXPECT_EQ(placed("I am tired.{0}", "Ich bin m\u00fcde."), "Ich bin m\u00fcde.{0}");
  EXPECT_EQ(placed("{0}I am tired", "Ich bin m\u00fcde"), "{0}Ich bin m\u00fcde");
}

TEST(PutBack, AnObjectStaysInsideItsPairOfMarks) {
  MarkedText text{"white vases {0} very much", {{6, Kind::kOpen, "<a>"}, {20, Kind::kClose, "</a>"}}};
  text.hide({{12, 15}});
  const MaskedText masked = mask(text, {"Tom"});
  const std::vector<translation::Link> links{{2, 0}, {0, 1}, {1, 2}, {3, 3}, {4, 4}};
  EXPECT_EQ(put_back(text, masked, {"Tom wei\u00dfe Vasen sehr viel", links}, as_it_is).raw,
            "wei\u00dfe <a>{0} Vasen sehr</a> viel");
}

TEST(PutBack, AnObjectWithoutAPlaceOfItsOwnStaysOutsideOfPairs) {
  const MarkedText text{"a b\uFFFC", {{0, Kind::kOpen, "<b>"}, {3, Kind::kClose, "</b>"}}, {{3, "<sup>1</sup>"}}};
  const MaskedText masked = mask(text, {"Tom"});
  EXPECT_EQ(put_back(text, masked, {"B A", {{1, 0}, {0, 1}}}, as_it_is).raw, "<b>B A</b><sup>1</sup>");
}

TEST(PutBack, ALinkWhoseWordsAreGoneStaysAroundItsObject) {
  MarkedText text{"see the {0} now", {{4, Kind::kOpen, "[", false, 7}, {11, Kind::kClose, "](u)", false, 7}}};
  text.hide({{8, 11}});
  const MaskedText masked = mask(text, {"Tom"});
  const PlacedText placed = put_back(text, masked, {"Tom jetzt sehen", {{2, 0}, {3, 1}, {0, 2}}}, as_it_is);
  EXPECT_EQ(placed.raw, "[{0}](u) jetzt sehen");
  EXPECT_EQ(placed.left_out, 0U);
}

}  // namespace
}  // namespace ventris::documents
