#include "data/cache_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/random.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/random_pairs.h"
#include "support/temp_folder.h"

namespace ventris::data {
namespace {

class CacheFileTest : public testing::Test {
 protected:
  void write(const ParallelCorpus& corpus) const {
    CacheWriter writer(path);
    for (const CorpusPart& part : corpus.summary().parts) writer.begin_part(part.tag_tokens);
    for (size_t i = 0; i < corpus.size(); ++i) writer.add(corpus.pair(i));
    writer.finish(R"({"what": "a test"})");
  }
  void put(const std::string& bytes) const { folder.file("cache", bytes); }

  test::TempFolder folder;
  std::string path = folder.path("cache");
  ParallelCorpus pairs = test::random_pairs(3000, 12, 1);  // three chunks
};

TEST_F(CacheFileTest, GivesBackWhatWasPutInAndTheSameChecksum) {
  write(pairs);
  const CacheFile cache(path);
  ASSERT_EQ(cache.size(), pairs.size());
  std::vector<uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<PairLengths> lengths(all.size());
  cache.lengths(all, lengths);
  for (const uint32_t i : all) {
    const SentencePair found = cache.pair(i), expected = pairs.pair(i);
    ASSERT_EQ(found.source, expected.source);
    ASSERT_EQ(found.target, expected.target);
    ASSERT_EQ(lengths[i].source, expected.source.size());
    ASSERT_EQ(lengths[i].target, expected.target.size());
  }
  EXPECT_EQ(cache.summary().checksum(), pairs.summary().checksum());
  EXPECT_EQ(cache.summary().longest, pairs.summary().longest);
  EXPECT_EQ(cache.description(), R"({"what":"a test"})");
  EXPECT_NO_THROW(cache.verify());
  EXPECT_THROW(cache.pair(pairs.size()), std::out_of_range);
}

TEST_F(CacheFileTest, KeepsTextsAndWeights) {
  ParallelCorpus special;
  special.begin_part(1);
  special.add({{5, 6}, {7}, "some text", "another", 0.25F});
  special.add({{5}, {7}, "x", "", 2});
  write(special);
  const CacheFile cache(path);
  const SentencePair first = cache.pair(0), second = cache.pair(1);
  EXPECT_EQ(first.source_text, "some text");
  EXPECT_EQ(first.target_text, "another");
  EXPECT_EQ(first.weight, 0.25F);
  EXPECT_EQ(second.source_text, "x");
  EXPECT_EQ(second.weight, 2);
  EXPECT_TRUE(cache.summary().weighted);
  EXPECT_EQ(cache.summary().parts.at(0).tag_tokens, 1U);
  EXPECT_EQ(cache.summary().checksum(), special.summary().checksum());
}

TEST_F(CacheFileTest, IsNotThereBeforeItIsWhole) {
  {
    CacheWriter writer(path);
    for (size_t i = 0; i < pairs.size(); ++i) writer.add(pairs.pair(i));
  }
  EXPECT_EQ(CacheFile::state_of(path), CacheState::kMissing);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(CacheFileTest, AnyTruncationIsSeenWhenItIsOpened) {
  write(pairs);
  const std::string whole = test::file_bytes(path);
  const core::RandomStream random(1, 0);
  for (uint64_t i = 0; i < 300; ++i) {
    put(whole.substr(0, random.below(i, whole.size())));
    EXPECT_NE(CacheFile::state_of(path), CacheState::kWhole);
    EXPECT_FAILS(CacheFile{path}, DataError, "damaged: ");
  }
}

TEST_F(CacheFileTest, AnyFlippedByteIsSeenBeforeItIsBelieved) {
  pairs = test::random_pairs(40, 5, 2);
  write(pairs);
  const std::string whole = test::file_bytes(path);
  for (size_t place = 16; place < whole.size(); ++place) {  // behind the first mark
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ (1 << place % 8));
    put(changed);
    EXPECT_FAILS(CacheFile{path}.verify(), DataError, "cache: damaged: ") << place;
  }
}

TEST_F(CacheFileTest, ADamagedPairIsNamedWhenItIsRead) {
  write(pairs);
  std::string bytes = test::file_bytes(path);
  bytes[bytes.size() / 2] ^= 4;
  put(bytes);
  const CacheFile cache(path);  // its end is whole
  EXPECT_FAILS(for (size_t i = 0; i < cache.size(); ++i) cache.pair(i), DataError,
               "damaged: a checksum differs; remove it, and it will be built again");
}

/// A cache of one pair, in which numbers are changed by someone who makes the checksums right again.
class CraftedCache : public CacheFileTest {
 protected:
  CraftedCache() {
    CacheWriter writer(path);
    writer.begin_part(1);
    writer.add({{4, 5, 6}, {7, 8}, "", "", 1});
    writer.finish("{}");
    whole = test::file_bytes(path);
    take(kEntry, entry);
    take(whole.size() - kTrailer, trailer);
    take(trailer.chunks_place, chunk);
    summary = whole.substr(trailer.chunks_place + sizeof chunk, trailer.json_bytes);
  }

  template <typename T>
  void take(size_t place, T& value) const {
    std::memcpy(&value, whole.data() + place, sizeof value);
  }
  template <typename T>
  static std::string raw(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  /// The file with these parts.
  std::string sealed() {
    std::string data = raw(ids);
    const auto covered = raw(entry).substr(sizeof entry.place, offsetof(CacheEntry, crc) - sizeof entry.place);
    entry.crc = files::crc32(data, files::crc32(covered));
    chunk.crc = files::crc32(raw(entry));
    trailer.json_bytes = summary.size();
    trailer.crc = files::crc32(summary, files::crc32(raw(chunk)));
    return whole.substr(0, kEntry) + raw(entry) + data + raw(chunk) + summary + raw(trailer);
  }

  /// Reads everything that training reads.
  void read_all() {
    put(sealed());
    CacheFile cache(path);
    cache.expect(limits);
    const uint32_t first = 0;
    PairLengths lengths;
    cache.lengths({&first, 1}, {&lengths, 1});
    cache.pair(0);
  }
  std::string error() {
    try {
      read_all();
      return "";
    } catch (const DataError& found) {
      return found.what();
    }
  }
  /// The error after a change, which is undone then.
  template <typename T>
  std::string with(T& place, const T& value) {
    const T before = std::exchange(place, value);
    std::string found = error();
    place = before;
    return found;
  }
  std::string with_summary(const std::string& from, const std::string& to) {
    std::string changed = summary;
    const size_t place = changed.find(from);
    EXPECT_NE(place, std::string::npos) << from << " in " << summary;
    return with(summary, changed.replace(place, from.size(), to));
  }

  struct Trailer {
    uint64_t chunks_place = 0, chunks = 0, json_bytes = 0;
    uint32_t crc = 0, version = 0;
    char magic[16] = {};
  };
  static constexpr size_t kEntry = 16, kTrailer = sizeof(Trailer);
  std::string whole, summary;
  CacheEntry entry;
  CacheChunk chunk;
  Trailer trailer;
  std::array<int32_t, 5> ids{4, 5, 6, 7, 8};
  CacheLimits limits{
      .source_ids = 7, .target_ids = 9, .max_length = 3, .passages = false, .labels = false, .tags = {1}};
};

TEST_F(CraftedCache, UnchangedItIsWhole) {
  EXPECT_EQ(error(), "");
  EXPECT_EQ(sealed(), whole);
}

TEST_F(CraftedCache, SizesOfAPairMustFitTheSummaryAndTheFile) {
  using testing::HasSubstr;
  const std::string too_long =
      "cache: damaged: a pair is longer than the longest of its summary; remove it, and it will";
  EXPECT_THAT(with(entry.source_tokens, UINT32_MAX), HasSubstr(too_long));
  EXPECT_THAT(with(entry.target_tokens, UINT32_MAX), HasSubstr(too_long));
  EXPECT_THAT(with(entry.source_tokens, 1U), HasSubstr("damaged: a side of a pair is empty"));  // only its tag
  EXPECT_THAT(with(entry.source_tokens, 0U), HasSubstr("damaged: a side of a pair is empty"));
  EXPECT_THAT(with(entry.target_tokens, 0U), HasSubstr("damaged: a side of a pair is empty"));
  EXPECT_THAT(with(entry.source_tokens, 2U), HasSubstr("damaged: a checksum differs"));
  EXPECT_THAT(with(entry.source_bytes, UINT32_MAX), HasSubstr("damaged: a pair has a text"));
  EXPECT_THAT(with(entry.target_bytes, 1U), HasSubstr("damaged: a pair has a text"));
  EXPECT_THAT(with(entry.place, UINT64_MAX), HasSubstr("damaged: it ends too early"));
  EXPECT_THAT(with(entry.place, uint64_t{1} << 40), HasSubstr("damaged: it ends too early"));
}

TEST_F(CraftedCache, LinksMustBeExpectedAndInTheFile) {
  using testing::HasSubstr;
  EXPECT_THAT(with(entry.links, 1U), HasSubstr("damaged: a pair has links"));
  EXPECT_THAT(with_summary(R"("links":0)", R"("links":3)"), HasSubstr("damaged: it has links"));
  limits.linked = true;
  EXPECT_THAT(with(entry.links, UINT32_MAX), HasSubstr("damaged: a pair is larger than the file"));
  EXPECT_THAT(with(entry.links, 1U), HasSubstr("damaged: a checksum differs"));
}

TEST_F(CacheFileTest, LinksWithNegativeNumbersAreDamage) {
  CacheWriter writer(path);
  writer.add({{4}, {7}, "a", "b", 1, {{0, 1}}});
  writer.add({{4}, {7}, "a", "b", 1, {{0, -1}}});
  writer.finish("{}");
  const CacheFile cache(path);
  EXPECT_EQ(cache.pair(0).links, (text::Links{{0, 1}}));
  EXPECT_FAILS(cache.pair(1), DataError, "damaged: a link is of no word");
}

TEST_F(CraftedCache, WeightsMustBeNumbersInTheirRange) {
  for (const float weight : {-1.0F, 1.1e6F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    EXPECT_THAT(with(entry.weight, weight), testing::HasSubstr("damaged: the weight of a pair is out of range"));
  }
  EXPECT_EQ(with(entry.weight, 0.5F), "");
}

TEST_F(CraftedCache, IdsMustBeInTheVocabularies) {
  using testing::HasSubstr;
  EXPECT_THAT(with(ids[0], 7), HasSubstr("damaged: a source has the id 7; expected ids from 0 to 6; remove it"));
  EXPECT_THAT(with(ids[2], -1), HasSubstr("damaged: a source has the id -1"));
  EXPECT_THAT(with(ids[3], 9), HasSubstr("damaged: a target has the id 9; expected ids from 0 to 8"));
  EXPECT_THAT(with(ids[4], INT32_MIN), HasSubstr("damaged: a target has the id -2147483648"));
  EXPECT_EQ(with(ids[3], 8), "");
  limits.labels = true;
  EXPECT_THAT(error(), HasSubstr("damaged: a text has another number of labels than 1"));
}

TEST_F(CraftedCache, SentencesOfAPassageMustFillIt) {
  using testing::HasSubstr;
  limits.passages = true;
  ids = {4, 5, 6, 1, 3};
  EXPECT_EQ(error(), "");
  EXPECT_THAT(with(ids[3], 0), HasSubstr("damaged: the sentences of a passage are not in order"));
  EXPECT_THAT(with(ids[3], 3), HasSubstr("damaged: the sentences of a passage are not in order"));
  EXPECT_THAT(with(ids[4], 2), HasSubstr("damaged: the sentences of a passage do not fill it"));
  EXPECT_THAT(with(ids[4], INT32_MAX), HasSubstr("damaged: the sentences of a passage do not fill it"));
}

TEST_F(CraftedCache, TextsMustBeThereIfTheyAreExpected) {
  limits.has_text = true;
  EXPECT_THAT(error(), testing::HasSubstr("damaged: it has no texts"));
  EXPECT_THAT(with_summary("\"has_text\":false", "\"has_text\":true"),
              testing::HasSubstr("damaged: a pair has no text"));
  limits.has_text = false;
  EXPECT_THAT(with_summary("\"has_text\":false", "\"has_text\":true"), testing::HasSubstr("damaged: it has texts"));
}

TEST_F(CraftedCache, TheSummaryMustFitTheLimitsAndItself) {
  using testing::HasSubstr;
  for (const char* parts :
       {"[[0,1]]", "[[2,1]]", "[[18446744073709551615,1],[2,1]]", "[[-1,1]]", "[[1.5,1]]", "[]", "[[]]"}) {
    EXPECT_THAT(with_summary("[[1,1]]", parts), HasSubstr("cache: damaged: ")) << parts;
  }
  EXPECT_THAT(with_summary("[[1,1]]", "[[1,1],[0,1]]"), HasSubstr("damaged: it has another number of corpora"));
  EXPECT_THAT(with_summary("[[1,1]]", "[[1,2]]"),
              HasSubstr("damaged: the tag of a corpus has another number of tokens"));
  EXPECT_THAT(with_summary("\"longest\":3", "\"longest\":4"),
              HasSubstr("damaged: a side is longer than data.max_length"));
  EXPECT_THAT(with_summary("\"longest\":3", "\"longest\":2"),
              HasSubstr("damaged: its pairs cannot have so many tokens"));
  EXPECT_THAT(with_summary("\"longest\":3", "\"longest\":1e99"), HasSubstr("a number in its summary is out of range"));
  EXPECT_THAT(with_summary("\"source_tokens\":3", "\"source_tokens\":-3"), HasSubstr("is out of range"));
  EXPECT_THAT(with_summary("\"target_tokens\":2", "\"target_tokens\":4"), HasSubstr("cannot have so many tokens"));
  const std::string wrong_type = with_summary("\"weighted\":false", "\"weighted\":3");
  EXPECT_THAT(wrong_type, HasSubstr("cache: damaged: type must be boolean, but is number"));
  EXPECT_THAT(wrong_type, testing::Not(HasSubstr("json.exception")));
  EXPECT_THAT(with_summary("\"crc\":[", "\"crc\":[4294967296,"), HasSubstr("is out of range"));
  EXPECT_THAT(with_summary("\"crc\"", "\"cry\""), HasSubstr("cache: damaged: "));
  EXPECT_THAT(with(summary, std::string(200, '[')),
              HasSubstr("damaged: its description is no JSON text, or is too large"));
}

TEST_F(CraftedCache, ChunksMustBeFullAndInTheFile) {
  const std::string wrong = "damaged: its sizes contradict each other";
  for (const uint32_t wrong_pairs : {0U, 2U, 1024U, UINT32_MAX}) {
    EXPECT_THAT(with(chunk.pairs, wrong_pairs), testing::HasSubstr(wrong));
  }
  EXPECT_THAT(with(chunk.place, UINT64_MAX - 7), testing::HasSubstr(wrong));
  EXPECT_THAT(with(chunk.place, uint64_t{40}), testing::HasSubstr("damaged: "));
  for (uint64_t* number : {&trailer.chunks_place, &trailer.chunks}) {
    for (const uint64_t value : {uint64_t{0}, uint64_t{2}, uint64_t{1} << 60, UINT64_MAX}) {
      EXPECT_THAT(with(*number, value), testing::HasSubstr("cache: damaged: "));
    }
  }
}

TEST_F(CacheFileTest, WhatSomebodyElsePutThereIsForeign) {
  EXPECT_EQ(CacheFile::state_of(path), CacheState::kMissing);
  put("someone's notes, long enough to hold a mark");
  EXPECT_EQ(CacheFile::state_of(path), CacheState::kForeign);
  EXPECT_EQ(CacheFile::state_of(folder.path()), CacheState::kForeign);
  put("");
  EXPECT_EQ(CacheFile::state_of(path), CacheState::kDamaged);
}

TEST_F(CacheFileTest, OneThatCannotBeOpenedIsNoOtherFile) {
  std::filesystem::create_symlink(path, path);  // to itself
  EXPECT_FAILS(CacheFile::state_of(path), DataError, "the corpus cache cannot be opened: Too many levels");
}

TEST_F(CacheFileTest, AFileThatReplacesItWhileItIsOpenChangesNothing) {
  write(pairs);
  const CacheFile cache(path);
  write(test::random_pairs(2000, 5, 9));
  EXPECT_EQ(cache.pair(2500).source, pairs.pair(2500).source);
}

TEST_F(CraftedCache, NoPairHasMorePairsBeforeItThanItsCorpus) {
  limits.documents = true;
  EXPECT_THAT(with(entry.preceding, 1U), testing::HasSubstr("damaged: a pair has more pairs before it"));
}

TEST_F(CacheFileTest, KeepsThePlacesInDocuments) {
  {
    CacheWriter writer(path);
    writer.begin_part(0);
    SentencePair pair{{4, 5}, {6}, "", ""};
    writer.add(pair);
    pair.preceding = 1;
    writer.add(pair);
    writer.finish("{}");
  }
  CacheFile cache(path);
  EXPECT_EQ(cache.pair(1).preceding, 1U);
  EXPECT_EQ(cache.summary().preceding, 1);
  std::vector<PairLengths> lengths(2);
  cache.lengths(std::vector<uint32_t>{0, 1}, lengths);
  EXPECT_EQ(lengths[0].preceding, 0U);
  EXPECT_EQ(lengths[1].preceding, 1U);
  CacheLimits limits;
  limits.source_ids = limits.target_ids = 10;
  limits.tags = {0};
  EXPECT_FAILS(cache.expect(limits), DataError, "damaged: it has documents");
}

}  // namespace
}  // namespace ventris::data
