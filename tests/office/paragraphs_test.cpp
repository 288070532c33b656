#include "office/paragraphs.h"

#include <gtest/gtest.h>

#include "office/text_support.h"

namespace ventris::office {
namespace {

/// Writes texts in brackets.
class Brackets : public Notation {
 public:
  std::string text(std::string_view escaped, size_t format, bool after_space) const override {
    return "[" + std::to_string(format) + (after_space ? "_" : "") + std::string(escaped) + "]";
  }
  std::string item(const Item& /*item*/, std::string_view raw) const override { return "(" + std::string(raw) + ")"; }
};

Item text_item(const std::string& text) {
  Item item{Item::Kind::kText};
  item.text = text;
  item.format = 7;
  return item;
}

TEST(Paragraphs, OnlyParagraphsThatChangeAreWrittenAgain) {
  ParagraphWriter writer("0123456789", std::make_shared<Brackets>());
  markup::MarkedDocument blocks;
  writer.add({{1, 3}, {text_item("one")}}, blocks);
  writer.add({{4, 6}, {Item{Item::Kind::kAlone, {4, 5}}, text_item("two ")}}, blocks);
  writer.add({{8, 9}, {text_item("...")}}, blocks);
  EXPECT_EQ(texts_of(blocks), (std::vector<std::string>{"one", "two "}));
  EXPECT_EQ(writer.write({"one", "two "}), "0123456789");
  EXPECT_EQ(writer.write({"one", "zwei\n&amp;"}), "0123(4)[7_zwei &amp;]6789");
}

TEST(Paragraphs, AParagraphInAnItemIsWrittenInside) {
  ParagraphWriter writer("0123456789", std::make_shared<Brackets>());
  markup::MarkedDocument blocks;
  writer.add({{1, 9}, {text_item("a"), Item{Item::Kind::kAlone, {3, 8}}, text_item("b")}}, blocks);
  writer.add({{4, 6}, {text_item("c")}}, blocks);
  EXPECT_EQ(writer.write({"a<i1>b", "d"}), "0123[7_d]6789");
  EXPECT_EQ(writer.write({"x<i1>", "c"}), "0[7_x](34567)9");
  EXPECT_EQ(writer.write({"x <i1>y", "d"}), "0[7_x ](3[7_d]67)[7_y]9");
}

TEST(Paragraphs, AnItemOfSeveralIsWrittenWithEachOfThem) {
  ParagraphWriter writer("0123456789", std::make_shared<Brackets>());
  markup::MarkedDocument blocks;
  Item field{Item::Kind::kObject};
  field.inside = {Item{Item::Kind::kAlone, {1, 2}}, text_item("3")};
  writer.add({{0, 9}, {text_item("a"), field, text_item("b")}}, blocks);
  EXPECT_EQ(writer.write({"<i1>x"}), "(1)[7_3][7x]9");
}

}  // namespace
}  // namespace ventris::office
