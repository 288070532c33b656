#include "documents/name_placeholders.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "documents/builtin_placeholders.h"

namespace ventris::documents {
namespace {

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> found;
  for (const ByteRange& range : builtin_placeholders(text)) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(NamePlaceholders, PathsVersionsAndNumbersOfIssues) {
  EXPECT_EQ(names_in("Put ~/.config/app or /usr/share/a-b into (/etc/hosts)."),
            (Names{"~/.config/app", "/usr/share/a-b", "/etc/hosts"}));
  EXPECT_EQ(names_in("See #123 in v1.2.3."), (Names{"#123", "v1.2.3"}));
}

TEST(NamePlaceholders, KeysThatArePressed) {
  EXPECT_EQ(names_in("Press Ctrl+O or Ctrl+Shift+F1, then Alt+a."), (Names{"Ctrl+O", "Ctrl+Shift+F1", "Alt+a"}));
  EXPECT_EQ(names_in("Open\tF1"), Names{"F1"});
}

TEST(NamePlaceholders, APathOrFileThatBeginsWithAPlaceholder) {
  EXPECT_EQ(names_in("Open {path}/book.txt or {name}.png now."), (Names{"{path}/book.txt", "{name}.png"}));
  EXPECT_EQ(names_in("Hello {name}. I see {a}/{b}."), (Names{"{name}", "{a}", "{b}"}));
}

TEST(NamePlaceholders, AreNoWords) {
  for (const char* text : {"and/or", "5 km/h", "a / b", "/ a", "he/she/they", "he /she", "~5", "#", "# 1", "#1st",
                           "vitamin", "v2", "Ctrl", "Ctrl + O", "A+B", "F1 race", "1/2", "// comment", "Alt-a"}) {
    EXPECT_EQ(names_in(text), Names{}) << text;
  }
}

}  // namespace
}  // namespace ventris::documents
