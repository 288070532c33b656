#include "markup/lettered_items.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

/// The document with "1" in the place of the letters of items.
std::string numbered(std::string document) {
  LetteredItems items;
  for (size_t at = 0; at < document.size();) {
    const size_t end = std::min(document.find('\n', at), document.size());
    const size_t text = end - without_container(std::string_view(document).substr(at, end - at)).size();
    const size_t letters = items.take(document, at, {text, end});
    std::fill_n(document.begin() + static_cast<int64_t>(text), letters, '1');
    at = end + 1;
  }
  return document;
}

TEST(LetteredItems, FollowOneAnother) {
  EXPECT_EQ(numbered("a. one\nb. two\nc. three\n"), "1. one\n1. two\n1. three\n");
  EXPECT_EQ(numbered("text\n\na) one\n\nb) two\n"), "text\n\n1) one\n\n1) two\n");
  EXPECT_EQ(numbered("i. one\nii. two\niii. three\niv. four\nv. five\n"),
            "1. one\n11. two\n111. three\n11. four\n1. five\n");
}

TEST(LetteredItems, MayBeInOtherItems) {
  EXPECT_EQ(numbered("1. one\n    a. two\n    b. three\n2. four\n"), "1. one\n    1. two\n    1. three\n2. four\n");
  EXPECT_EQ(numbered("a. one\n    i. two\n    ii. three\nb. four\nc. five\n"),
            "1. one\n    1. two\n    11. three\n1. four\n1. five\n");
}

TEST(LetteredItems, LettersInTextAreNone) {
  for (const std::string text :
       {"a dog\na. m. is early\nb. c.\n", "a. dog\nThe rest.\n\nb. cats.\n", "a. one\n", "by\nA. Smith and\nB. Jones\n",
        "A. Smith\nB. Jones\n", "b. one\nc. two\n", "a. one\nc. two\n", "a.one\nb.two\n", "\n", ""}) {
    EXPECT_EQ(numbered(text), text);
  }
  EXPECT_EQ(numbered("a. one\nb. two\n\ntext\nc. 1850\n"), "1. one\n1. two\n\ntext\nc. 1850\n");
}

TEST(LetteredItems, EndWithTheAlphabet) {
  std::string list;
  for (char letter = 'a'; letter <= 'z'; ++letter) list += std::string(1, letter) + ". x\n";
  EXPECT_EQ(numbered(list + "{. x\n").find_first_of("abcdz"), std::string::npos);
}

}  // namespace
}  // namespace ventris::markup
