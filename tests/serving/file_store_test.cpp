#include "serving/file_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::serving {
namespace {

TEST(FileStore, FilesAreFoundByNamesThatNobodyCanGuess) {
  FileStore store(100, 10);
  const std::string one = store.add("first", ".txt", 0), other = store.add("second", ".md", 0);
  EXPECT_THAT(one, testing::MatchesRegex("[0-9a-f]{32}\\.txt"));
  EXPECT_NE(one.substr(0, 32), other.substr(0, 32));
  EXPECT_EQ(store.find(one, 1), "first");
  EXPECT_EQ(store.find(one, 1), "first");
  EXPECT_EQ(store.find(other, 1), "second");
  EXPECT_EQ(store.find("other.txt", 1), std::nullopt);
}

TEST(FileStore, FilesAreForgottenAfterTheirTime) {
  FileStore store(100, 10);
  const std::string name = store.add("first", ".txt", 0);
  EXPECT_TRUE(store.find(name, 10).has_value());
  EXPECT_FALSE(store.find(name, 10.5).has_value());
}

TEST(FileStore, TheOldestFilesGiveWay) {
  FileStore store(10, 100);
  const std::string first = store.add("12345", ".txt", 0), second = store.add("12345", ".txt", 1);
  const std::string third = store.add("1", ".txt", 2);
  EXPECT_FALSE(store.find(first, 3).has_value());
  EXPECT_TRUE(store.find(second, 3).has_value());
  EXPECT_TRUE(store.find(third, 3).has_value());
}

TEST(FileStore, TheEndingOfANameSaysHowAFileIsTranslated) {
  EXPECT_STREQ(file_kind("A.B.HTM")->markup, "html");
  EXPECT_STREQ(file_kind("readme.md")->markup, "markdown");
  EXPECT_STREQ(file_kind("a.txt")->markup, "none");
  for (const char* name : {"", "txt", "a.pdf", "a.txt.gz"}) EXPECT_EQ(file_kind(name), nullptr);
}

}  // namespace
}  // namespace ventris::serving
