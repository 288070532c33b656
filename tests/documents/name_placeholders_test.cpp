#include "documents/name_placeholders.h"

#include <gtest/gtest.h>

#include "support/found_placeholders.h"

namespace ventris::documents {
namespace {

using Names = std::vector<std::string>;

TEST(NamePlaceholders, PathsVersionsAndNumbersOfIssues) {
  EXPECT_EQ(found_in("Put ~/.config/app or /usr/share/a-b into (/etc/hosts)."),
            (Names{"~/.config/app", "/usr/share/a-b", "/etc/hosts"}));
  EXPECT_EQ(found_in("See #123 in v1.2.3."), (Names{"#123", "v1.2.3"}));
}

TEST(NamePlaceholders, KeysThatArePressed) {
  EXPECT_EQ(found_in("Press Ctrl+O or Ctrl+Shift+F1, then Alt+a."), (Names{"Ctrl+O", "Ctrl+Shift+F1", "Alt+a"}));
  EXPECT_EQ(found_in("Open\tF1"), Names{"F1"});
  EXPECT_EQ(found_in("Remove\tDel\tShift+Del"), (Names{"Del", "Shift+Del"}));
}

TEST(NamePlaceholders, APathOrFileThatBeginsWithAPlaceholder) {
  EXPECT_EQ(found_in("Open {path}/book.txt or {name}.png now."), (Names{"{path}/book.txt", "{name}.png"}));
  EXPECT_EQ(found_in("Hello {name}. I see {a}/{b}."), (Names{"{name}", "{a}", "{b}"}));
  EXPECT_EQ(found_in("Only {price}/month or {base}/a/b"), (Names{"{price}", "{base}/a/b"}));
}

TEST(NamePlaceholders, AreNoWords) {
  for (const char* text : {"and/or",
                           "5 km/h",
                           "a / b",
                           "/ a",
                           "he/she/they",
                           "he /she",
                           "~5",
                           "#",
                           "# 1",
                           "#1st",
                           "vitamin",
                           "v2",
                           "Ctrl",
                           "Ctrl + O",
                           "A+B",
                           "F1 race",
                           "1/2",
                           "// comment",
                           "Alt-a",
                           "Name\tEnter your name",
                           "Win+Win situation",
                           "(s)/students/parents"}) {
    EXPECT_EQ(found_in(text), Names{}) << text;
  }
}

TEST(NamePlaceholders, APathOfWindowsBehindAVariable) {
  EXPECT_EQ(found_in("Open %APPDATA%\\MyApp\\config.ini. In %USERPROFILE%\\Documents, %TEMP%\\ it"),
            (Names{"%APPDATA%\\MyApp\\config.ini", "%USERPROFILE%\\Documents", "%TEMP%"}));
  EXPECT_EQ(found_in("%name%\\nHello %NAME%\\nHello"), (Names{"%name%", "\\n", "%NAME%", "\\n"}));
}

TEST(NamePlaceholders, APagePathBehindANameOfAPlace) {
  EXPECT_EQ(found_in("In ${HOME}/bin, $HOME/bin or %{base_url}/help, {siteUrl}/about."),
            (Names{"${HOME}/bin", "$HOME/bin", "%{base_url}/help", "{siteUrl}/about"}));
  EXPECT_EQ(found_in("${price}/month ${PRICE}/month {base}/{x} %{count}/page {base}/"),
            (Names{"${price}", "${PRICE}", "{base}", "{x}", "%{count}", "{base}"}));
  EXPECT_EQ(found_in("{direction}/speed {security}/account {database}/table {ghost}/one"),
            (Names{"{direction}", "{security}", "{database}", "{ghost}"}))
      << "a part of a word is no name of a place";
}

TEST(NamePlaceholders, FilesFunctionsAndConstants) {
  EXPECT_EQ(found_in("Images (*.png *.jpg) or src/util.py"), (Names{"*.png", "*.jpg", "src/util.py"}));
  EXPECT_EQ(found_in("call wp_insert_post() in wp-config.php with WP_DEBUG"),
            (Names{"wp_insert_post()", "wp-config.php", "WP_DEBUG"}));
  for (const std::string none :
       {"R", "USA", "a*b", "*.", "**.", "5 * 3", "file(s)", "a_b", "_A", "A_", "the end.Next"}) {
    EXPECT_EQ(found_in(none), Names{}) << none;
  }
}

TEST(NamePlaceholders, RelativePaths) {
  EXPECT_EQ(found_in("Run ./install.sh, ../docs/a.html or ./gradlew."),
            (Names{"./install.sh", "../docs/a.html", "./gradlew"}));
  EXPECT_EQ(found_in("Wait... ./ or ../ (a./b)"), Names{});
}

TEST(NamePlaceholders, APathOfANetwork) {
  EXPECT_EQ(found_in("See \\\\server\\share\\x.txt, please"), Names{"\\\\server\\share\\x.txt"});
  EXPECT_EQ(found_in("See \\\\\\\\server\\\\share"), Names{"\\\\\\\\server\\\\share"});
}

TEST(NamePlaceholders, NamesOfUsersMayHaveDots) {
  EXPECT_EQ(found_in("Thanks @jane.doe. And @Model.Name, too"), (Names{"@jane.doe", "@Model.Name"}));
}

}  // namespace
}  // namespace ventris::documents
