#include "files/partial.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::files {
namespace {

using Lines = std::vector<std::string>;

class PartialTest : public testing::Test {
 protected:
  Lines lines_of(const std::string& name, const std::string& bytes) {
    Lines lines;
    for_each_whole_line(folder.file(name, bytes), [&](std::string_view line) { lines.emplace_back(line); });
    return lines;
  }
  test::TempFolder folder;
};

TEST_F(PartialTest, TheFirstFreeNumberIsTakenAndLockedAsLongAsItIsOpen) {
  const std::string path = folder.path("out");
  folder.file("out.partial", "of somebody");
  const NamedFile file = create_partial(path, 0600);
  ASSERT_GE(file.descriptor, 0);
  EXPECT_EQ(file.name, path + ".partial-2");
  EXPECT_TRUE(is_locked(file.name));
  EXPECT_FALSE(is_locked(path + ".partial"));
  EXPECT_EQ(partial_files(path), (Lines{path + ".partial", path + ".partial-2"}));
  close(file.descriptor);
  EXPECT_FALSE(is_locked(file.name));
  EXPECT_FALSE(is_locked(folder.path("nothing")));
  EXPECT_EQ(create_partial(folder.path("no/folder"), 0600).descriptor, -1);
}

TEST_F(PartialTest, PartialFilesOfALinkAreThoseOfItsTarget) {
  std::filesystem::create_symlink("target", folder.path("link"));
  folder.file("target.partial", "");
  std::filesystem::create_directory(folder.path("target.partial-2"));
  EXPECT_EQ(partial_files(folder.path("link")), Lines{folder.path("target.partial")});
}

TEST_F(PartialTest, ALastLineWithoutALineFeedIsLeftOut) {
  EXPECT_EQ(lines_of("a", "one\n\ntwo\nhal"), (Lines{"one", "", "two"}));
  EXPECT_EQ(lines_of("a", ""), Lines());
  const std::string line(200'000, 'x');
  EXPECT_EQ(lines_of("a", line + "\n" + line + "\n"), (Lines{line, line}));
  EXPECT_FAILS(for_each_whole_line(folder.path("none"), [](std::string_view) {}), DataError, "none: cannot be read");
}

TEST_F(PartialTest, WhatIsLeftOfAPackedFileIsUnpacked) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string packed = test::gzipped(text);
  EXPECT_EQ(lines_of("a.gz", packed).size(), 20'000U);
  const Lines left = lines_of("a.gz", packed.substr(0, packed.size() / 2));
  ASSERT_GT(left.size(), 5'000U);
  EXPECT_LT(left.size(), 15'000U);
  EXPECT_EQ(left.back(), std::to_string((left.size() - 1) * 7919));
  EXPECT_EQ(lines_of("a.gz", packed.substr(0, 12)), Lines());
}

TEST_F(PartialTest, AnOutputWithItsPartialNameIsLeftOnlyIfTheProcessIsKilled) {
  const std::string path = folder.path("out");
  {
    OutputFile file(path, Packing::kNone, Naming::kPartial);
    EXPECT_EQ(file.partial(), path + ".partial");
    file.write("text");
    file.flush();
    EXPECT_EQ(read_file(file.partial()), "text");
  }
  EXPECT_EQ(partial_files(path), Lines());
  {
    OutputFile file(path, Packing::kNone, Naming::kPartial);
    file.write("text");
    file.commit();
  }
  EXPECT_EQ(read_file(path), "text");
  EXPECT_EQ(partial_files(path), Lines());
  OutputFile file(path, Packing::kNone, Naming::kPartial);
  file.write("part");
  EXPECT_EQ(file.keep_partial(), path + ".partial");
  EXPECT_EQ(read_file(path) + read_file(path + ".partial"), "textpart");
  EXPECT_EQ(OutputFile("/dev/null", Packing::kNone, Naming::kPartial).partial(), "");
}

TEST_F(PartialTest, PackedBytesDoNotDependOnHowTheTextWasDivided) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919) + "\n";
  OutputFile whole(folder.path("whole.gz"), Packing::kBySuffix), divided(folder.path("divided.gz"), Packing::kBySuffix);
  whole.write(text);
  for (size_t at = 0; at < text.size(); at += 999) divided.write(std::string_view(text).substr(at, 999));
  whole.commit();
  divided.commit();
  EXPECT_EQ(read_file(folder.path("whole.gz")), read_file(folder.path("divided.gz")));
}

TEST_F(PartialTest, OnlyWhatNobodyWritesAndIsOursIsRemoved) {
  const std::string path = folder.path("out");
  const NamedFile file = create_partial(path, 0600);
  EXPECT_FALSE(remove_abandoned(file.name));
  close(file.descriptor);
  EXPECT_TRUE(remove_abandoned(file.name));
  EXPECT_FALSE(std::filesystem::exists(file.name));
  EXPECT_TRUE(remove_abandoned(file.name)) << "it is gone already";
  std::filesystem::create_symlink(folder.file("target", "x"), folder.path("out.partial"));
  EXPECT_FALSE(remove_abandoned(path + ".partial"));
  std::filesystem::create_directory(folder.path("out.partial-2"));
  EXPECT_FALSE(remove_abandoned(path + ".partial-2"));
  if (geteuid() != 0) return;
  const std::string foreign = folder.file("out.partial-3", "x");
  ASSERT_EQ(chown(foreign.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(remove_abandoned(foreign));
}

TEST_F(PartialTest, ANewFileIsLockedAlthoughOthersLookAtIt) {
  std::atomic<bool> over = false;
  const std::string path = folder.path("out");
  std::jthread others([&] {
    while (!over) {
      is_locked(path + ".partial");
      remove_abandoned(path + ".partial");
    }
  });
  for (int i = 0; i < 300; ++i) {
    const NamedFile file = create_partial(path, 0600);
    ASSERT_GE(file.descriptor, 0);
    EXPECT_TRUE(is_locked(file.name)) << i;
    EXPECT_TRUE(std::filesystem::exists(file.name)) << i;
    std::filesystem::remove(file.name);  // with its lock, so that the others remove no later file
    close(file.descriptor);
  }
  over = true;
}

}  // namespace
}  // namespace ventris::files
