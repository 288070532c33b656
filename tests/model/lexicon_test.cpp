#include "model/lexicon.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/error.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::model {
namespace {

using Ids = std::vector<int32_t>;

Lexicon lexicon(uint32_t target_vocab = 9) {
  return {{.source_vocab = 5, .target_vocab = target_vocab, .source_crc = 77, .target_crc = 88},
          {6, 8, 4, static_cast<int32_t>(target_vocab) - 1},
          {{}, {4, 8}, {}, {}, {5, 6, 7}}};
}

Ids ids_of(std::span<const int32_t> ids) { return {ids.begin(), ids.end()}; }

TEST(Lexicon, IsTheSameAfterWritingAndReading) {
  const test::TempFolder folder;
  for (const uint32_t vocab : {9, 65536, 65537, 1000000}) {  // ids of 16 and of 32 bits
    const Lexicon written = lexicon(vocab), read = Lexicon::from_file(folder.file("lexicon", written.bytes()));
    EXPECT_EQ(read.tokenizers(), written.tokenizers());
    EXPECT_EQ(ids_of(read.frequent()), (Ids{6, 8, 4, static_cast<int32_t>(vocab) - 1}));
    EXPECT_EQ(ids_of(read.pieces(0)), Ids{});
    EXPECT_EQ(ids_of(read.pieces(1)), (Ids{4, 8}));
    EXPECT_EQ(ids_of(read.pieces(4)), (Ids{5, 6, 7}));
  }
}

TEST(Lexicon, MayBeEmpty) {
  const Lexicon written({.source_vocab = 1, .target_vocab = 1}, {}, {{}});
  EXPECT_TRUE(Lexicon::parse(written.bytes(), "it").frequent().empty());
}

TEST(Lexicon, EveryChangedByteAndEveryCutIsNoticed) {
  const std::string bytes = lexicon().bytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_THROW(Lexicon::parse(changed, "it"), ModelError) << "byte " << i;
    EXPECT_THROW(Lexicon::parse(bytes.substr(0, i), "it"), ModelError) << "length " << i;
  }
  EXPECT_FAILS(Lexicon::parse(bytes + "x", "it"), ModelError, "it: has a wrong size; the lexicon is damaged");
  EXPECT_FAILS(Lexicon::parse(bytes.substr(0, 20), "it"), ModelError, "it: ends too early; the lexicon is damaged");
}

TEST(Lexicon, OtherFilesAndNewerVersionsAreRefused) {
  EXPECT_FAILS(Lexicon::parse("some text", "it"), ModelError, "it: is not a lexicon; make one with ventris-vocab");
  std::string newer = lexicon().bytes();
  ++newer[Lexicon::kMagic.size()];
  EXPECT_FAILS(Lexicon::parse(newer, "it"), ModelError,
               "it: has format version 2, but this program knows only version");
  EXPECT_FAILS(Lexicon::from_file("/nonexistent/lexicon"), DataError, "/nonexistent/lexicon");
}

/// The bytes with another number in 16 bits, and the checksum that belongs to them.
std::string with_number(std::string bytes, size_t place, uint16_t number) {
  bytes.resize(bytes.size() - 4);
  bytes.replace(place, 2, reinterpret_cast<const char*>(&number), 2);
  const uint32_t crc = files::crc32(bytes);
  return bytes.append(reinterpret_cast<const char*>(&crc), 4);
}

TEST(Lexicon, NumbersThatDoNotFitAreRefusedEvenIfTheChecksumIsRight) {
  const std::string bytes = lexicon().bytes();
  const size_t numbers = Lexicon::kMagic.size() + 28, counts = numbers + 8;
  EXPECT_FAILS(Lexicon::parse(with_number(bytes, numbers, 9), "it"), ModelError, "an id is outside the vocabulary");
  EXPECT_FAILS(Lexicon::parse(with_number(bytes, counts, 1), "it"), ModelError, "do not add up");
  EXPECT_FAILS(Lexicon::parse(with_number(bytes, counts, 1001), "it"), ModelError, "too many pieces");
}

TEST(Lexicon, TheConstructorRefusesWrongSizesAndIds) {
  const LexiconTokenizers tokenizers{.source_vocab = 2, .target_vocab = 5};
  EXPECT_THROW(Lexicon(tokenizers, {}, {{}}), std::invalid_argument);
  EXPECT_THROW(Lexicon(tokenizers, {5}, {{}, {}}), std::invalid_argument);
  EXPECT_THROW(Lexicon(tokenizers, {}, {{}, {-1}}), std::invalid_argument);
  EXPECT_THROW(Lexicon(tokenizers, {}, {{}, Ids(1001, 4)}), std::invalid_argument);
}

TEST(Lexicon, ThatOfAnotherModelIsRefused) {
  const Lexicon made({3, 4, files::crc32("source"), files::crc32("target")}, {}, {{}, {}, {}});
  made.check_tokenizers(lexicon_tokenizers("source", 3, "target", 4), "lexicon", "model");
  EXPECT_FAILS(
      made.check_tokenizers(lexicon_tokenizers("source", 3, "target", 5), "lexicon", "model"), ModelError,
      "lexicon: was made for other tokenizers (3 source and 4 target pieces) than those of model (3 source and "
      "5 target pieces); make a lexicon for this model");
  EXPECT_FAILS(made.check_tokenizers(lexicon_tokenizers("source", 3, "other", 4), "lexicon", "model"), ModelError,
               "than those of model (other pieces)");
}

}  // namespace
}  // namespace ventris::model
