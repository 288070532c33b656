#include "filters/file_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

TEST(FileProgress, IsNotShownToNobody) {
  const test::TempFolder folder;
  EXPECT_EQ(file_progress("translating", {folder.file("in", "a\nb\n")}, folder.path("out")), nullptr);
  EXPECT_EQ(file_progress("translating", {"-"}, folder.path("out")), nullptr);
}

TEST(FileProgress, TheTimeLeftGoesByBytesAndWhatIsShownAreLines) {
  double now = 0;
  std::string shown;
  auto progress = std::make_unique<core::Progress>(
      "translating", "lines", 1000, [&] { return now; }, [&](std::string_view line) { shown = line; });
  core::Progress& line = *progress;
  FileProgress file(std::move(progress), {40, 1000});
  now = 5;
  for (int i = 0; i < 20; ++i) file.done({5});  // half of the lines, a tenth of the work
  line.refresh();
  EXPECT_THAT(shown, testing::HasSubstr(" 10 %, 0:45 left, 20 of 40 lines"));
  now = 50;
  for (int i = 0; i < 20; ++i) file.done({45});
  line.refresh();
  EXPECT_THAT(shown, testing::HasSubstr("100 %, 0:00 left, 40 of 40 lines"));
}

TEST(FileProgress, TheSpeedIsShownAndStaysOnANarrowTerminal) {
  double now = 0;
  size_t columns = 120;
  std::string shown;
  auto progress = std::make_unique<core::Progress>(
      "translating", "lines", 16000, [&] { return now; }, [&](std::string_view line) { shown = line; },
      [&] { return columns; });
  core::Progress& line = *progress;
  FileProgress file(std::move(progress), {4000, 16000});
  now = 4;
  for (int i = 0; i < 750; ++i) {
    file.done({.bytes = 0, .sentences = 1, .tokens = 15});
    file.done({.bytes = 2, .sentences = 1, .tokens = 25});
  }
  file.done({.bytes = 100});  // a blank line
  line.refresh();
  EXPECT_THAT(shown, testing::HasSubstr(" 10 %, 0:36 left, 751 of 4,000 lines, 375 sentences/s, 7,500 tokens/s"));
  columns = 80;
  now = 4.5;
  line.refresh();
  EXPECT_EQ(shown, "translating [=>          ]  10 %, 0:36 left, 375 sentences/s, 7,500 tokens/s");
}

}  // namespace
}  // namespace ventris::filters
