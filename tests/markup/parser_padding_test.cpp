#include "markup/parser_padding.h"

#include <gtest/gtest.h>

#include <random>

#include "markup/markdown.h"
#include "markup/markdown_structure.h"

namespace ventris::markup {
namespace {

constexpr size_t kMostShift = 600;

std::string paragraph(size_t bytes) { return std::string(bytes, 'i') + "\n\n"; }

/// What a parser sees behind a first paragraph, and the texts of the blocks.
std::vector<std::string> seen_behind(const std::string& first, const std::string& document) {
  std::vector<std::string> seen;
  std::vector<MarkdownLeaf> leaves = markdown_leaves(first + document);
  for (size_t i = 1; i < leaves.size(); ++i) {
    seen.push_back(std::to_string(leaves[i].blocks) + " " + std::to_string(leaves[i].characters));
  }
  const MarkedDocument parsed = parse_markdown(first + document);
  for (size_t i = 1; i < parsed.blocks.size(); ++i) seen.push_back(parsed.blocks[i].text.text);
  return seen;
}

/// Lists whose items go on behind blank lines.
const std::vector<std::string> kLists{
    "- TE LO\n  ```sh\n  ```\n\n  ZA SA\n",
    "1. TE LO\n\n   ```\n   a b\n\n   c\n   ```\n\n   ZA SA\n2. PO\n",
    "* # TE LO\n\n  ZA SA\n",
    "1) TE LO\n   ==\n\n   ZA SA\n",
    "- TE LO\n\n\n  ZA SA\n\n\n  PO\n",
    "- TE LO\n\n  <div>\n  LO\n  </div>\n\n\n  ZA SA\n",
    "- TE LO\n\n  <div>  \n\n  \n  ZA SA\n",
    "- TE LO\n\n  <!-- a\n\n  b -->\n\n  ZA SA\n",
    "- TE LO\n\n      a b\n\n\n  ZA SA\n",
    "- | a | b |\n  |---|---|\n  | c | d |\n\n\n  ZA SA\n",
    "- TE\n  - LO\n    ~~~\n    a\n    ~~~\n\n    ZA SA\n\n  PO\n",
    "> - # TE LO\n>\n>   ZA SA\n>\n> PO\n",
    "- > TE LO\n\n\n  ZA SA\n",
    "- [ ] # TE LO\n\n  ZA SA\n\n- [x] PO\n",
    "- TE LO\r\n  ```\r\n  a\r\n  ```\r\n\r\n  ZA SA\r\n",
    "- # TE LO\n  [a]: /u\n\n  ZA SA\n",
};

TEST(ParserPadding, AShiftOfADocumentByAnotherBlockChangesNoBlock) {
  for (const std::string& list : kLists) {
    const std::vector<std::string> expected = seen_behind(paragraph(1), list);
    for (size_t shift = 0; shift < 256; ++shift) {
      ASSERT_EQ(seen_behind(paragraph(shift + 1), list), expected) << list << shift;
    }
  }
}

TEST(ParserPadding, AShiftOfADrawnDocumentChangesNoBlock) {
  std::mt19937 random(3);
  for (size_t shift = 0; shift <= kMostShift; ++shift) {
    std::string document;
    for (int lists = 0; lists < 4; ++lists)
      document += kLists[random() % kLists.size()] + "\n" + paragraph(random() % 90);
    ASSERT_EQ(seen_behind("```\n" + paragraph(shift) + "```\n\nLO\n\n", document), seen_behind("LO\n\n", document))
        << document << shift;
  }
}

TEST(ParserPadding, ADocumentAtGoodPlacesStays) {
  for (const std::string document : {"", "a", "a\n\nb\n", "- dog\n\n  b\n"}) {
    const ParserPadding padding(document);
    EXPECT_EQ(padding.text(), document);
    EXPECT_EQ(padding.place(document.size()), document.size());
  }
}

TEST(ParserPadding, TheFirstLineIsMovedByABlankLine) {
  const std::string document = "  - a\n\n\n    b\n";
  const ParserPadding padding(document);
  EXPECT_EQ(padding.text().substr(padding.text().find('-') - 2), document);
  EXPECT_EQ(padding.text().find('\n'), padding.text().size() - document.size() - 1);
  EXPECT_EQ(padding.place(padding.text().find('a')), 4U);
}

TEST(ParserPadding, ALineIsMovedBySpacesInABlankLine) {
  const std::string before(245, 'i');
  for (const std::string blank : {"\n\n", "\r\n\r\n", "\n \t\n"}) {
    const std::string document = before + blank + "- # a\n\n  b\n";
    const size_t wrong = 4 + 256 - document.find('a');
    const std::string shifted = std::string(wrong, 'i') + document;
    ASSERT_EQ(shifted.find('a') % 256, 4U);
    const ParserPadding padding(shifted);
    ASSERT_GT(padding.text().size(), shifted.size());
    EXPECT_NE(padding.text().find('a') % 256, 4U);
    EXPECT_EQ(padding.text().substr(0, wrong + before.size()), shifted.substr(0, wrong + before.size()));
    for (size_t at = shifted.find('-'); at < shifted.size(); ++at) {
      EXPECT_EQ(padding.place(at + padding.text().size() - shifted.size()), at);
    }
  }
}

TEST(ParserPadding, ASignThatCanEndATagGetsNoSpaces) {
  for (size_t bytes = 0; bytes < 256; ++bytes) {
    const std::string document = std::string(bytes, 'i') + "\n<a\n>\n- # a\n\n  b\n";
    const ParserPadding padding(document);
    EXPECT_NE(padding.text().find("\n<a\n>\n- "), std::string::npos) << bytes;
  }
}

}  // namespace
}  // namespace ventris::markup
