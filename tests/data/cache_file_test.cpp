#include "data/cache_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <stdexcept>

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

}  // namespace
}  // namespace ventris::data
