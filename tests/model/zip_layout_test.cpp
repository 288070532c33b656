#include "model/zip_layout.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.h"
#include "engine/counted_memory.h"
#include "model/zip_archive.h"
#include "support/errors.h"
#include "support/raw_zip.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

using test::RawZip;

class ZipLayout : public testing::Test {
 protected:
  std::vector<ZipPlace> layout(const std::string& bytes) const { return zip_layout(folder.file("z", bytes), "z"); }
  std::map<std::string, std::string> entries(const std::string& bytes) const {
    return ZipArchive::open(folder.file("z", bytes), "z", ZipArchive::all).entries;
  }
  const test::TempFolder folder;
};

TEST_F(ZipLayout, ListsTheEntriesOfTheDirectory) {
  test::write_zip(folder.path("z"), {{"m/a", "one"}, {"m/b", ""}, {"m/c", "three"}});
  const auto found = zip_layout(folder.path("z"), "z");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "m/a");
  EXPECT_EQ(found[1].bytes, 0U);
  EXPECT_EQ(found[2].bytes, 5U);
  EXPECT_TRUE(layout(RawZip().finish("a comment")).empty());
}

TEST_F(ZipLayout, KnowsTheArchivesOfLibTorchWithNumbersOf64Bits) {
  const std::string command =
      "tar -xzf '" VENTRIS_SOURCE "/tests/golden/version-0.1.tar.gz' -C '" + folder.path() + "' export.pt";
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(zip_layout(folder.path("export.pt"), "e").size(), 60U);
}

TEST_F(ZipLayout, EntriesWithTheSameBytesAreRefused) {
  RawZip same;
  const std::string data(100, 'x');
  const size_t place = same.add("m/a", data);
  same.list("m/a", data, place);
  same.list("m/a", data, place);
  EXPECT_FAILS(layout(same.finish()), ModelError, "z: damaged: its entries 'm/a' and 'm/a' share bytes");
  RawZip within;
  const std::string inner(40, 'y');
  RawZip part;
  part.add("m/b", inner);
  const std::string outer = part.finish();
  const size_t begin = within.add("m/a", outer);
  within.list("m/a", outer, begin);
  within.list("m/b", inner, begin + 30 + 3);
  EXPECT_FAILS(layout(within.finish()), ModelError, "its entries 'm/a' and 'm/b' share bytes");
  EXPECT_FAILS(entries(within.finish()), ModelError, "z: damaged: ");
}

TEST_F(ZipLayout, AFileOfManyOverlappingEntriesNeedsNoMoreMemoryThanItsSize) {
  RawZip quilt;  // each entry ends where the last one does
  std::string rest(100'000, 'x');
  std::vector<std::pair<std::string, std::string>> all;
  for (int i = 500; i-- > 0;) {
    const std::string name = "m/data/" + std::to_string(1000 + i);
    all.emplace_back(name, rest);
    RawZip one;
    one.add(name, rest);
    rest = one.finish().substr(0, 30 + name.size()) + rest;
  }
  size_t place = 0;
  std::string bytes = rest, directory;
  RawZip lists;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    lists.list(one->first, one->second, place);
    place += 30 + one->first.size();
  }
  std::string end = lists.finish();
  const auto begin = static_cast<uint32_t>(bytes.size());
  end.replace(end.size() - 6, 4, reinterpret_cast<const char*>(&begin), 4);
  bytes += end;
  all.clear();
  EXPECT_LT(test::peak_during([&] { EXPECT_FAILS(entries(bytes), ModelError, "z: damaged: "); }), 5'000'000);
}

TEST_F(ZipLayout, WhatItsDirectorySaysWronglyIsRefused) {
  RawZip archive;
  const size_t place = archive.add("m/a", "data");
  EXPECT_FAILS(layout(archive.finish("", 1)), ModelError, "its directory has another number of entries than it says");
  archive.list("m/a", "data", place + 1);
  EXPECT_FAILS(layout(archive.finish()), ModelError, "z (m/a): damaged: it has no local header");
  RawZip longer;
  longer.list("m/a", "data and more", longer.add("m/a", "data"));
  EXPECT_FAILS(layout(longer.finish()), ModelError, "z (m/a): damaged: it is not before the directory");
  RawZip outside;
  outside.list("m/a", "data", 4'000'000'000);
  EXPECT_FAILS(layout(outside.finish()), ModelError, "a part of the archive is outside the file");
  RawZip wide;
  wide.list("m/a", "data", 0xffffffff);
  EXPECT_FAILS(layout(wide.finish()), ModelError, "z (m/a): damaged: its numbers of 64 bits are missing");
  std::string bytes = longer.finish();
  EXPECT_FAILS(layout(bytes + "x"), ModelError, "it has no end record of a zip archive at its end");
  EXPECT_FAILS(layout(""), ModelError, "it has no end record");
  const size_t directory = bytes.find("PK\1\2");
  bytes[directory] = 'X';
  EXPECT_FAILS(layout(bytes), ModelError, "its directory is not whole");
  bytes = longer.finish();
  bytes[bytes.size() - 10] = 10;  // the size of the directory
  EXPECT_FAILS(layout(bytes), ModelError, "its directory is cut off");
  bytes[bytes.size() - 7] = 10;
  EXPECT_FAILS(layout(bytes), ModelError, "its directory is not before its end record");
  EXPECT_FAILS(zip_layout(folder.path("none"), "none"), ModelError, "none: cannot be read");
}

TEST_F(ZipLayout, AnArchiveWithTwoEndRecordsIsReadInOneWayOrRefused) {
  RawZip hidden, shown;
  hidden.put("m/a", "hidden");
  shown.put("m/a", "shown");
  const std::string inner = hidden.finish();
  try {
    EXPECT_EQ(entries(shown.finish(inner)).at("a"), "shown");
  } catch (const ModelError&) {
  }
}

}  // namespace
}  // namespace ventris::model
