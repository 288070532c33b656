#include "text/line_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/error.h"
#include "core/process.h"
#include "core/random.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

using Lines = std::vector<std::string>;

struct Read {
  Lines lines;
  LineCounts counts;
};

Read read_all(const std::string& path, const LineReaderOptions& options = {}) {
  LineReader reader(path, options);
  Read read;
  for (std::string line; reader.next(line);) read.lines.push_back(line);
  std::string line = "untouched";
  EXPECT_FALSE(reader.next(line));  // the end stays the end
  read.counts = reader.counts();
  return read;
}

class LineReaderTest : public testing::Test {
 protected:
  Lines lines_of(const std::string& bytes) {
    const std::string path = folder.file("text", bytes);
    const Read read = read_all(path);
    EXPECT_EQ(read.counts.lines, static_cast<int64_t>(read.lines.size()));
    EXPECT_EQ(count_lines(path), read.counts.lines);
    EXPECT_EQ(read.counts.bytes, read.lines.empty() ? 0 : static_cast<int64_t>(bytes.size()));
    EXPECT_EQ(measure_lines(path).bytes, static_cast<int64_t>(bytes.size()));
    const std::string packed = folder.file("text.gz", test::gzipped(bytes));
    EXPECT_EQ(read_all(packed).lines, read.lines);
    EXPECT_EQ(count_lines(packed), read.counts.lines);
    EXPECT_EQ(measure_lines(packed).bytes, static_cast<int64_t>(bytes.size()));
    return read.lines;
  }
  test::TempFolder folder;
};

TEST_F(LineReaderTest, OnlyLineFeedEndsALine) {
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\u2028b\u0085c\rd\fe\vf\u2029\n"), (Lines{"a\u2028b\u0085c\rd\fe\vf\u2029"}));
}

TEST_F(LineReaderTest, ALastLineWithoutLineFeedIsALine) {
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), (Lines{""}));
  EXPECT_EQ(lines_of("\n\nx\n\n"), (Lines{"", "", "x", ""}));
}

TEST_F(LineReaderTest, OneCarriageReturnBeforeTheEndIsStripped) {
  EXPECT_EQ(lines_of("a\r\nb\r\r\n\r\nc\r"), (Lines{"a", "b\r", "", "c\r"}));
  LineReader reader(folder.file("returns", "a\r\nb\n\r\nc\r"));
  for (std::string line; reader.next(line);) {
  }
  EXPECT_EQ(reader.counts().carriage_returns, 2);
}

TEST_F(LineReaderTest, AByteOrderMarkIsDroppedOnceAtTheStart) {
  EXPECT_EQ(lines_of("\uFEFFa\n\uFEFFb\n"), (Lines{"a", "\uFEFFb"}));
  EXPECT_EQ(lines_of("\uFEFF\uFEFFa"), (Lines{"\uFEFFa"}));
  EXPECT_EQ(lines_of("\uFEFF"), Lines{});
  EXPECT_EQ(lines_of("\uFEFF\n"), (Lines{""}));
  EXPECT_EQ(lines_of("a\n\uFEFF"), (Lines{"a", "\uFEFF"}));
}

TEST_F(LineReaderTest, NulBytesAreKept) {
  const std::string text("a\0b\n\0\n", 6);
  EXPECT_EQ(lines_of(text), (Lines{std::string("a\0b", 3), std::string("\0", 1)}));
}

TEST_F(LineReaderTest, InvalidUtf8IsReplacedAndCounted) {
  const Read read = read_all(folder.file("text",
                                         "good\nb\xE4"
                                         "d\nfine\n\xFF\n"));
  EXPECT_EQ(read.lines, (Lines{"good",
                               "b\uFFFD"
                               "d",
                               "fine", "\uFFFD"}));
  EXPECT_EQ(read.counts.invalid_utf8, 2);
  EXPECT_EQ(read.counts.first_invalid_utf8, 2);
}

TEST_F(LineReaderTest, StrictReadingNamesTheFirstInvalidLine) {
  const std::string path = folder.file("text",
                                       "good\nb\xE4"
                                       "d\n");
  LineReader reader(path, {.strict = true});
  std::string line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_FAILS(reader.next(line), DataError, "text:2: not valid UTF-8");
}

TEST_F(LineReaderTest, LongLinesAreCutAtACharacterAndCounted) {
  const Read read = read_all(folder.file("text", "abcd\r\nabc\u20AC\nabcdefgh\nx\n"), {.max_bytes = 4});
  EXPECT_EQ(read.lines, (Lines{"abcd", "abc", "abcd", "x"}));
  EXPECT_EQ(read.counts.too_long, 2);
  EXPECT_EQ(read.counts.first_too_long, 2);
}

TEST_F(LineReaderTest, TheLimitHoldsAfterReplacementAndWithAByteOrderMark) {
  const Read read = read_all(folder.file("text", "\uFEFFabcd\n\xFF\xFF\n"), {.max_bytes = 4});
  EXPECT_EQ(read.lines, (Lines{"abcd", "\uFFFD"}));
  EXPECT_EQ(read.counts.too_long, 1);
}

TEST_F(LineReaderTest, ALineOfAHundredMegabytesNeedsNoMemory) {
  const std::string path = folder.path("long");
  {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(ftruncate(file, 100 << 20), 0);  // a hundred mebibytes of NUL
    ASSERT_EQ(lseek(file, 0, SEEK_END), 100 << 20);
    ASSERT_EQ(write(file, "\nend\n", 5), 5);
    close(file);
  }
  const double before = core::peak_memory_mib();
  const Read read = read_all(path);
  EXPECT_EQ(count_lines(path), 2);
  ASSERT_EQ(read.lines.size(), 2U);
  EXPECT_EQ(read.lines[0].size(), size_t{1} << 20);
  EXPECT_EQ(read.lines[1], "end");
  EXPECT_LT(core::peak_memory_mib() - before, 20);
}

TEST_F(LineReaderTest, ArbitraryBytesGiveValidLinesAndTheSameCount) {
  const core::RandomStream random(2, 0);
  const std::string alphabet(
      "\n\n\r\0\xEF\xBB\xBF\xE2\x82\xAC\xF0\x9F"
      "ab \xFF",
      16);
  for (uint64_t trial = 0; trial < 400; ++trial) {
    std::string bytes;
    for (uint64_t i = 0; i < trial % 50; ++i) bytes += alphabet[random.below(trial * 64 + i, alphabet.size())];
    for (const std::string& line : lines_of(bytes)) ASSERT_TRUE(is_valid_utf8(line));
  }
}

TEST_F(LineReaderTest, FilesAreAlwaysReady) {
  LineReader reader(folder.file("text", "a\nb"));
  std::string line;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(reader.ready());
    EXPECT_EQ(reader.next(line), i < 2);
  }
}

TEST_F(LineReaderTest, ASlowWriterIsReadyOnlyWithAWholeLine) {
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int writer = open(path.c_str(), O_RDWR);  // both ends, so that no open waits
  LineReader reader(path);
  EXPECT_FALSE(reader.ready());
  ASSERT_EQ(write(writer, "ha", 2), 2);
  EXPECT_FALSE(reader.ready());
  ASSERT_EQ(write(writer, "lf\nnext\nrest", 12), 12);
  std::string line;
  EXPECT_TRUE(reader.ready());
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "half");
  EXPECT_TRUE(reader.ready());
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "next");
  EXPECT_FALSE(reader.ready());
  close(writer);
  EXPECT_TRUE(reader.ready());  // the end
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "rest");
}

TEST_F(LineReaderTest, AStopSignalEndsTheWaitForASlowWriter) {
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EXIT(
      {
        core::install_stop_handlers();
        const int writer = open(path.c_str(), O_RDWR);
        LineReader reader(path);
        raise(SIGTERM);
        std::string line;
        try {
          reader.next(line);
        } catch (const Interrupted& stop) {
          close(writer);
          _exit(stop.signal);
        }
        _exit(0);
      },
      testing::ExitedWithCode(SIGTERM), "");
}

TEST(FindColumns, AreWhatIsBetweenTabs) {
  const auto columns = [](std::string_view line) {
    const auto found = find_columns(line);
    return Lines(found.begin(), found.end());
  };
  EXPECT_EQ(columns("one\teins"), (Lines{"one", "eins"}));
  EXPECT_EQ(columns("\ta\t"), (Lines{"", "a", ""}));
  EXPECT_EQ(columns(""), Lines{""});
  EXPECT_EQ(columns("a b"), Lines{"a b"});
}

TEST(SplitColumns, FieldsMayBeEmptyAndAWrongNumberIsNamed) {
  EXPECT_EQ(split_columns("a\t\tc", 3, "f.tsv", 1), (Lines{"a", "", "c"}));
  EXPECT_EQ(split_columns("", 1, "f.tsv", 1), (Lines{""}));
  EXPECT_FAILS(split_columns("a\tb", 3, "f.tsv", 7), DataError,
               "f.tsv:7: expected 3 columns separated by TABs, found 2");
  EXPECT_FAILS(split_columns("a\tb\ten-de\t1", 2, "f.tsv", 7), DataError,
               "f.tsv:7: expected 2 columns separated by TABs, found 4; column 3 begins with 'en-de'; keep the columns "
               "of the texts, for example with: cut -f 1,2");
}

TEST(SplitPair, ABlankLineIsAPairOfEmptyTexts) {
  EXPECT_EQ(split_pair("a\tb", "f.tsv", 1), (Lines{"a", "b"}));
  for (const char* blank : {"", " ", "\t"}) EXPECT_EQ(split_pair(blank, "f.tsv", 1), (Lines{"", ""}));
  EXPECT_FAILS(split_pair("a", "f.tsv", 2), DataError, "f.tsv:2: expected 2 columns");
}

TEST_F(LineReaderTest, FilesOfOtherEncodingsAreRefused) {
  const std::string text = "The driver likes bread.\n";
  const auto wide = [&](size_t before, size_t after, const std::string& mark) {
    std::string bytes = mark;
    for (const char c : text) bytes += std::string(before, '\0') + c + std::string(after, '\0');
    return bytes;
  };
  const auto refused = [&](const std::string& bytes, const std::string& encoding) {
    LineReader reader(folder.file("text", bytes));
    std::string line;
    EXPECT_FAILS(reader.next(line), DataError,
                 "text: is " + encoding + " text, expected UTF-8; convert it first, for example with: iconv -f " +
                     encoding + " -t UTF-8 FILE > NEW-FILE");
  };
  refused(wide(0, 1, "\xFF\xFE"), "UTF-16");
  refused(wide(1, 0, "\xFE\xFF"), "UTF-16");
  refused(wide(0, 3, {"\xFF\xFE\0\0", 4}), "UTF-32");
  refused(wide(3, 0, {"\0\0\xFE\xFF", 4}), "UTF-32");
  refused(wide(0, 1, ""), "UTF-16LE");
  refused(wide(1, 0, ""), "UTF-16BE");
  refused(wide(0, 3, ""), "UTF-32LE");
  refused(wide(3, 0, ""), "UTF-32BE");
}

TEST_F(LineReaderTest, AStopSignalEndsALineWithoutEnd) {
  EXPECT_EXIT(
      {
        core::install_stop_handlers();
        LineReader reader("/dev/zero");
        raise(SIGTERM);
        std::string line;
        try {
          reader.next(line);
        } catch (const Interrupted& stop) {
          _exit(stop.signal);
        }
        _exit(0);
      },
      testing::ExitedWithCode(SIGTERM), "");
}

}  // namespace
}  // namespace ventris::text
