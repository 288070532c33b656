#include "documents/mark_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ventris::documents {
namespace {

using Kind = Mark::Kind;

ObjectPlaces without_objects(const std::vector<Mark>& marks) { return {std::vector<size_t>(marks.size()), {}}; }

/// The target "C B A" of the source "a b c", with the marks in it.
std::string laid_out(const std::vector<Mark>& marks) {
  const std::string target = "C B A";
  const Projection projection("a b c", target, {{2, 0}, {1, 1}, {0, 2}});
  std::string text;
  size_t done = 0;
  for (const PlacedMark& mark : lay_out(marks, projection, target.size(), without_objects(marks))) {
    text += target.substr(done, mark.at - done) + mark.mark->raw;
    done = mark.at;
  }
  return text + target.substr(done);
}

TEST(LayOut, MarksFollowTheirWords) {
  EXPECT_EQ(laid_out({{0, Kind::kOpen, "<b>"}, {1, Kind::kClose, "</b>"}}), "C B <b>A</b>");
  EXPECT_EQ(laid_out({{2, Kind::kAlone, "<br>"}}), "C <br>B A");
  EXPECT_EQ(laid_out({{0, Kind::kOpen, "<b>"}, {5, Kind::kClose, "</b>"}}), "<b>C B A</b>");
}

TEST(LayOut, MarksStayNested) {
  EXPECT_EQ(
      laid_out(
          {{0, Kind::kOpen, "<a>"}, {0, Kind::kOpen, "<b>"}, {1, Kind::kClose, "</b>"}, {3, Kind::kClose, "</a>"}}),
      "C <a>B <b>A</b></a>");
  EXPECT_EQ(
      laid_out(
          {{0, Kind::kOpen, "<a>"}, {1, Kind::kClose, "</a>"}, {2, Kind::kOpen, "<b>"}, {3, Kind::kClose, "</b>"}}),
      "C <b>B</b> <a>A</a>");
}

TEST(LayOut, AMarkWhoseOtherHalfIsElsewhereKeepsItsSide) {
  EXPECT_EQ(laid_out({{3, Kind::kClose, "</b>"}}), "C B A</b>");
  EXPECT_EQ(laid_out({{1, Kind::kClose, "</b>"}, {4, Kind::kOpen, "<i>"}}).find("</b>"), 5U);
  EXPECT_EQ(laid_out({{4, Kind::kOpen, "<i>"}}), "<i>C B A");
}

TEST(LayOut, ALinkOfMarkdownWithoutWordsIsLeftOutWithoutWhatItHas) {
  EXPECT_EQ(laid_out({{2, Kind::kOpen, "[", false, 7}, {2, Kind::kClose, "](u)", false, 7}}), "C B A");
  EXPECT_EQ(laid_out({{2, Kind::kOpen, "[", false, 7},
                      {2, Kind::kAlone, "<br>"},
                      {2, Kind::kClose, "](u)", false, 7},
                      {4, Kind::kOpen, "[", false, 8},
                      {5, Kind::kClose, "](v)", false, 8}}),
            "[C](v) <br>B A");
}

TEST(LayOut, MarksThatAreNeverEmptyStandAroundTheNearestWord) {
  EXPECT_EQ(laid_out({{2, Kind::kOpen, "*", true}, {2, Kind::kClose, "*", true}}), "C *B* A");
  EXPECT_EQ(laid_out({{2, Kind::kOpen, "[", false},
                      {2, Kind::kOpen, "*", true},
                      {2, Kind::kClose, "*", true},
                      {2, Kind::kClose, "](u)", false}}),
            "C [](u)B A");
}

TEST(LayOut, MarksThatAreNeverEmptyDoNotBeginWithASpaceOrTakeEachOthersWord) {
  const std::string target = "A B";
  const Projection projection("x a b", target, {{1, 0}, {2, 1}});
  const std::vector<Mark> marks{{0, Kind::kOpen, "*", true},
                                {1, Kind::kClose, "*", true},
                                {2, Kind::kOpen, "_", true},
                                {5, Kind::kClose, "_", true}};
  std::string text;
  size_t done = 0;
  for (const PlacedMark& mark : lay_out(marks, projection, target.size(), without_objects(marks))) {
    text += target.substr(done, mark.at - done) + mark.mark->raw;
    done = mark.at;
  }
  EXPECT_EQ(text + target.substr(done), "*A* _B_");
}

TEST(LayOut, NoMarkStandsBehindTheMarksAroundIt) {
  const Projection projection("a", "Hallo Welt", {{0, 0}});
  const std::vector<Mark> marks{{0, Kind::kOpen, "<u>"},     {0, Kind::kOpen, "*", true},  {1, Kind::kClose, "*", true},
                                {1, Kind::kOpen, "_", true}, {1, Kind::kClose, "_", true}, {1, Kind::kAlone, "<br>"},
                                {1, Kind::kClose, "</u>"}};
  size_t last = 0;
  for (const PlacedMark& mark : lay_out(marks, projection, 10, without_objects(marks))) {
    EXPECT_GE(mark.at, last) << mark.mark->raw;
    last = mark.at;
  }
}

TEST(LayOut, HalvesOfPairsThatOverlapStayInOrder) {
  // "a (b [c) d]" with its words in the opposite order
  const std::vector<Mark> marks{{2, Kind::kAlone, "(", false, 0, 1},
                                {2, Kind::kOpen, "["},
                                {3, Kind::kAlone, ")", false, 0, 1},
                                {5, Kind::kClose, "]"}};
  EXPECT_EQ(laid_out(marks), "[C (B)] A");
  // Here the elements <g> and <h> change places.
  EXPECT_EQ(laid_out({{0, Kind::kOpen, "<g>"},
                      {0, Kind::kAlone, "(", false, 0, 1},
                      {1, Kind::kClose, "</g>"},
                      {2, Kind::kOpen, "<h>"},
                      {3, Kind::kAlone, ")", false, 0, 1},
                      {3, Kind::kClose, "</h>"}}),
            "C (<h>B</h> <g>A)</g>");
  EXPECT_EQ(laid_out({{1, Kind::kAlone, "(", false, 0, 1}, {1, Kind::kAlone, ")", false, 0, 1}}), "C B A()");
}

TEST(LayOut, ManyPairsThatOverlapStayInOrder) {
  std::vector<Mark> marks;
  constexpr size_t kPairs = 5000;
  for (size_t i = 0; i < kPairs; ++i) marks.push_back({i % 3 * 2, Kind::kAlone, std::to_string(i), false, 0, i + 1});
  std::ranges::stable_sort(marks, {}, &Mark::at);
  for (size_t i = 0; i < kPairs; ++i) marks.push_back({5, Kind::kAlone, "/" + std::to_string(i), false, 0, i + 1});
  const Projection projection("a b c", "C B A", {{2, 0}, {1, 1}, {0, 2}});
  std::set<std::string> begun;
  for (const PlacedMark& mark : lay_out(marks, projection, 5, without_objects(marks))) {
    const bool ends = mark.mark->raw.starts_with('/');
    if (!ends) begun.insert(mark.mark->raw);
    EXPECT_TRUE(!ends || begun.contains(mark.mark->raw.substr(1))) << mark.mark->raw;
  }
  EXPECT_EQ(begun.size(), kPairs);
}

TEST(LayOut, MarksWithoutWordsStayTogether) {
  EXPECT_EQ(laid_out({{2, Kind::kOpen, "<a>"}, {2, Kind::kClose, "</a>"}}), "C <a></a>B A");
}

}  // namespace
}  // namespace ventris::documents
