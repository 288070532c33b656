#include "filters/resumable_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <sstream>

#include "files/partial.h"
#include "filters/run_record.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/folder_entries.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class ResumableOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    settings.input = folder.file("in", "the input\n");
    choose("out");
    testing::internal::CaptureStderr();
  }
  void TearDown() override { testing::internal::GetCapturedStderr(); }

  void choose(const std::string& name) { settings.output = folder.path(name); }
  std::string partial() const { return settings.output + ".partial"; }

  /// What a process leaves that is killed after these answers, of which an earlier run may have finished some.
  void write_and_die(const std::vector<std::string>& answers) {
    if (const pid_t child = fork(); child != 0) {
      waitpid(child, nullptr, 0);
      return;
    }
    ResumableOutput output(settings);
    for (auto i = static_cast<size_t>(output.finished()); i < answers.size(); ++i) output.write(answers[i]);
    kill(getpid(), SIGKILL);
  }
  /// How many lines are taken over; the rest is written, and the output completed.
  int64_t resume(const std::vector<std::string>& answers) {
    settings.resume = true;
    ResumableOutput output(settings);
    for (auto i = static_cast<size_t>(output.finished()); i < answers.size(); ++i) output.write(answers[i]);
    output.commit();
    settings.resume = false;
    return output.finished();
  }
  /// Stops a run after the first `count` answers.
  std::string stop_after(const std::vector<std::string>& answers, size_t count) {
    ResumableOutput output(settings);
    for (auto i = static_cast<size_t>(output.finished()); i < count; ++i) output.write(answers[i]);
    return output.stopped(static_cast<int64_t>(count), SIGINT).what();
  }

  test::TempFolder folder;
  TranslateSettings settings;
  const std::vector<std::string> lines{"one\n", "\n", "three\n", "four\n"};
};

std::vector<std::string> many(size_t count) {
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i) all.push_back(std::to_string(i * 7919) + "\n");
  return all;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

TEST_F(ResumableOutputTest, AStoppedRunIsGoneOnWith) {
  const std::string what = stop_after(lines, 2);
  EXPECT_EQ(what, settings.output + ": not written: stopped by a signal after line 2; what was finished is in " +
                      partial() + "; --resume goes on from there");
  EXPECT_TRUE(fs::exists(record_name(partial())));
  EXPECT_EQ(resume(lines), 2);
  EXPECT_EQ(test::file_bytes(settings.output), joined(lines));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out"));
}

TEST_F(ResumableOutputTest, ItMayBeStoppedAgain) {
  stop_after(lines, 1);
  settings.resume = true;
  stop_after(lines, 3);
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial-2", "out.partial-2.json"));
  EXPECT_EQ(resume(lines), 3);
  EXPECT_EQ(test::file_bytes(settings.output), joined(lines));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out"));
}

TEST_F(ResumableOutputTest, OfAKilledRunTheWholeLinesCount) {
  write_and_die(many(20'000));
  const std::string left = test::file_bytes(partial());
  ASSERT_GT(left.size(), 65'000U);
  ASSERT_NE(left.back(), '\n') << "the test is to end within a line";
  const auto all = many(25'000);
  const int64_t finished = resume(all);
  EXPECT_GT(finished, 5'000);
  EXPECT_LT(finished, 20'000);
  EXPECT_TRUE(test::file_bytes(settings.output) == joined(all));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out"));
}

TEST_F(ResumableOutputTest, PackedOutputsAreTheSameBytes) {
  const auto all = many(50'000);
  choose("whole.gz");
  {
    ResumableOutput output(settings);
    for (const std::string& line : all) output.write(line);
    output.commit();
  }
  choose("killed.gz");
  write_and_die({all.begin(), all.begin() + 40'000});
  EXPECT_GT(resume(all), 5'000);
  EXPECT_TRUE(test::file_bytes(folder.path("killed.gz")) == test::file_bytes(folder.path("whole.gz")));
  choose("stopped.gz");
  stop_after(all, 12'345);
  EXPECT_TRUE(fs::exists(folder.path("stopped.partial.gz")));
  EXPECT_EQ(resume(all), 12'345);
  EXPECT_TRUE(test::file_bytes(folder.path("stopped.gz")) == test::file_bytes(folder.path("whole.gz")));
}

TEST_F(ResumableOutputTest, OfListsTheLastIsMadeAgain) {
  settings.written.format = OutputFormat::kMoses;
  const std::vector<std::string> lists{"0 ||| a ||| F0= -1 ||| -1\n0 ||| b ||| F0= -2 ||| -2\n",
                                       "1 |||  ||| F0= 0 ||| 0\n", "2 ||| c ||| F0= -1 ||| -1\n"};
  stop_after(lists, 2);
  EXPECT_EQ(resume(lists), 1);
  EXPECT_EQ(test::file_bytes(settings.output), joined(lists));
  stop_after(lists, 2);
  folder.file("out.partial", "0 ||| a\n2 ||| c\n");
  EXPECT_FAILS(resume(lists), DataError, partial() + ":2: expected ID 0 or 1, got 2");
}

TEST_F(ResumableOutputTest, WithoutAnEarlierRunItStartsWithLine1) {
  EXPECT_EQ(resume(lines), 0);
  EXPECT_EQ(test::file_bytes(settings.output), joined(lines));
  folder.file("out.partial", "");  // of a process that was killed before it wrote a record
  EXPECT_EQ(resume(lines), 0);
}

TEST_F(ResumableOutputTest, ARunThatDiffersIsRefusedAndStays) {
  stop_after(lines, 2);
  settings.translator.search.beam_size += 1;
  EXPECT_FAILS(resume(lines), ConfigError, "resume: " + partial() + ": was begun with another beam_size (");
  settings.translator.search.beam_size -= 1;
  folder.file("in", "another input\n");
  EXPECT_FAILS(resume(lines), ConfigError, "was begun with another input (");
  EXPECT_EQ(test::file_bytes(partial()), "one\n\n");
  folder.file("out.partial.json", "{");
  EXPECT_FAILS(resume(lines), ConfigError, "a record that is damaged");
  fs::remove(record_name(partial()));
  EXPECT_FAILS(resume(lines), ConfigError, "its record " + record_name(partial()) + " is missing");
}

TEST_F(ResumableOutputTest, OfSeveralRunsTheLongestLikeThisOneCounts) {
  stop_after(lines, 3);
  stop_after(lines, 1);
  settings.translator.search.beam_size += 1;
  stop_after(lines, 4);
  settings.translator.search.beam_size -= 1;
  EXPECT_EQ(resume(lines), 3);
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out", "out.partial-3", "out.partial-3.json"));
}

TEST_F(ResumableOutputTest, WhatKilledRunsHaveLeftDoesNotAccumulate) {
  settings.resume = true;
  write_and_die(many(8'000));
  for (size_t size = 12'000; size < 32'000; size += 4'000) {
    write_and_die(many(size));  // each goes on after what the one before has left
    EXPECT_LE(files::partial_files(settings.output).size(), 2U);
  }
  settings.resume = false;
  write_and_die({});
  const auto all = many(40'000);
  EXPECT_GT(resume(all), 10'000);
  EXPECT_TRUE(test::file_bytes(settings.output) == joined(all));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out"));
}

TEST_F(ResumableOutputTest, WhatARunningProcessWritesIsNotRemoved) {
  stop_after(lines, 3);
  const ResumableOutput running(settings);  // has written nothing yet
  stop_after(lines, 1);
  EXPECT_EQ(resume(lines), 3);
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out", "out.partial-2", "out.partial-2.json"));
}

TEST_F(ResumableOutputTest, WhatAnotherUserHasLeftIsGoneOnWithButNotRemoved) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can give a file to another user";
  stop_after(lines, 3);
  stop_after(lines, 1);
  ASSERT_EQ(chown(partial().c_str(), 12345, 12345), 0);
  ASSERT_EQ(chown((partial() + "-2").c_str(), 12345, 12345), 0);
  EXPECT_EQ(resume(lines), 3);
  EXPECT_THAT(test::entries(folder.path()),
              ElementsAre("in", "out", "out.partial", "out.partial-2", "out.partial-2.json", "out.partial.json"));
}

TEST_F(ResumableOutputTest, ARunningRunIsRefused) {
  const ResumableOutput running(settings);
  EXPECT_FAILS(resume(lines), ConfigError, partial() + " is being written by another process");
}

TEST_F(ResumableOutputTest, PipesAndDocumentsAreRefused) {
  settings.input = "-";
  EXPECT_FAILS(resume(lines), ConfigError, "resume: expected an input file and an output file");
}

TEST_F(ResumableOutputTest, AnErrorLeavesNothingOfANewRunAndAllOfAnEarlierOne) {
  {
    ResumableOutput(settings).write("one\n");
  }
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
  stop_after(lines, 2);
  settings.resume = true;
  {
    ResumableOutput(settings).write("three\n");
  }
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial", "out.partial.json"));
  EXPECT_EQ(resume(lines), 2);
}

/// Runs that end with an error in their input, line by line: each line is its own answer.
class BadInput : public ResumableOutputTest {
 protected:
  /// Answers lines up to the one with the text "bad". Returns the error, or "" for an output that is complete.
  std::string run() {
    ResumableOutput output(settings);
    std::istringstream input(test::file_bytes(settings.input));
    std::string line;
    int64_t number = 0;
    try {
      for (; std::getline(input, line); ++number) {
        if (line == "bad") fail<DataError>("line ", number + 1, " is bad");
        output.read(line, "");
        if (number < output.finished())
          output.skip();
        else
          output.write(line + "\n");
      }
      output.commit();
    } catch (...) {
      try {
        output.fail_with_lines(number);
      } catch (const DataError& error) {
        return error.what();
      }
    }
    return "";
  }
  std::string resume_run() {
    settings.resume = true;
    const std::string error = run();
    settings.resume = false;
    return error;
  }
};

TEST_F(BadInput, TheLinesBeforeItAreKeptAndGoneOnWithWhenItIsMended) {
  folder.file("in", "one\ntwo\nbad\nfour\n");
  EXPECT_EQ(run(), "line 3 is bad; 2 lines are finished, in " + partial() +
                       "; mend the input, and --resume goes on after them");
  EXPECT_EQ(test::file_bytes(partial()), "one\ntwo\n");
  EXPECT_FALSE(fs::exists(settings.output));
  // The same input, and one that was mended before its next bad line.
  EXPECT_EQ(resume_run(), "line 3 is bad; 2 lines are finished, in " + partial() +
                              "; mend the input, and --resume goes on after them");
  folder.file("in", "one\ntwo\nthree\nfour\nbad\nsix\n");
  EXPECT_EQ(resume_run(), "line 5 is bad; 4 lines are finished, in " + partial() +
                              "-2; mend the input, and --resume goes on after them");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial-2", "out.partial-2.json"));
  folder.file("in", "one\ntwo\nthree\nfour\nsix\n");
  EXPECT_EQ(resume_run(), "");
  EXPECT_EQ(test::file_bytes(settings.output), "one\ntwo\nthree\nfour\nsix\n");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out"));
}

TEST_F(BadInput, OnlyLinesThatAreStillTheSameAreGoneOnWith) {
  folder.file("in", "one\ntwo\nthree\nfour\nbad\n");
  run();
  folder.file("in", "one\ntwo\nTHREE\nfour\nfive\n");
  EXPECT_EQ(resume_run(), "");
  EXPECT_EQ(test::file_bytes(settings.output), "one\ntwo\nTHREE\nfour\nfive\n");
  folder.file("in", "one\nbad\n");
  run();
  folder.file("in", "ONE\ntwo\n");
  EXPECT_FAILS(resume_run(), ConfigError, "was begun with another input (");
}

TEST_F(BadInput, WhatAKilledRunAddedToAMendedInputCountsToo) {
  folder.file("in", "one\nbad\n");
  run();
  const auto all = many(20'000);
  folder.file("in", "one\n" + joined(all) + "bad\n");
  settings.resume = true;
  if (const pid_t child = fork(); child != 0) {
    waitpid(child, nullptr, 0);
  } else {
    ResumableOutput output(settings);
    for (const std::string& answer : all) output.write(answer);
    kill(getpid(), SIGKILL);
  }
  settings.resume = false;
  EXPECT_THAT(resume_run(), testing::HasSubstr("line 20002 is bad; 20001 lines are finished, in " + partial()));
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial", "out.partial.json"));
}

TEST_F(BadInput, InTheFirstLineItLeavesNothing) {
  folder.file("in", "bad\n");
  EXPECT_EQ(run(), "line 1 is bad");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
}

int64_t whole_lines(const std::string& path) {
  int64_t lines = 0;
  files::for_each_whole_line(path, [&](std::string_view) { ++lines; });
  return lines;
}
/// The last whole line.
std::string last_line_of(std::string bytes) {
  bytes.erase(bytes.rfind('\n'));
  return bytes.substr(bytes.rfind('\n') + 1);
}

/// Writes answers until the disk is full. Returns the error.
std::string fill_disk(const TranslateSettings& settings, const std::vector<std::string>& answers, rlim_t bytes) {
  ResumableOutput output(settings);
  const test::FileSizeLimit full_disk(bytes);
  auto line = static_cast<size_t>(output.finished());
  try {
    for (; line < answers.size(); ++line) output.write(answers[line]);
    output.commit();
  } catch (...) {
    try {
      output.fail_with_lines(static_cast<int64_t>(line));
    } catch (const WriteError& error) {
      return error.what();
    }
  }
  return "";
}

TEST_F(ResumableOutputTest, OnAFullDiskWhatWasWrittenStaysAndIsGoneOnWith) {
  const auto answers = many(40'000);
  for (const char* name : {"out", "out.gz"}) {
    choose(name);
    const std::string error = fill_disk(settings, answers, 100'000);
    const std::string left = files::partial_name(settings.output, 1);
    const std::string lines_left = std::to_string(whole_lines(left));
    EXPECT_EQ(error, settings.output + ": cannot be written: File too large; " + lines_left +
                         " lines are finished, in " + left + "; --resume goes on after them");
    EXPECT_TRUE(fs::exists(left + ".json"));
    EXPECT_FALSE(fs::exists(settings.output));
    EXPECT_GT(resume(answers), 1000);
    EXPECT_EQ(joined(answers), name == std::string("out") ? test::file_bytes(settings.output)
                                                          : test::unpacked(test::file_bytes(settings.output)));
    EXPECT_FALSE(fs::exists(left));
  }
}

TEST_F(ResumableOutputTest, OnAFullDiskOnlyWholeListsCount) {
  settings.written.format = OutputFormat::kMoses;
  std::vector<std::string> lists;
  for (int i = 0; i < 4000; ++i) {
    const std::string id = std::to_string(i);
    lists.push_back(id + " ||| a ||| F0= -1 ||| -1\n" + id + " ||| b ||| F0= -2 ||| -2\n");
  }
  const std::string error = fill_disk(settings, lists, 100'000);
  const std::string last = last_line_of(test::file_bytes(partial()));
  EXPECT_NE(error.find("; " + last.substr(0, last.find(' ')) + " lines are finished, in "), std::string::npos)
      << error << " behind " << last;
}

TEST_F(ResumableOutputTest, IfTheDiskIsFullAgainTheLongerOutputStays) {
  const auto answers = many(40'000);
  fill_disk(settings, answers, 150'000);
  settings.resume = true;
  fill_disk(settings, answers, 200'000);
  EXPECT_FALSE(fs::exists(partial()));  // the second is longer, and has its own number
  EXPECT_GT(fs::file_size(partial() + "-2"), 150'000U);
  EXPECT_GT(resume(answers), 20'000);
}

TEST_F(ResumableOutputTest, IfTheDiskIsFullBeforeTheEarlierOutputIsCopiedThatStays) {
  const auto answers = many(40'000);
  fill_disk(settings, answers, 200'000);
  settings.resume = true;
  EXPECT_EQ(fill_disk(settings, answers, 100'000),
            settings.output + ": cannot be written: File too large; " + std::to_string(whole_lines(partial())) +
                " lines are finished, in " + partial() + "; --resume goes on after them");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in", "out.partial", "out.partial.json"));
  EXPECT_EQ(fs::file_size(partial()), 200'000U);
  EXPECT_GT(resume(answers), 20'000);
}

TEST_F(ResumableOutputTest, OnADiskThatIsFullFromTheStartNothingIsLeft) {
  const std::string error = fill_disk(settings, many(40'000), 0);
  EXPECT_EQ(error, settings.output + ": cannot be written: File too large");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
}

TEST_F(ResumableOutputTest, WithNothingWrittenNothingIsLeft) {
  EXPECT_EQ(stop_after(lines, 0), settings.output + ": stopped by a signal before anything was finished");
  EXPECT_THAT(test::entries(folder.path()), ElementsAre("in"));
}

}  // namespace
}  // namespace ventris::filters
