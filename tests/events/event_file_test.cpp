#include "events/event_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "events/record.h"
#include "events/records.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/temp_folder.h"

namespace ventris::events {
namespace {

using testing::HasSubstr;

TEST(EventFile, BeginsWithItsVersionAndTheFirstStepOfItsRun) {
  const test::TempFolder folder;
  EventFile file(folder.path(), 1);
  EXPECT_EQ(file.path(), "");
  EXPECT_TRUE(event_files(folder.path()).empty());
  file.write(100, {{"train/loss", 2.5}});
  file.write(200, {{"train/loss", 2.0}});
  EXPECT_EQ(event_files(folder.path()), std::vector<std::string>{file.path()});
  EXPECT_THAT(file.path(), HasSubstr("/events.out.tfevents."));
  const auto records = test::records_of(test::file_bytes(file.path()));
  ASSERT_EQ(records.size(), 4U);
  EXPECT_THAT(records[0], HasSubstr("brain.Event:2"));
  EXPECT_EQ(records[1].substr(9), start_event(0, 1).substr(9));  // behind the time
  EXPECT_EQ(records[2].substr(9), scalar_event(0, 100, {{"train/loss", 2.5}}).substr(9));
}

TEST(EventFile, EachStartHasOneThatSortsBehindTheEarlierOnes) {
  const test::TempFolder folder;
  const std::string far = folder.file("events.out.tfevents.9000000000.host", "");  // a clock that was wrong
  std::vector<std::string> made{far};
  for (int start = 0; start < 3; ++start) {
    EventFile file(folder.path(), 1);
    file.write(1, {});
    made.push_back(file.path());
  }
  EXPECT_EQ(event_files(folder.path()), made);
}

TEST(EventFile, OneThatCannotBeWrittenIsSaidAndAnotherIsTriedNextTime) {
  const test::TempFolder folder;
  EventFile file(folder.path("run"), 1);
  EXPECT_FAILS(file.write(1, {}), WriteError, ": cannot be written");
  std::filesystem::create_directory(folder.path("run"));
  file.write(2, {});
  EXPECT_EQ(event_files(folder.path("run")).size(), 1U);
}

TEST(EventFile, AFullDiskIsNotLitteredWithFilesThatHaveNoEvent) {
  const test::TempFolder folder;
  EventFile file(folder.path(), 7);
  {
    const test::FileSizeLimit full_disk(8);
    for (int i = 0; i < 3; ++i) EXPECT_THROW(file.write(7 + i, {}), WriteError);
  }
  EXPECT_TRUE(event_files(folder.path()).empty());
  file.write(10, {});
  const auto records = test::records_of(test::file_bytes(file.path()));
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].substr(9), start_event(0, 7).substr(9));  // what it should begin with is not lost
}

TEST(EventFiles, ThoseOfOtherProgramsAreNotOurs) {
  const test::TempFolder folder;
  for (const char* name : {"events.out.tfevents.17.host", "events.out.tfevents.17.ventris.bak",
                           "events.out.tfevents.ventris", "events.out.tfevents.1x.ventris", "events.out.tfevents."}) {
    folder.file(name, "");
  }
  EXPECT_TRUE(own_event_files(folder.path()).empty());
  EventFile file(folder.path(), 7);
  file.write(7, {});
  EXPECT_EQ(own_event_files(folder.path()), std::vector<std::string>{file.path()});
}

TEST(EventFiles, OfAFolderThatIsNotThereAreNone) { EXPECT_TRUE(event_files("/none/such").empty()); }

}  // namespace
}  // namespace ventris::events
