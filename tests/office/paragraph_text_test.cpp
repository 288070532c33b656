#include "office/paragraph_text.h"

#include <gtest/gtest.h>

namespace ventris::office {
namespace {

using Kind = Item::Kind;

Item text(const std::string& text, size_t format = 0) {
  Item item{Kind::kText};
  item.text = text;
  item.format = format;
  return item;
}
Item other(Kind kind, size_t pair = 0) {
  Item item{kind};
  item.pair = pair;
  return item;
}

using Ranges = std::vector<std::pair<size_t, size_t>>;

Ranges ranges_of(const std::vector<Item>& items) {
  Ranges ranges;
  for (const ItemRange& range : texts_of(items)) ranges.emplace_back(range.first, range.last);
  return ranges;
}

TEST(ParagraphText, ATextHasOnlyWhatIsAroundItsWords) {
  EXPECT_EQ(ranges_of({}), Ranges{});
  EXPECT_EQ(ranges_of({text(" "), text("...")}), Ranges{}) << "without letters";
  EXPECT_EQ(
      ranges_of({other(Kind::kAlone), text(" "), text("a"), other(Kind::kObject), text("b"), other(Kind::kAlone)}),
      (Ranges{{2, 4}}));
  EXPECT_EQ(ranges_of({text("a"), other(Kind::kBreak), other(Kind::kBreak), text("b")}), (Ranges{{0, 0}, {3, 3}}));
}

TEST(ParagraphText, ElementsAreWholeInAText) {
  const std::vector<Item> items{other(Kind::kOpen, 1),
                                other(Kind::kAlone),
                                text("a"),
                                other(Kind::kClose, 1),
                                text("b"),
                                other(Kind::kOpen, 2),
                                text("c"),
                                other(Kind::kClose, 2)};
  EXPECT_EQ(ranges_of(items), (Ranges{{0, 7}}));
  EXPECT_EQ(ranges_of({other(Kind::kOpen, 1), text("a"), other(Kind::kClose, 1)}), (Ranges{{1, 1}}));
}

TEST(ParagraphText, TheUsualFormatIsThatOfMostCharacters) {
  const std::vector<Item> items{text("ab", 4), text("cde", 2), text("f", 4), text("ghi", 3)};
  EXPECT_EQ(usual_format(items, {0, 3}), 4U);
  EXPECT_EQ(usual_format(items, {1, 3}), 2U) << "the first of those with as many";
}

TEST(ParagraphText, AFormatGoesOnOverMarksButNotOverTags) {
  const auto raw = [](const std::vector<Item>& items) {
    const markup::MarkedText text = marked_text(items, {0, items.size() - 1}, 0);
    return text.raw({0, text.text.size()});
  };
  EXPECT_EQ(raw({text("a"), text("b", 1), other(Kind::kAlone), text("c", 1), other(Kind::kAlone), text("d")}),
            "a<f1>b<i2>c</f><i4>d");
  EXPECT_EQ(raw({text("b", 1), other(Kind::kOpen, 1), text("c", 1), other(Kind::kClose, 1), text("d")}),
            "<f1>b</f><i1><f1>c</f><i3>d");
  EXPECT_EQ(raw({text("a", 1), text("b", 2)}), "<f1>a</f><f2>b</f>");
}

}  // namespace
}  // namespace ventris::office
