#include "data/corpus_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "data/cache_file.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

namespace fs = std::filesystem;

class CorpusCache : public testing::Test {
 protected:
  CorpusCache() {
    std::string text;
    for (const std::string& line : test::tiny_text()) text += line + "\n";
    corpora.push_back({{folder.file("a.src", text), folder.file("a.tgt", text)}});
  }
  std::unique_ptr<const PairStore> open() { return open_cache(cache, corpora, tokenizer, tokenizer, options, counts); }
  std::string file() const { return cache + "/corpus.cache"; }
  /// Whether opening builds anew.
  bool builds() {
    const auto before = fs::exists(file()) ? fs::last_write_time(file()) : fs::file_time_type::min();
    open();
    return fs::last_write_time(file()) != before;
  }

  test::TempFolder folder;
  std::string cache = folder.path("some/cache");
  std::vector<CorpusSpec> corpora;
  text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  ReadOptions options;
  std::vector<CorpusCounts> counts;
};

TEST_F(CorpusCache, HoldsWhatMemoryWouldHold) {
  options.keep_text = true;
  options.threads = 2;
  const auto cached = open();
  std::vector<CorpusCounts> expected;
  const auto memory = load_corpora(corpora, tokenizer, tokenizer, options, expected);
  ASSERT_EQ(cached->size(), memory.size());
  EXPECT_EQ(cached->summary().checksum(), memory.summary().checksum());
  EXPECT_EQ(cached->pair(17).source_text, memory.pair(17).source_text);
  EXPECT_EQ(describe(counts.at(0)), describe(expected.at(0)));
}

TEST_F(CorpusCache, IsBuiltOnceAndTellsTheCountsAgain) {
  EXPECT_FALSE(cache_is_of(cache, corpora));
  EXPECT_TRUE(builds());
  const std::string told = describe(counts.at(0));
  counts.clear();
  EXPECT_FALSE(builds());
  EXPECT_EQ(describe(counts.at(0)), told);
  EXPECT_TRUE(cache_is_of(cache, corpora));
}

TEST_F(CorpusCache, IsBuiltAnewWhenWhatItWasMadeOfChanges) {
  open();
  options.filter.max_length = 20;
  EXPECT_TRUE(builds());
  options.keep_text = true;
  EXPECT_TRUE(builds());
  tokenizer = test::tiny_tokenizer(text::TokenizerKind::kBpe);
  EXPECT_TRUE(builds());
  folder.file("a.src", "bread\n");
  folder.file("a.tgt", "bread\n");
  EXPECT_FALSE(cache_is_of(cache, corpora));
  EXPECT_TRUE(builds());
  corpora.push_back(corpora.front());
  EXPECT_TRUE(builds());
  EXPECT_EQ(open()->summary().parts.size(), 2U);
  corpora[1].line_weights = folder.file("weights", "0.5\n");
  EXPECT_TRUE(builds());
  EXPECT_FALSE(builds());
  for (const bool documents : {true, false}) {
    options.documents = documents;
    EXPECT_TRUE(builds()) << documents;
    EXPECT_FALSE(builds()) << documents;
  }
}

TEST_F(CorpusCache, IsBuiltAnewForOtherLanguagesOfATranslationMemory) {
  const std::string memory =
      folder.file("a.tmx",
                  "<tmx><tu><tuv xml:lang=\"en\"><seg>bread</seg></tuv><tuv xml:lang=\"fr\"><seg>the bridge</seg></tuv>"
                  "<tuv xml:lang=\"de\"><seg>bread and bread</seg></tuv></tu></tmx>");
  corpora = {{in_one_file(memory + ":en:de")}};
  EXPECT_TRUE(builds());
  EXPECT_FALSE(builds());
  corpora = {{in_one_file(memory + ":en:fr")}};
  EXPECT_TRUE(builds());
}

TEST_F(CorpusCache, AFileThatIsMissingIsNotTakenForNone) {
  open();
  corpora[0].line_weights = folder.path("mistyped");
  EXPECT_FALSE(cache_is_of(cache, corpora));
  EXPECT_FAILS(open(), DataError, "mistyped");
}

TEST_F(CorpusCache, ADamagedOneIsBuiltAnew) {
  open();
  const std::string whole = test::file_bytes(file());
  for (const size_t size : {size_t{0}, size_t{10}, size_t{16}, whole.size() / 2, whole.size() - 1}) {
    fs::resize_file(file(), size);
    EXPECT_FALSE(cache_is_of(cache, corpora));
    open();
    EXPECT_EQ(test::file_bytes(file()), whole) << size;
  }
}

TEST_F(CorpusCache, OneWithOtherNumbersThanItsCorporaIsBuiltAnewThoughItsChecksumsAreRight) {
  open();
  const std::string whole = test::file_bytes(file());
  const auto pairs = "[" + std::to_string(CacheFile(file()).size()) + ",0]";
  const size_t text = whole.find("{\"description\":"), end = whole.size() - 48;
  ASSERT_NE(text, std::string::npos);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"counts\":[[", "\"counts\":[[1,1,0,0,0,0,0],["},
                                 {"\"counts\":[[", "\"counts\":[[-"},
                                 {"\"counts\":[[", "\"counts\":[[1e30,"},
                                 {pairs, "[1,0],[1,0]"},
                                 {"\"longest\":", "\"longest\":9"}}) {
    std::string crafted = whole;
    const size_t place = crafted.find(from, text);
    ASSERT_NE(place, std::string::npos) << from;
    crafted.replace(place, from.size(), to);
    const uint64_t bytes = end - text + to.size() - from.size();
    const size_t trailer = crafted.size() - 48;
    uint64_t chunks = 0;
    std::memcpy(&chunks, crafted.data() + trailer, sizeof chunks);
    const uint32_t crc = files::crc32(std::string_view(crafted).substr(chunks, trailer - chunks));
    std::memcpy(crafted.data() + trailer + 16, &bytes, sizeof bytes);
    std::memcpy(crafted.data() + trailer + 24, &crc, sizeof crc);
    folder.file("some/cache/corpus.cache", crafted);
    open();
    EXPECT_EQ(test::file_bytes(file()), whole) << to;
  }
}

TEST_F(CorpusCache, SomebodyElsesFileIsLeftAlone) {
  fs::create_directories(cache);
  folder.file("some/cache/corpus.cache", "notes that somebody keeps here");
  EXPECT_FAILS(open(), ConfigError, "corpus.cache is not a corpus cache; give another folder, or remove it");
  EXPECT_EQ(test::file_bytes(file()), "notes that somebody keeps here");
}

TEST_F(CorpusCache, AFolderThatCannotBeMadeIsNamed) {
  cache = folder.file("file", "") + "/cache";
  EXPECT_FAILS(open(), WriteError, "file/cache: cannot create the cache folder");
}

TEST_F(CorpusCache, WhatIsWrongWithACorpusIsToldAndNothingIsLeftBehind) {
  folder.file("a.tgt", "bread\n");
  EXPECT_FAILS(open(), DataError, "line counts differ");
  EXPECT_FALSE(fs::exists(file()));
  for (const auto& entry : fs::directory_iterator(cache)) EXPECT_EQ(entry.path().filename(), "corpus.cache.lock");
}

TEST_F(CorpusCache, WhatAKilledBuilderLeftIsRemoved) {
  fs::create_directories(cache);
  folder.file("some/cache/.tmp-1-corpus.cache", "half");
  folder.file("some/cache/.tmp-1-other", "somebody's");
  open();
  EXPECT_FALSE(fs::exists(cache + "/.tmp-1-corpus.cache"));
  EXPECT_TRUE(fs::exists(cache + "/.tmp-1-other"));
}

}  // namespace
}  // namespace ventris::data
