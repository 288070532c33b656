#include "imports/marian_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "imports/import_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

class MarianFolderTest : public testing::Test {
 protected:
  void copy(const std::string& name, const std::string& as) const {
    std::filesystem::copy(VENTRIS_SOURCE "/tests/imports/data/marian/" + name, folder.path(as));
  }
  test::TempFolder folder;
};

TEST_F(MarianFolderTest, AModelAndItsTokenizerAreFound) {
  copy("ssru.bin", "model.bin");  // a name that CTranslate2 has, too
  copy("both.spm", "vocab.spm");
  EXPECT_EQ(import_model({folder.path("")}).package.source_spm.empty(), false);
}

TEST_F(MarianFolderTest, ATokenizerForEachSideIsToldByItsName) {
  copy("post.npz", "model.npz");
  copy("both.spm", "target.spm");
  EXPECT_EQ(find_marian_files(folder.path("")).tokenizers.size(), 1U);
  copy("both.spm", "source.spm");
  const auto found = find_marian_files(folder.path("")).tokenizers;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].ends_with("source.spm") && found[1].ends_with("target.spm"));
  copy("both.spm", "a.spm");
  EXPECT_TRUE(find_marian_files(folder.path("")).tokenizers.empty());
}

TEST_F(MarianFolderTest, AmongSeveralModelsOneMustBeNamed) {
  copy("post.npz", "model.npz");
  copy("pre.npz", "best.npz");
  EXPECT_TRUE(is_marian_folder(folder.path("")));
  EXPECT_FAILS(find_marian_files(folder.path("")), ModelError,
               "expected one model of Marian or Bergamot (.npz or .bin), found 2; name one of them");
  EXPECT_FALSE(is_marian_folder(folder.path("nothing")));
}

}  // namespace
}  // namespace ventris::imports
