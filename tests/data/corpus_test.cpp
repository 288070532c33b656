#include "data/corpus.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/loaded_corpus.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"
#include "text/line_reader.h"

namespace ventris::data {
namespace {

class LoadCorpus : public testing::Test {
 protected:
  ParallelCorpus load(const CorpusFiles& files, const CorpusFilter& filter = {}, int threads = 1) {
    return test::load_corpus(files, tokenizer, tokenizer, filter, threads, counts);
  }
  CorpusFiles pair(const std::string& source, const std::string& target) const {
    return {folder.file("a.src", source), folder.file("a.tgt", target)};
  }

  test::TempFolder folder;
  text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  CorpusCounts counts;
};

TEST_F(LoadCorpus, KeepsPairsInTheirOrder) {
  const auto corpus = load(pair("the bridge\nbread\n", "bread\ntwo wooden boats\n"));
  ASSERT_EQ(corpus.size(), 2U);
  EXPECT_EQ(tokenizer.decode(corpus.source(0)), "the bridge");
  EXPECT_EQ(tokenizer.decode(corpus.target(1)), "two wooden boats");
  EXPECT_EQ(counts.lines, 2);
  EXPECT_EQ(counts.kept, 2);
}

TEST_F(LoadCorpus, TheNumberOfThreadsChangesNothing) {
  std::string source, target;
  for (int repeat = 0; repeat < 60; ++repeat) {  // over one block of lines
    for (const std::string& line : test::tiny_text()) {
      source += line + "\n";
      target = line + "\n" + target;
    }
  }
  const auto files = pair(source, target);
  const auto one = load(files), three = load(files, {}, 3);
  ASSERT_EQ(one.size(), three.size());
  for (size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(std::equal(one.source(i).begin(), one.source(i).end(), three.source(i).begin(), three.source(i).end()));
    ASSERT_TRUE(std::equal(one.target(i).begin(), one.target(i).end(), three.target(i).begin(), three.target(i).end()));
  }
}

TEST_F(LoadCorpus, SkipsAndCountsWhatItCannotUse) {
  std::string endless;
  for (int i = 0; i < 16; ++i) endless += "bread ";
  const auto files =
      pair("bread\n\n \nbread\n" + endless + "\n\xff bread\n", "bread\nbread\nbread\n" + endless + "\nbread\nbread\n");
  const auto corpus = load(files, {12, 9.0});
  EXPECT_EQ(counts.lines, 6);
  EXPECT_EQ(counts.empty, 2);
  EXPECT_EQ(counts.too_long, 2);
  EXPECT_EQ(counts.invalid_utf8, 1);
  EXPECT_EQ(corpus.size(), 2U);
  EXPECT_NE(describe(counts).find("6 lines, 2 kept, 2 with an empty side, 2 too long"), std::string::npos);
  load(pair("bread\nbread\n", "bread\n" + endless + "\n"), {256, 9.0});
  EXPECT_EQ(counts.bad_ratio, 1);
}

TEST_F(LoadCorpus, LinesThatTheReaderCutsAreTooLong) {
  const std::string endless(text::LineReaderOptions().max_bytes + 1, ' ');  // no token at all
  load(pair("bread\n" + endless + "\nbread\n", "bread\nbread\n" + endless + "\n"));
  EXPECT_EQ(counts.too_long, 2);
  EXPECT_EQ(counts.kept, 1);
  load({folder.file("a.tsv", endless + "\tbread\nbread\tbread\nbread\t" + endless + "\n"), ""});
  EXPECT_EQ(counts.too_long, 2);
  EXPECT_EQ(counts.kept, 1);
}

TEST_F(LoadCorpus, APairWithInvalidUtf8IsCountedOnceKeptOrNot) {
  load(pair("\xff bread\n\xff\nbread\n", "\xff bread\n\nbread\n"));
  EXPECT_EQ(counts.invalid_utf8, 2);
  EXPECT_EQ(counts.kept, 2);
  EXPECT_NE(describe(counts).find("2 with invalid UTF-8"), std::string::npos);
}

TEST_F(LoadCorpus, ReadsGzipCarriageReturnsAndAByteOrderMark) {
  const std::string source = folder.path("a.src.gz");
  folder.file("a.src.gz", test::gzipped("\xef\xbb\xbf"
                                        "bread\r\nthe bridge\r\n"));
  const auto corpus = load({source, folder.file("a.tgt", "bread\nbread")});
  ASSERT_EQ(corpus.size(), 2U);
  EXPECT_EQ(tokenizer.decode(corpus.source(0)), "bread");
}

TEST_F(LoadCorpus, ReadsTwoColumnsOfOneFile) {
  const auto corpus = load({folder.file("a.tsv", "bread\tthe bridge\nthe bridge\tbread\n"), ""});
  ASSERT_EQ(corpus.size(), 2U);
  EXPECT_EQ(tokenizer.decode(corpus.target(0)), "the bridge");
  EXPECT_EQ(load({folder.file("a.tsv.gz", test::gzipped("bread\tbread\n")), ""}).size(), 1U);
  EXPECT_FAILS(load({folder.file("b.tsv", "bread\tbread\nbread\n"), ""}), DataError, "b.tsv:2: expected 2 columns");
  EXPECT_FAILS(load({folder.file("c.tsv", "bread\tbread\tbread\n"), ""}), DataError, "c.tsv:1: expected 2 columns");
}

TEST_F(LoadCorpus, LinesOfWhiteSpaceOnlyAreEmptyInAnyScript) {
  load(pair("bread\n\u3000\n\u00a0\t\n\u200b\n", "bread\nbread\nbread\nbread\n"));
  EXPECT_EQ(counts.empty, 3);
  EXPECT_EQ(counts.kept, 1);
}

TEST_F(LoadCorpus, KeepsNoRoomItDoesNotUse) {
  std::string text;
  for (const std::string& line : test::tiny_text()) text += line + "\n";
  const auto corpus = load(pair(text, text));
  const auto tokens = static_cast<size_t>(corpus.summary().source_tokens + corpus.summary().target_tokens);
  EXPECT_EQ(corpus.memory_bytes(), 4 * tokens + 16 * corpus.size());
}

TEST_F(LoadCorpus, AStopSignalEndsIt) {
  const auto files = pair("bread\n", "bread\n");
  EXPECT_EXIT(
      {
        core::install_stop_handlers();
        raise(SIGTERM);
        try {
          load(files);
        } catch (const Interrupted& stop) {
          _exit(stop.signal);
        }
        _exit(0);
      },
      testing::ExitedWithCode(SIGTERM), "");
}

TEST_F(LoadCorpus, APipeIsRefusedForItCanBeReadOnlyOnce) {
  const std::string pipe = folder.path("pipe"), file = folder.file("a.tgt", "bread\n");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FAILS(check_files({pipe, file}), DataError, "pipe: is not a regular file; a corpus is read more than once");
  EXPECT_FAILS(check_files({file, "-"}), DataError, "standard input: is not a regular file");
  EXPECT_FAILS(check_files({folder.path(), file}), DataError, "is a folder");
}

TEST_F(LoadCorpus, DamagedGzipDataIsRefused) {
  const std::string whole = test::gzipped("bread\nbread\n");
  const std::string half = folder.file("half.gz", whole.substr(0, whole.size() / 2));
  EXPECT_FAILS(check_files({half, ""}), DataError, "half.gz: ends in the middle");
}

TEST_F(LoadCorpus, AOneLineCorpusIsACorpus) { EXPECT_EQ(load(pair("bread", "bread")).size(), 1U); }

TEST_F(LoadCorpus, DifferentLineCountsAreNamedWithTheirFiles) {
  const auto files = pair("bread\nbread\n", "bread\n");
  EXPECT_FAILS(check_files(files), DataError, "a.src has 2");
  EXPECT_FAILS(check_files(files), DataError, "a.tgt has 1; each line must translate the same line");
  EXPECT_FAILS(load(files), DataError, "line counts differ");
}

TEST_F(LoadCorpus, MissingEmptyAndUselessFilesAreNamed) {
  EXPECT_FAILS(check_files({folder.path("none"), folder.path("none")}), DataError, "none: cannot be read");
  EXPECT_FAILS(check_files(pair("", "")), DataError, "a.src: is empty");
  EXPECT_FAILS(check_files(pair("bread\n", "")), DataError, "a.tgt: is empty");
  EXPECT_FAILS(load(pair("\n", "bread\n")), DataError,
               "no sentence pair is left: 1 line, 0 kept, 1 with an empty side");
}

}  // namespace
}  // namespace ventris::data
