#include "filters/run_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

using testing::HasSubstr;

class RunRecord : public testing::Test {
 protected:
  void SetUp() override {
    settings.input = folder.file("in", "one\ntwo\n");
    settings.output = folder.path("out");
    before = record_of(settings);
  }
  std::string difference_now() const { return difference(before, record_of(settings)); }

  test::TempFolder folder;
  TranslateSettings settings;
  nlohmann::ordered_json before;
};

TEST_F(RunRecord, SettingsThatDecideTheOutputAreCompared) {
  EXPECT_EQ(difference_now(), "");
  settings.translator.search.beam_size = 9;
  EXPECT_THAT(difference_now(), HasSubstr("another beam_size ("));
  EXPECT_THAT(difference_now(), HasSubstr(" at the start, now 9)"));
}

TEST_F(RunRecord, SettingsOfSpeedAndPathsAreNot) {
  settings.translator.workers = 7;
  settings.translator.batch.sentences = settings.translator.window_lines = settings.translator.batch.tokens = 77;
  settings.resume = true;
  settings.output = folder.path("other");
  settings.input = folder.file("same", "one\ntwo\n");
  EXPECT_EQ(difference_now(), "");
}

TEST_F(RunRecord, FilesAreComparedByTheirContent) {
  folder.file("in", "one\nTWO\n");
  EXPECT_THAT(difference_now(), HasSubstr("another input (8 bytes, crc32 "));
  folder.file("in", "one\ntwo\n");
  settings.force_prefix = folder.file("prefixes", "\n\n");
  EXPECT_THAT(difference_now(), HasSubstr("another file of force_prefix (none at the start, now 2 bytes, crc32"));
  before = record_of(settings);
  settings.force_prefix = "";
  EXPECT_THAT(difference_now(), HasSubstr("at the start, now none)"));
}

TEST_F(RunRecord, TermsAndShortlistsAreComparedByTheirContentNotTheirPaths) {
  settings.terms = folder.file("terms", "dog\tHund\n");
  settings.shortlist.lexicon = folder.file("lexicon", "a");
  before = record_of(settings);
  settings.terms = folder.file("same", "dog\tHund\n");
  settings.shortlist.lexicon = folder.file("copy", "a");
  EXPECT_EQ(difference_now(), "");
  folder.file("same", "dog\tKatze\n");
  EXPECT_THAT(difference_now(), HasSubstr("another file of terms (9 bytes, crc32 "));
  settings.terms = folder.path("terms");
  folder.file("copy", "b");
  EXPECT_THAT(difference_now(), HasSubstr("another file of shortlist (1 bytes, crc32 "));
}

TEST_F(RunRecord, ModelsAreComparedByTheirFiles) {
  std::filesystem::create_directory(folder.path("bundle"));
  folder.file("bundle/MANIFEST", "12 0 config.json\nEND\n");
  settings.model.paths = {folder.path("bundle"), folder.file("export.pt", "one")};
  before = record_of(settings);
  EXPECT_EQ(difference_now(), "");
  folder.file("export.pt", "two");
  EXPECT_THAT(difference_now(), HasSubstr("another model 2 (3 bytes"));
  folder.file("export.pt", "one");
  folder.file("bundle/MANIFEST", "12 1 config.json\nEND\n");
  EXPECT_THAT(difference_now(), HasSubstr("another model 1 ("));
}

TEST_F(RunRecord, PlaceholdersInAFileAreComparedToo) {
  const std::string words = folder.file("words", "Adlon\n");
  settings.document.placeholders = "builtin," + words;
  before = record_of(settings);
  EXPECT_EQ(difference_now(), "");
  folder.file("words", "Hotel\n");
  EXPECT_THAT(difference_now(), HasSubstr("another file of placeholders " + words));
}

TEST_F(RunRecord, OnlyWhatIsReadAgainAndWrittenLineByLineCanBeResumed) {
  EXPECT_TRUE(can_be_resumed(settings));
  for (const char* output : {"-", "/dev/null"}) {
    settings.output = output;
    EXPECT_FALSE(can_be_resumed(settings)) << output;
  }
  settings.output = folder.path("out");
  settings.document.markup = markup::Markup::kHtml;
  EXPECT_FALSE(can_be_resumed(settings));
  settings.document.markup = markup::Markup::kNone;
  settings.force_prefix = "/dev/zero";
  EXPECT_FALSE(can_be_resumed(settings));
  settings.force_prefix = "";
  settings.terms = "/dev/zero";
  EXPECT_FALSE(can_be_resumed(settings));
  settings.terms = "";
  settings.input = "-";
  EXPECT_FALSE(can_be_resumed(settings));
}

}  // namespace
}  // namespace ventris::filters
