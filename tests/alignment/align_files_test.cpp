#include "alignment/align_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/process.h"
#include "drawn_pairs.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::alignment {
namespace {

using testing::HasSubstr;

class AlignFiles : public testing::Test {
 protected:
  AlignFiles() {
    for (const auto& [source, target] : test::drawn_sentences(50)) {
      source_ += joined(source) + "\n";
      target_ += joined(target) + "\n";
    }
    folder_.file("source", source_);
    folder_.file("target", target_);
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
    return line;
  }

  /// A job that learns from these two files.
  AlignJob job(const std::string& source = "source", const std::string& target = "target") const {
    AlignJob job{.output = folder_.path("links")};
    job.train.push_back({.source = folder_.path(source), .target = target.empty() ? "" : folder_.path(target)});
    return job;
  }

  std::string links() const { return test::file_bytes(folder_.path("links")); }
  static int64_t lines(const std::string& text) { return std::ranges::count(text, '\n'); }

  /// What the job logs.
  static std::string log_of(const AlignJob& job) {
    testing::internal::CaptureStderr();
    align_files(job);
    return testing::internal::GetCapturedStderr();
  }

  test::TempFolder folder_;
  std::string source_, target_;
};

TEST_F(AlignFiles, WritesALineForEachPair) {
  EXPECT_THAT(log_of(job()), HasSubstr("links: 50 line pairs, "));
  EXPECT_EQ(lines(links()), 50);
  EXPECT_THAT(links(), HasSubstr("0-0"));
}

TEST_F(AlignFiles, ASavedModelGivesTheSameLinks) {
  AlignJob first = job();
  first.save = folder_.path("model.gz");
  first.probabilities = folder_.path("probabilities");
  align_files(first);
  const std::string expected = links(), probabilities = test::file_bytes(first.probabilities);
  AlignJob second{.model = first.save, .output = folder_.path("links")};
  second.input = job().train.front();
  second.probabilities = folder_.path("probabilities");
  std::filesystem::remove(folder_.path("links"));
  align_files(second);
  EXPECT_EQ(links(), expected);
  EXPECT_EQ(test::file_bytes(first.probabilities), probabilities);
  EXPECT_EQ(lines(probabilities), 50);
}

TEST_F(AlignFiles, OtherTextCanBeAligned) {
  folder_.file("new.source", "s0e, s12e!\n");
  folder_.file("new.target", "ta12 ta0\n");
  AlignJob with_input = job();
  with_input.input = data::CorpusFiles{.source = folder_.path("new.source"), .target = folder_.path("new.target")};
  align_files(with_input);
  EXPECT_EQ(lines(links()), 1);
}

TEST_F(AlignFiles, GzippedTextAndColumnsAreReadAlike) {
  align_files(job());
  const std::string expected = links();
  folder_.file("source.gz", test::gzipped(source_));
  folder_.file("target.gz", test::gzipped(target_));
  align_files(job("source.gz", "target.gz"));
  EXPECT_EQ(links(), expected);
  std::string columns;
  for (const auto& [source, target] : test::drawn_sentences(50))
    columns += joined(source) + "\t" + joined(target) + "\n";
  folder_.file("columns", columns);
  align_files(job("columns", ""));
  EXPECT_EQ(links(), expected);
}

TEST_F(AlignFiles, WordsAreWrittenAsLinksCountThem) {
  folder_.file("source", source_ + "Don't stop.\n");
  folder_.file("target", target_ + "我们一直\n");
  AlignJob with_words = job();
  with_words.words = {folder_.path("w1"), folder_.path("w2")};
  align_files(with_words);
  EXPECT_EQ(test::file_bytes(folder_.path("w1")), source_ + "Don ' t stop .\n");
  EXPECT_THAT(test::file_bytes(folder_.path("w2")), HasSubstr(" "));
  const std::string divided = links();
  AlignJob tokenized = job("w1", "w2");
  tokenized.division = metrics::Division::kTokenized;
  align_files(tokenized);
  EXPECT_EQ(links(), divided);
}

TEST_F(AlignFiles, EmptyLinesHaveNoLinks) {
  folder_.file("source", "\n" + source_ + "only here\n \n");
  folder_.file("target", "only there\n" + target_ + "\n\t\n");
  align_files(job());
  EXPECT_EQ(lines(links()), 53);
  EXPECT_TRUE(links().starts_with("\n"));
  EXPECT_TRUE(links().ends_with("\n\n\n"));
}

TEST_F(AlignFiles, FilesOfDifferentLengthsAreRefused) {
  folder_.file("target", target_ + "more\n");
  EXPECT_FAILS(align_files(job()), DataError, "line counts differ");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("links")));
}

TEST_F(AlignFiles, TextWithoutWordsIsRefused) {
  folder_.file("source", "");
  folder_.file("target", "");
  EXPECT_FAILS(align_files(job()), DataError, "empty");
  folder_.file("source", "\n \n");
  folder_.file("target", "a\nb\n");
  EXPECT_FAILS(align_files(job()), DataError, "target: no line pair can be aligned");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("links")));
}

TEST_F(AlignFiles, AVeryLongLineHasNoLinksAndIsNamed) {
  std::string words, letters(2 << 20, 'x');
  for (int i = 0; i < 401; ++i) words += "s0e ";
  folder_.file("source", source_ + words + "\n" + letters + "\n");
  folder_.file("target", target_ + "ta0\nta0\n");
  EXPECT_THAT(log_of(job()), HasSubstr("2 line pairs over 400 words or 1 MiB got no links (lines 51, 52)"));
  EXPECT_EQ(lines(links()), 52);
  EXPECT_TRUE(links().ends_with("\n\n\n"));
}

TEST_F(AlignFiles, InvalidUtf8IsReplacedOrRefused) {
  folder_.file("source", source_ + "s0e \xff\n");
  folder_.file("target", target_ + "ta0\n");
  EXPECT_THAT(log_of(job()), HasSubstr("1 line pair with invalid UTF-8"));
  AlignJob strict = job();
  strict.strict = true;
  std::filesystem::remove(folder_.path("links"));
  EXPECT_FAILS(align_files(strict), DataError, "line 51 has invalid UTF-8");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("links")));
}

TEST_F(AlignFiles, AnotherEncodingIsSuspected) {
  std::string source = source_;
  std::ranges::replace(source, 'e', '\xe9');
  folder_.file("source", source);
  EXPECT_THAT(log_of(job()), HasSubstr("a file is probably in another encoding"));
}

TEST_F(AlignFiles, TokenizedTextIsNoticed) {
  std::string source, target;
  for (int i = 0; i < 120; ++i) {
    source += "s0e s1e .\n";
    target += "ta0 ta1 .\n";
  }
  folder_.file("source", source);
  folder_.file("target", target);
  EXPECT_THAT(log_of(job()), HasSubstr("use --tokenized"));
  AlignJob tokenized = job();
  tokenized.division = metrics::Division::kTokenized;
  EXPECT_THAT(log_of(tokenized), testing::Not(HasSubstr("use --tokenized")));
}

TEST_F(AlignFiles, JobsThatContradictThemselvesAreRefused) {
  const auto refused = [&](const AlignJob& wrong, const std::string& message) {
    EXPECT_FAILS(align_files(wrong), ConfigError, message);
  };
  refused({}, "--train: missing");
  AlignJob both = job();
  both.model = "model";
  refused(both, "--model: cannot be used with --train");
  AlignJob model{.model = "model"};
  refused(model, "SRC TGT: missing");
  model.input = job().train.front();
  AlignJob other = model;
  other.save = "other";
  refused(other, "--save: there is nothing to save");
  other = model;
  other.division = metrics::Division::kTokenized;
  refused(other, "--tokenized: cannot be used with --model");
  other = model;
  other.prefix = 3;
  refused(other, "--prefix: cannot be used with --model");
  other = job();
  other.output = folder_.path("source");
  refused(other, "source is also an input");
  other = job();
  other.save = other.output;
  refused(other, "links is written already");
}

TEST_F(AlignFiles, IfOneOutputCannotBeWrittenTheOthersStayAsTheyWere) {
  AlignJob full = job();
  full.output = "/dev/full";
  full.save = folder_.file("model", "older");
  full.words = {folder_.path("words"), folder_.path("other_words")};
  full.probabilities = folder_.path("probabilities");
  EXPECT_THROW(align_files(full), WriteError);
  EXPECT_EQ(test::file_bytes(full.save), "older");
  for (const char* name : {"words", "other_words", "probabilities"}) {
    EXPECT_FALSE(std::filesystem::exists(folder_.path(name))) << name;
  }
}

TEST_F(AlignFiles, AfterAStopNothingIsWritten) {
  core::StopFlag stop = 15;
  const core::StopScope scope(&stop);
  AlignJob saving = job();
  saving.save = folder_.path("model");
  EXPECT_THROW(align_files(saving), Interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("links")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("model")));
}

}  // namespace
}  // namespace ventris::alignment
