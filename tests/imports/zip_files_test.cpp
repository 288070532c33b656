#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "files/files.h"
#include "imports/model_files.h"
#include "support/errors.h"
#include "support/raw_zip.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::imports {
namespace {

/// Archives that no program would write.
class HostileZip : public testing::Test {
 protected:
  std::string written(const test::RawZip& zip) const { return folder.file("package", zip.finish()); }
  void expect_refused(const test::RawZip& zip, const std::string& part) const {
    EXPECT_FAILS(files_of_zip(written(zip), "metadata.json"), ModelError, part);
  }
  test::TempFolder folder;
};

TEST_F(HostileZip, NamesThatLeadOutsideAreRefused) {
  for (const char* name : {"../x", "en_de/../../x", "/etc/x", "en_de/..", "en_de\\x"}) {
    test::RawZip zip;
    zip.put("en_de/metadata.json", "{}");
    zip.put(name, "x");
    expect_refused(zip, "leads outside the archive; nothing was read");
  }
}

TEST_F(HostileZip, AFileThatIsThereTwiceAndSeveralFoldersAreRefused) {
  test::RawZip twice;
  for (int i = 0; i < 2; ++i) twice.put("a/metadata.json", "{}");
  EXPECT_THROW(files_of_zip(written(twice), "metadata.json"), ModelError);
  test::RawZip zip;
  zip.put("a/metadata.json", "{}");
  zip.put("b/metadata.json", "{}");
  expect_refused(zip, "expected one folder with metadata.json, found several");
  EXPECT_FAILS(files_of_zip(folder.file("text", "no zip file"), "x"), ModelError, "text: damaged");
}

TEST_F(HostileZip, AnEntryThatWouldBecomeManyTimesLargerIsRefused) {
  test::write_zip(folder.path("bomb"), {{"a/metadata.json", "{}"}, {"a/zeros", std::string(1 << 22, '\0')}},
                  ZIP_CM_DEFLATE);
  const auto files = files_of_zip(folder.path("bomb"), "metadata.json");
  EXPECT_EQ(files->read_text("metadata.json"), "{}");
  EXPECT_FAILS(files->read("zeros"), ModelError, "4194304 unpacked; expected at most 30 times as many");
  EXPECT_FAILS(files->read("none"), ModelError, "(none): does not exist");
}

TEST_F(HostileZip, AnEntryThatSaysAnotherSizeOrSumIsRefused) {
  test::write_zip(folder.path("package"), {{"a/metadata.json", "{\"from_code\": \"a\"}"}}, ZIP_CM_STORE);
  std::string bytes = files::read_file(folder.path("package"));
  bytes[bytes.find("from_code")] = 'F';
  const auto files = files_of_zip(folder.file("package", bytes), "metadata.json");
  EXPECT_FAILS(files->read("metadata.json"), ModelError, "(metadata.json): damaged");
}

TEST_F(HostileZip, AFileIsRecognisedByTheNamesInIt) {
  test::write_zip(folder.path("a.zip"), {{"in/x", "1"}, {"y", "2"}});
  EXPECT_TRUE(is_zip_with(folder.path("a.zip"), "x"));
  EXPECT_FALSE(is_zip_with(folder.path("a.zip"), "y")) << "it is in no folder";
  EXPECT_TRUE(is_zip_with_top(folder.path("a.zip"), "y"));
  EXPECT_FALSE(is_zip_with_top(folder.path("a.zip"), "x"));
  for (const std::string& other : {folder.file("text", "PK\x03\x04 no zip file"), folder.path("none"), folder.path()}) {
    EXPECT_FALSE(is_zip_with(other, "x")) << other;
    EXPECT_FALSE(is_zip_with_top(other, "y")) << other;
  }
}

}  // namespace
}  // namespace ventris::imports
