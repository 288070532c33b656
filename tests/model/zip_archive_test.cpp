#include "model/zip_archive.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/raw_zip.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

class ZipArchiveTest : public testing::Test {
 protected:
  const test::TempFolder folder;
  const std::string path = folder.path("model.pt");
};

TEST_F(ZipArchiveTest, KeepsWhatLiesUnderExtraAndNothingElse) {
  test::write_zip(path, {{"model/data.pkl", "code"},
                         {"model/extra/config.json", "{}"},
                         {"model/data/extra/config.json", "another"},
                         {"model/extra/deep/name", "deep"},
                         {"extra/config.json", "top"}});
  EXPECT_EQ(ZipArchive::open(path).extra,
            (std::map<std::string, std::string>{{"config.json", "{}"}, {"deep/name", "deep"}}));
}

TEST_F(ZipArchiveTest, KeepsTheOtherEntriesOnRequest) {
  test::write_zip(path, {{"model/data.pkl", "objects"}, {"model/data/0", "weights"}, {"model/extra/a", "extra"}});
  const auto archive = ZipArchive::open(path, "", ZipArchive::all);
  EXPECT_EQ(archive.entries, (std::map<std::string, std::string>{{"data.pkl", "objects"}, {"data/0", "weights"}}));
  EXPECT_EQ(archive.extra.size(), 1U);
  const auto some = ZipArchive::open(path, "", [](const std::string& name) { return name == "data/0"; });
  EXPECT_EQ(some.entries, (std::map<std::string, std::string>{{"data/0", "weights"}}));
}

TEST_F(ZipArchiveTest, AFlippedByteOfAnyEntryIsFoundByItsChecksum) {
  const std::string weights(3000, 'w');
  test::write_zip(path, {{"model/data/0", weights}, {"model/extra/config.json", "{}"}});
  std::string bytes = test::file_bytes(path);
  const size_t at = bytes.find(weights) + 1234;
  bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
  folder.file("model.pt", bytes);
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "model.pt (model/data/0): damaged: CRC error");
}

TEST_F(ZipArchiveTest, TruncatedFilesAndOtherFilesAreRefused) {
  test::write_zip(path, {{"model/extra/config.json", "{}"}});
  const std::string bytes = test::file_bytes(path);
  for (size_t size = 0; size < bytes.size(); ++size) {
    folder.file("model.pt", bytes.substr(0, size));
    EXPECT_FAILS(ZipArchive::open(path), ModelError, "model.pt") << size;
  }
  folder.file("model.pt", "This is a text.");
  EXPECT_FAILS(ZipArchive::open(path), ModelError,
               "model.pt: damaged, or neither a bundle folder nor a TorchScript file");
  EXPECT_FAILS(ZipArchive::open(folder.path("none")), ModelError, "none: cannot be read");
}

TEST_F(ZipArchiveTest, AFileOfABundleNamesItsFolder) {
  folder.file("MANIFEST", "");
  folder.file("config.json", "{}");
  const std::string weights = folder.file("model.safetensors", "no archive");
  EXPECT_FAILS(ZipArchive::open(weights), ModelError,
               "this is one file of a bundle; give its folder: -m " + folder.path());
}

TEST_F(ZipArchiveTest, CompressedEntriesAreRefusedBeforeTheyAreUnpacked) {
  test::write_zip(path, {{"model/data/0", std::string(1 << 20, '0')}}, ZIP_CM_DEFLATE);
  EXPECT_FAILS(ZipArchive::open(path), ModelError,
               "(model/data/0): expected an entry that is neither compressed nor encrypted");
}

TEST_F(ZipArchiveTest, ProgramTextMayBeCompressedUpToABound) {
  test::write_zip(path, {{"model/code/a.py", std::string(1 << 20, ' ')}}, ZIP_CM_DEFLATE);
  EXPECT_NO_THROW(ZipArchive::open(path));
  test::write_zip(path, {{"model/code/a.py", std::string(17 << 20, ' ')}}, ZIP_CM_DEFLATE);
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "(model/code/a.py): expected an entry that is neither compressed");
}

TEST_F(ZipArchiveTest, CompressedTextIsBoundedInAllAndNoneIsKept) {
  test::write_zip(path, {{"model/extra/code/a.py", std::string(1 << 20, ' ')}}, ZIP_CM_DEFLATE);
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "(model/extra/code/a.py): expected an entry that is neither");
  std::vector<std::pair<std::string, std::string>> entries;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    entries.emplace_back("model/code/" + std::string(name), std::string(16 << 20, ' '));
  }
  test::write_zip(path, entries, ZIP_CM_DEFLATE);
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "(model/code/e): expected at most 67108864 bytes of program text");
}

TEST_F(ZipArchiveTest, TextThatUnpacksToMoreThanItsSizeIsRefused) {
  test::write_zip(path, {{"model/code/a.py", std::string(1 << 20, ' ')}}, ZIP_CM_DEFLATE);
  std::string bytes = test::file_bytes(path);
  bytes.replace(22, 4, std::string("\0\x10\0\0", 4));                             // in the local header: 4096
  bytes.replace(bytes.find("PK\1\2") + 24, 4, std::string("\0\x10\0\0", 4));  // in the directory
  folder.file("model.pt", bytes);
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "model.pt (model/code/a.py): damaged");
}

TEST_F(ZipArchiveTest, AnExtraFileThatIsThereTwiceIsRefused) {
  test::write_zip(path, {{"model/extra/config.json", "{}"}, {"other/extra/config.json", "{}"}});
  EXPECT_FAILS(ZipArchive::open(path), ModelError,
               "model.pt (other/extra/config.json): damaged: the entry occurs twice");
}

TEST_F(ZipArchiveTest, AnyEntryThatIsThereTwiceIsRefused) {
  test::RawZip archive;
  archive.put("model/code/a.py", "");
  archive.put("model/code/a.py", "code");
  folder.file("model.pt", archive.finish());
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "model.pt: damaged, or neither");
}

TEST_F(ZipArchiveTest, NamesThatCannotBeShownAreRefused) {
  test::write_zip(path, {{"model/\xc3\xa9", "x"}});
  EXPECT_FAILS(ZipArchive::open(path), ModelError, "model.pt: damaged: an entry's name is empty or not printable");
}

}  // namespace
}  // namespace ventris::model
