#include "filters/earlier_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "filters/finished_input.h"
#include "filters/run_record.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class EarlierOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    settings.input = folder.file("in", "a\nb\nc\n");
    settings.output = folder.path("out");
  }

  /// Leaves a partial output with the record of these settings.
  std::string leave(const std::string& name, const std::string& text) {
    const std::string path = folder.file(name, text);
    files::write_file(record_name(path), record_of(settings).dump());
    return path;
  }
  EarlierOutput find() { return find_earlier_output(settings, record_of(settings)); }

  std::vector<std::string> answers(const EarlierOutput& earlier, OutputFormat format = OutputFormat::kText) {
    std::vector<std::string> all;
    const int64_t count = for_each_answer(earlier, format, [&](std::string_view answer) { all.emplace_back(answer); });
    EXPECT_EQ(count, static_cast<int64_t>(all.size()));
    return all;
  }
  std::vector<std::string> lists_in(const std::string& text, int64_t most = 100) {
    EarlierOutput earlier;
    earlier.partial = folder.file("lists", text);
    earlier.most = most;
    return answers(earlier, OutputFormat::kMoses);
  }

  test::TempFolder folder;
  TranslateSettings settings;
};

TEST_F(EarlierOutputTest, ThereIsNoneInAnEmptyFolder) {
  EXPECT_EQ(find().partial, "");
  folder.file("out", "old\n");
  folder.file("other.partial", "x\n");
  EXPECT_EQ(find().partial, "") << "neither a whole output nor that of another file";
}

TEST_F(EarlierOutputTest, OfSeveralTheLongestIsTakenAndTheOthersAreRemoved) {
  leave("out.partial", "one\n");
  leave("out.partial-2", "one\ntwo\nthr");
  leave("out.partial-3", "one\ntwo\n");
  const EarlierOutput found = find();
  EXPECT_EQ(found.partial, folder.path("out.partial-2"));
  EXPECT_THAT(answers(found), ElementsAre("one\n", "two\n"));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial-2", "out.partial-2.json"));
}

TEST_F(EarlierOutputTest, OneThatWasBegunDifferentlyIsLeftAlone) {
  settings.translator.search.beam_size = 7;
  leave("out.partial", "one\ntwo\n");
  settings.translator.search.beam_size = 5;
  EXPECT_FAILS(find(), ConfigError,
               "resume: " + folder.path("out.partial") + ": was begun with another beam_size (7 at the start, now 5)");
  leave("out.partial-2", "one\n");
  EXPECT_EQ(find().partial, folder.path("out.partial-2"));
  EXPECT_TRUE(fs::exists(folder.path("out.partial"))) << "it can be gone on with by another command";
}

TEST_F(EarlierOutputTest, WithoutARecordOrWithADamagedOneNobodyKnowsHowItWasBegun) {
  const std::string path = folder.file("out.partial", "one\n");
  EXPECT_FAILS(find(), ConfigError, "its record " + record_name(path) + " is missing");
  for (const std::string record : {"", "[]", "{\"a\":", "7"}) {
    files::write_file(record_name(path), record);
    EXPECT_FAILS(find(), ConfigError, "was begun with a record that is damaged") << record;
  }
}

TEST_F(EarlierOutputTest, AnEmptyOneWithoutARecordIsRemoved) {
  folder.file("out.partial", "");
  EXPECT_EQ(find().partial, "");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
}

TEST_F(EarlierOutputTest, IfTheInputHasChangedOnlyTheLinesThatAChecksumConfirmsCount) {
  const std::string path = folder.file("out.partial", "one\ntwo\nthree\n");
  FinishedInput finished;
  for (const char* line : {"a", "b", "c"}) {
    finished.read(line, "");
    finished.finish();
  }
  nlohmann::ordered_json record = record_of(settings);
  record[kFinishedInput] = finished.to_json();
  files::write_file(record_name(path), record.dump());
  EXPECT_EQ(answers(find()).size(), 3U);
  folder.file("in", "a\nb\nc\nd\n");
  EXPECT_EQ(answers(find()).size(), 3U) << "a further line";
  folder.file("in", "a\nb\nX\nd\n");
  const EarlierOutput found = find();
  EXPECT_EQ(found.most, 2);
  EXPECT_THAT(answers(found), ElementsAre("one\n", "two\n"));
  folder.file("in", "X\nb\nc\n");
  EXPECT_FAILS(find(), ConfigError, "was begun with another input");
}

TEST_F(EarlierOutputTest, OfPackedLinesThoseThatCanBeUnpackedCount) {
  settings.output = folder.path("out.gz");
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string packed = test::gzipped(text);
  EarlierOutput earlier;
  earlier.partial = folder.file("out.partial.gz", packed.substr(0, packed.size() / 2));
  const auto left = answers(earlier);
  EXPECT_GT(left.size(), 1000U);
  EXPECT_LT(left.size(), 20'000U);
  EXPECT_EQ(left[1000], "7919000\n");
}

TEST_F(EarlierOutputTest, TheLastListMayLackLinesAndIsLeftOut) {
  EXPECT_THAT(lists_in("0 ||| a\n0 ||| b\n1 ||| c\n2 ||| d\n"), ElementsAre("0 ||| a\n0 ||| b\n", "1 ||| c\n"));
  EXPECT_THAT(lists_in("0 ||| a\n"), ElementsAre());
  EXPECT_THAT(lists_in("0 ||| a\n1 ||| c\n2 ||| d\n3 |", 1), ElementsAre("0 ||| a\n"));
}

TEST_F(EarlierOutputTest, ListsThatDoNotFollowEachOtherAreNamed) {
  EXPECT_FAILS(lists_in("0 ||| a\n2 ||| b\n"), DataError, "lists:2: expected ID 0 or 1, got 2; somebody changed");
  EXPECT_FAILS(lists_in("0 ||| a\nhello\n"), DataError, "lists:2: ");
}

TEST_F(EarlierOutputTest, IsRemovedWithItsRecord) {
  const std::string path = leave("out.partial", "one\n");
  remove_earlier("");
  remove_earlier(path);
  remove_earlier(path);
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
}

}  // namespace
}  // namespace ventris::filters
