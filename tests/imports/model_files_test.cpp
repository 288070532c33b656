#include "imports/model_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::imports {
namespace {

class ModelFilesTest : public testing::Test {
 protected:
  test::TempFolder folder;
};

TEST_F(ModelFilesTest, AFolderHasItsFilesAndThoseOfItsFolders) {
  std::filesystem::create_directory(folder.path("in"));
  folder.file("in/a.txt", "text");
  const auto files = files_of_folder(folder.path());
  EXPECT_TRUE(files->contains("in/a.txt"));
  EXPECT_FALSE(files->contains("a.txt"));
  EXPECT_EQ(files->read_text("in/a.txt"), "text");
  EXPECT_EQ(files->where("in/a.txt"), folder.path("in/a.txt"));
  EXPECT_FAILS(files->read("a.txt"), ModelError, "a.txt: cannot be read: No such file");
}

TEST_F(ModelFilesTest, AZipFileHasThoseOfTheFolderWithTheMarker) {
  test::write_zip(folder.path("a.zip"), {{"en_de/metadata.json", "{}"}, {"en_de/model/a", "text"}, {"other/b", ""}});
  const auto files = files_of_zip(folder.path("a.zip"), "metadata.json");
  EXPECT_EQ(files->read_text("model/a"), "text");
  EXPECT_FALSE(files->contains("b"));
  EXPECT_FALSE(files->contains("other/b"));
  EXPECT_EQ(files->where("model/a"), folder.path("a.zip") + " (model/a)");
  const auto all = files_of_zip(folder.path("a.zip"), "");
  EXPECT_TRUE(all->contains("other/b"));
  EXPECT_EQ(all->read_text("other/b"), "");
}

}  // namespace
}  // namespace ventris::imports
