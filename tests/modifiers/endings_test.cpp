#include "modifiers/endings.h"

#include <gtest/gtest.h>

namespace ventris::modifiers {
namespace {

using Places = std::vector<size_t>;

TEST(Endings, TextsAreJoinedWithASpaceExceptBesideChineseAndJapanese) {
  EXPECT_EQ(joined("One.", "Two."), "One. Two.");
  EXPECT_EQ(joined("One. \u00a0", "\t Two."), "One. Two.");
  EXPECT_EQ(joined("你好。", "世界。"), "你好。世界。");
  EXPECT_EQ(joined("こんにちは", "Hello"), "こんにちはHello");
  EXPECT_EQ(joined("안녕.", "세상."), "안녕. 세상.");
  EXPECT_EQ(joined("שלום.", "עולם."), "שלום. עולם.");
  EXPECT_EQ(joined("", "Two"), "Two");
  EXPECT_EQ(joined("One ", " "), "One");
  EXPECT_EQ(joined("", ""), "");
}

TEST(Endings, MarksOfAnyScriptAreFound) {
  EXPECT_EQ(ending_of("Yes!?").marks, "!?");
  EXPECT_EQ(ending_of("Oui !").text_end, 3U);
  EXPECT_EQ(ending_of("你好。").marks, "。");
  EXPECT_EQ(ending_of("كيف حالك؟").marks, "؟");
  EXPECT_EQ(ending_of("नमस्ते।").marks, "।");
  EXPECT_EQ(ending_of("well… ").marks, "…");
  EXPECT_EQ(ending_of("none").marks, "");
  EXPECT_EQ(ending_of("\"Quoted.\"").marks, "");
  EXPECT_EQ(ending_of("").marks, "");
  EXPECT_EQ(ending_of("...").text_end, 0U);
}

TEST(Endings, InnerSentencesEndBeforeASpaceOrAfterAFullwidthMark) {
  EXPECT_EQ(inner_ends("One. Two! 3.5 is more."), (Places{4, 9}));
  EXPECT_EQ(inner_ends("一。二！"), (Places{6}));
  EXPECT_EQ(inner_ends("Wait... what? "), (Places{7}));
  EXPECT_EQ(inner_ends("One"), Places{});
  EXPECT_EQ(inner_ends(""), Places{});
}

}  // namespace
}  // namespace ventris::modifiers
