#include "markup/tildes.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(Tildes, ThoseBetweenNumbersPricesOrAsianLettersStrikeNothingOut) {
  EXPECT_EQ(with_plain_tildes("10~20 $1~$2 9:00~17:00 5%~6% \uC6D4~\uAE08 3~5"),
            "10,20 $1,$2 9:00,17:00 5%,6% \uC6D4,\uAE08 3,5");
}

TEST(Tildes, ThoseThatAreNoPairStrikeNothingOut) {
  EXPECT_EQ(with_plain_tildes("~5 KB (~2 KB) or ~$5/~10"), ",5 KB (,2 KB) or ,$5/,10");
  EXPECT_EQ(with_plain_tildes("a ~b\n\nc~ d"), "a ,b\n\nc, d") << "in two paragraphs";
  EXPECT_EQ(with_plain_tildes("> ~a\n>\n> b~"), "> ,a\n>\n> b,");
  EXPECT_EQ(with_plain_tildes("~a `b~` c"), ",a `b~` c");
  EXPECT_EQ(with_plain_tildes("~"), ",");
  EXPECT_EQ(with_plain_tildes("a ` b\r\n\r\n1~2 3~4\r\n\r\nc ` d"), "a ` b\r\n\r\n1,2 3,4\r\n\r\nc ` d");
  EXPECT_EQ(with_plain_tildes("> `\n>\n> 1~2 `"), "> `\n>\n> 1,2 `");
  EXPECT_EQ(with_plain_tildes("~a\\\n\nb~"), ",a\\\n\nb,");
  EXPECT_EQ(with_plain_tildes("(~5 s) in H~2~O"), "(,5 s) in H~2~O") << "an index";
}

TEST(Tildes, PairsAndOthersStay) {
  for (const char* text : {"~a b~", "H~2~O", "~~10~~", "~~~\na\n~~~", "(~a~), ~*b*~", "`~a (~b`", "\\~a", "", "a~b~"}) {
    EXPECT_EQ(with_plain_tildes(text), text);
  }
}

TEST(Tildes, OneThatTouchesWhatIsBeforeItMayClose) {
  EXPECT_TRUE(may_close_tilde("a~", 1));
  EXPECT_TRUE(may_close_tilde("a~b", 1));
  EXPECT_TRUE(may_close_tilde(")~ b", 1));
  for (const auto* text : {" ~a", "(~a", " ~ "}) EXPECT_FALSE(may_close_tilde(text, 1)) << text;
  EXPECT_FALSE(may_close_tilde("~a", 0));
}

}  // namespace
}  // namespace ventris::markup
