#include "exports/stored_zip.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "model/zip_archive.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::exports {
namespace {

TEST(StoredZip, AnotherReaderFindsEveryEntry) {
  const test::TempFolder folder;
  StoredZip archive;
  archive.add("top/extra/empty", "");
  archive.add("top/extra/short", "one");
  archive.add("top/extra/long", std::string(1000, 'x'));
  const auto found = model::ZipArchive::open(folder.file("file.zip", std::move(archive).finish()));
  EXPECT_EQ(found.extra,
            (std::map<std::string, std::string>{{"empty", ""}, {"short", "one"}, {"long", std::string(1000, 'x')}}));
  EXPECT_TRUE(model::ZipArchive::open(folder.file("none.zip", StoredZip().finish())).extra.empty());
}

TEST(StoredZip, DataStartsAtMultiplesOf64Bytes) {
  for (size_t length = 1; length < 70; ++length) {
    StoredZip archive;
    archive.add(std::string(length, 'n'), "first");
    archive.add("name", "second");
    const std::string bytes = std::move(archive).finish();
    EXPECT_EQ(bytes.find("first") % 64, 0U) << length;
    EXPECT_EQ(bytes.find("second") % 64, 0U) << length;
  }
}

TEST(StoredZip, WhatTheFormatHasNoNumbersForIsRefused) {
  const char* data = "only its size is looked at";
  EXPECT_FAILS(StoredZip().add("big", {data, size_t{1} << 32}), ModelError,
               "big: the file would have 4 GiB or more; use --format safetensors");
}

}  // namespace
}  // namespace ventris::exports
