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

TEST(FileStore, ATranslationHasTheEndingOfItsFile) {
  EXPECT_EQ(ending_of("A.B.HTM"), ".htm");
  EXPECT_EQ(ending_of("res/strings.xml"), ".xml");
  EXPECT_EQ(ending_of("name"), "");
  const std::vector<std::string> endings = file_endings();
  for (const char* ending : {".txt", ".html", ".md", ".xml", ".srt", ".vtt", ".po", ".json", ".xlf", ".yaml"}) {
    EXPECT_TRUE(std::ranges::count(endings, ending) == 1) << ending;
  }
}

}  // namespace
}  // namespace ventris::serving
