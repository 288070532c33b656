#include "office/zip_package.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "markup/markup.h"
#include "support/errors.h"
#include "support/zip_bytes.h"

namespace ventris::office {
namespace {

using markup::MarkupError;
using Entries = std::vector<std::pair<std::string, std::string>>;

TEST(ZipPackage, FilesAreFoundByName) {
  const std::string bytes = test::zip_bytes({{"mimetype", "a"}, {"folder/", ""}, {"folder/b", "content"}});
  ZipPackage package(bytes);
  EXPECT_EQ(package.names(), (std::vector<std::string>{"mimetype", "folder/", "folder/b"}));
  EXPECT_EQ(package.read("folder/b"), "content");
  EXPECT_TRUE(package.has("mimetype"));
  EXPECT_FAILS(package.read("c"), MarkupError, "damaged: the file c is missing in it");
}

TEST(ZipPackage, OtherFilesKeepTheirBytesAndTheOrderStays) {
  const std::string stored =
      test::zip_bytes({{"a", "first first first"}, {"b", "second"}, {"c", "third"}}, ZIP_CM_STORE);
  const std::string changed = with_files(stored, {{"b", "longer than before"}});
  ZipPackage package(changed);
  EXPECT_EQ(package.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(package.read("b"), "longer than before");
  EXPECT_EQ(package.read("c"), "third");
  EXPECT_NE(changed.find("first first first"), std::string::npos);
  EXPECT_NE(changed.find("longer than before"), std::string::npos) << "as it was, it is not packed";
  EXPECT_EQ(with_files(stored, {}), stored);
  EXPECT_EQ(with_files(stored, {{"b", "x"}}), with_files(stored, {{"b", "x"}})) << "the time is that of the old file";
  EXPECT_FAILS(with_files(stored, {{"d", "x"}}), Error, "a zip file could not be made: d");
}

TEST(ZipPackage, TheOldBytesStayWhicheverFileIsReplaced) {
  const std::string bytes = test::zip_bytes({{"a", "first"}, {"b/", ""}, {"c", "second"}, {"d", "third"}});
  for (const char* name : {"a", "c", "d"}) {
    const std::string changed = with_files(bytes, {{name, std::string(100'000, 'x')}});
    ZipPackage package(changed);
    EXPECT_EQ(package.read(name).size(), 100'000U) << name;
  }
}

TEST(ZipPackage, OtherFilesAreRefused) {
  EXPECT_FAILS(ZipPackage("some text"), MarkupError, "not a zip file, as DOCX, ODT and EPUB are");
  EXPECT_FAILS(ZipPackage(""), MarkupError, "not a zip file");
  EXPECT_FAILS(ZipPackage("\xD0\xCF\x11\xE0\xA1\xB1"), MarkupError, "a document with a password");
}

TEST(ZipPackage, CutAndDamagedFilesAreRefused) {
  const std::string bytes = test::zip_bytes({{"a", "x y z x y z x y z x y z"}, {"b", "c"}});
  for (const size_t size : {size_t{4}, size_t{40}, bytes.size() - 1, bytes.size() / 2}) {
    EXPECT_FAILS(ZipPackage(bytes.substr(0, size)), MarkupError, "damaged: not a whole zip file") << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    try {
      ZipPackage package(damaged);
      for (const std::string& name : package.names()) package.read(name);
    } catch (const MarkupError&) {
      continue;
    }
  }
}

TEST(ZipPackage, NamesMustBeGood) {
  for (const char* name : {"/etc/passwd", "../a", "a/../../b", "a\\b"}) {
    const std::string bytes = test::zip_bytes({{name, "x"}});
    EXPECT_FAILS(ZipPackage{bytes}, MarkupError, "which leads out of the document") << name;
  }
  std::string twice = test::zip_bytes({{"aa", "x"}, {"ab", "y"}});
  for (size_t at = twice.find("ab"); at != std::string::npos; at = twice.find("ab")) twice[at + 1] = 'a';
  EXPECT_FAILS(ZipPackage{twice}, MarkupError, "damaged: a file is in it twice");
}

TEST(ZipPackage, EncryptedFilesAreRefused) {
  std::string bytes = test::zip_bytes({{"secret", "x"}}, ZIP_CM_STORE);
  bytes[6] = 1;
  bytes[bytes.find("PK\x01\x02") + 8] = 1;
  EXPECT_FAILS(ZipPackage{bytes}, MarkupError, "secret is encrypted; save the document without a password");
}

TEST(ZipPackage, BombsAreNotUnpacked) {
  const std::string large(markup::kLongestDocument / 2 + 1, ' ');
  const std::string bytes = test::zip_bytes({{"a", large}, {"b", large}});
  ZipPackage package(bytes);
  package.read("a");
  EXPECT_FAILS(package.read("b"), MarkupError, "b: the texts of the document are over 64 MiB when they are unpacked");
}

TEST(ZipPackage, TheCallerSaysHowMuchIsUnpacked) {
  constexpr size_t kMost = 2 << 20;
  const std::string bytes = test::zip_bytes({{"a", std::string(kMost, ' ')}, {"b", " "}});
  ZipPackage package(bytes, kMost);
  EXPECT_EQ(package.read("a").size(), kMost);
  EXPECT_FAILS(package.read("b"), MarkupError, "b: the texts of the document are over 2 MiB when they are unpacked");
}

TEST(ZipPackage, FilesWithoutEndAreRefused) {
  std::vector<std::pair<std::string, std::string>> files;
  for (size_t i = 0; i < kMostFiles; ++i) files.emplace_back(std::to_string(i), "");
  EXPECT_EQ(ZipPackage(test::zip_bytes(files)).names().size(), kMostFiles);
  files.emplace_back("last", "");
  EXPECT_FAILS(ZipPackage{test::zip_bytes(files)}, MarkupError, "has 20001 files in it; expected at most 20000");
}

}  // namespace
}  // namespace ventris::office
