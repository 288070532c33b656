#include "text/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::text {
namespace {

std::string all_of(const std::string& path) {
  std::string bytes;
  const auto source = open_bytes(path);
  for (auto block = source->next_block(); !block.empty(); block = source->next_block()) bytes += block;
  return bytes;
}

std::string text_of(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += "line " + std::to_string(i) + '\n';
  return text;
}

TEST(ByteSource, PlainFilesComeBackWhole) {
  const test::TempFolder folder;
  EXPECT_EQ(all_of(folder.file("a", text_of(50000))), text_of(50000));
  EXPECT_EQ(all_of(folder.file("b", "")), "");
}

TEST(ByteSource, AFileThatBecomesShorterWhileItIsReadIsTold) {
  const test::TempFolder folder;
  const std::string path = folder.file("a", text_of(50000));
  const auto source = open_bytes(path);
  const size_t read = source->next_block().size();
  std::filesystem::resize_file(path, read + 5);
  EXPECT_EQ(source->next_block().size(), 5U);
  EXPECT_FAILS(source->next_block(), DataError, "a: became shorter while it was read: it had 538890 bytes and has ");
}

TEST(ByteSource, WhatIsAppendedWhileAFileIsReadIsReadToo) {
  const test::TempFolder folder;
  const std::string path = folder.file("a", text_of(50000));
  const auto source = open_bytes(path);
  std::string bytes(source->next_block());
  std::ofstream(path, std::ios::app) << "a last line\n";
  for (auto block = source->next_block(); !block.empty(); block = source->next_block()) bytes += block;
  EXPECT_EQ(bytes, text_of(50000) + "a last line\n");
}

TEST(ByteSource, GzipFilesOfSeveralMembersComeBackWhole) {
  const test::TempFolder folder;
  const std::string packed = test::gzipped(text_of(50000)) + test::gzipped("") + test::gzipped("the end");
  EXPECT_EQ(all_of(folder.file("a.gz", packed)), text_of(50000) + "the end");
  EXPECT_EQ(all_of(folder.file("padded.gz", packed + std::string(512, '\0'))), text_of(50000) + "the end");
}

TEST(ByteSource, EveryTruncationOfAGzipFileIsFound) {
  const test::TempFolder folder;
  const std::string packed = test::gzipped(text_of(20));
  for (size_t size = 0; size < packed.size(); ++size) {
    const std::string path = folder.file("cut.gz", packed.substr(0, size));
    EXPECT_FAILS(all_of(path), DataError, "cut.gz: ends in the middle") << size;
  }
}

TEST(ByteSource, FlippedBytesOfAGzipFileAreFound) {
  const test::TempFolder folder;
  const std::string text = text_of(20), packed = test::gzipped(text);
  constexpr size_t kFlags = 3, kDataAt = 10;  // the header's time and system bytes mean nothing
  for (size_t at = 0; at < packed.size(); ++at) {
    if (at >= kFlags && at < kDataAt) continue;
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    EXPECT_THROW(all_of(folder.file("bad.gz", damaged)), DataError) << at;
  }
}

TEST(ByteSource, ADamagedSecondMemberIsNotDroppedSilently) {
  const test::TempFolder folder;
  std::string second = test::gzipped("second");
  second[0] = 'x';
  const std::string path = folder.file("two.gz", test::gzipped("first") + second);
  EXPECT_FAILS(all_of(path), DataError, "two.gz: damaged gzip data");
}

TEST(ByteSource, PlainTextCalledGzIsRefused) {
  const test::TempFolder folder;
  EXPECT_FAILS(all_of(folder.file("plain.gz", "just text\n")), DataError, "plain.gz: not a gzip file");
}

TEST(ByteSource, GzipIsRecognisedByItsContent) {
  const test::TempFolder folder;
  const std::string packed = test::gzipped(text_of(50000)) + test::gzipped("the end");
  EXPECT_EQ(all_of(folder.file("corpus.en", packed)), text_of(50000) + "the end");
  EXPECT_FAILS(all_of(folder.file("cut", packed.substr(0, 100))), DataError,
               "cut: ends in the middle of its gzip data");
  EXPECT_EQ(all_of(folder.file("short", "\x1F")), "\x1F");
}

TEST(ByteSource, OtherKindsOfFilesAreNamed) {
  const test::TempFolder folder;
  const auto refused = [&](const std::string& bytes, const std::string& part) {
    EXPECT_FAILS(all_of(folder.file("input", bytes + "and more")), DataError, "input: is " + part);
  };
  refused({"PK\x03\x04\0\0", 6},
          "a ZIP archive or a document such as DOCX, XLSX, ODT or EPUB, expected text; unpack it");
  refused("BZh91AY&SY", "bzip2 data, expected text; unpack it first");
  refused({"\xFD\x37zXZ\0", 6}, "xz data, expected text; unpack it first");
  refused("\x28\xB5\x2F\xFD", "zstd data");
  refused("%PDF-1.7\n", "a PDF file, expected text; save its text as a plain text file first");
  refused("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a document of an old version of Microsoft Office");
  refused("\x89PNG\r\n\x1A\n", "an image (PNG), expected text");
  refused("\x93NUMPY", "a NumPy file, expected text");
  refused(std::string(257, 'a') + "ustar", "a tar archive, expected text; unpack it first");
  const auto whole = text::open_bytes_of_any_kind(folder.file("input", "PK\x03\x04 and more"));
  EXPECT_EQ(whole->next_block(), "PK\x03\x04 and more");
  for (const char* text : {"PK", "BZ", "Rare words\n", "P", "7zip is a program\n", "%PD", ""}) {
    EXPECT_EQ(all_of(folder.file("text", text)), text);
  }
}

TEST(ByteSource, APipeThatBeginsSlowlyIsRecognised) {
  const test::TempFolder folder;
  const std::string pipe = folder.path("pipe"), packed = test::gzipped("hello");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe);
    for (const char byte : packed) out << byte << std::flush;
  });
  EXPECT_EQ(all_of(pipe), "hello");
  writer.join();
}

TEST(ByteSource, MissingFilesAndFoldersAreNamed) {
  const test::TempFolder folder;
  EXPECT_FAILS(open_bytes(folder.path("none")), DataError, "none: cannot be read: No such file");
  EXPECT_FAILS(open_bytes(folder.path("none.gz")), DataError, "none.gz: cannot be read: No such file");
  EXPECT_FAILS(open_bytes(folder.path()), DataError, "is a folder, expected a file");
}

TEST(ByteSource, RawLinesKeepEveryByteButTheLineFeeds) {
  const test::TempFolder folder;
  const auto lines_of = [&](const std::string& bytes) {
    std::vector<std::string> lines;
    for_each_raw_line(folder.file("text", bytes), [&](const std::string& line) { lines.push_back(line); });
    return lines;
  };
  EXPECT_EQ(lines_of("\uFEFFa\r\n\n\xFF\nlast"), (std::vector<std::string>{"\uFEFFa\r", "", "\xFF", "last"}));
  EXPECT_EQ(lines_of(""), std::vector<std::string>{});
  const std::string wide(300'000, 'x');  // over several blocks
  EXPECT_EQ(lines_of(wide + "\n" + wide), (std::vector<std::string>{wide, wide}));
}

TEST(ByteSource, ANamedPipeIsOpenedOnceAndItsWriterWaitedFor) {
  const test::TempFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto source = open_bytes(path);  // before there is a writer
  EXPECT_FALSE(source->ready());
  std::thread writer([&] { std::ofstream(path) << "from the writer"; });
  std::string bytes;
  for (auto block = source->next_block(); !block.empty(); block = source->next_block()) bytes += block;
  writer.join();
  EXPECT_EQ(bytes, "from the writer");
}

TEST(ByteSourceDeathTest, AStopSignalEndsTheWaitForAWriterThatNeverComes) {
  const test::TempFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto stopped = [&] {
    core::install_stop_handlers();
    raise(SIGTERM);
    try {
      open_bytes(path)->next_block();
    } catch (const Interrupted& stop) {
      _exit(stop.signal);
    }
    _exit(0);
  };
  EXPECT_EXIT(stopped(), testing::ExitedWithCode(SIGTERM), "");
}

TEST(ByteSourceDeathTest, AStopSignalEndsReadingThatWouldNeverEnd) {
  const test::TempFolder folder;
  const std::string packed = folder.file("zeros.gz", test::gzipped(std::string(1 << 20, '\0')));
  for (const std::string& path : {std::string("/dev/zero"), packed}) {
    const auto stopped = [&] {
      core::install_stop_handlers();
      const auto source = open_bytes(path);
      source->next_block();
      raise(SIGTERM);
      try {
        while (!source->next_block().empty()) {
        }
      } catch (const Interrupted& stop) {
        _exit(stop.signal);
      }
      _exit(0);
    };
    EXPECT_EXIT(stopped(), testing::ExitedWithCode(SIGTERM), "");
  }
}

TEST(ByteSource, WhatComesBeforeDamagedGzipDataIsRead) {
  const test::TempFolder folder;
  const std::string text = text_of(3000);
  std::string packed = test::gzipped(text);
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  for (const std::string& before : {std::string(), test::gzipped(text)}) {
    const auto source = open_bytes(folder.file("a.gz", before + packed));
    std::string bytes;
    const auto read = [&] {
      for (auto block = source->next_block(); !block.empty(); block = source->next_block()) bytes += block;
    };
    EXPECT_FAILS(read(), DataError, "a.gz: damaged gzip data (");
    EXPECT_FAILS(read(), DataError, "a.gz: damaged gzip data (");
    const std::string whole = before.empty() ? text : text + text;
    const auto same = std::mismatch(bytes.begin(), bytes.end(), whole.begin(), whole.end()).first - bytes.begin();
    EXPECT_GT(same, static_cast<int64_t>(whole.size() - 2 * text.size() / 3));
  }
}

}  // namespace
}  // namespace ventris::text
