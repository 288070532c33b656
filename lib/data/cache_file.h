#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/files.h"
#include "data/pair_store.h"

/// A tokenised corpus in one file. Pairs stand in chunks of 1,024, each an index (place, sizes, weight and crc32 of
/// each pair) and the pairs' ids and texts behind it; at the end the places and crc32 of the chunks' indexes, a JSON
/// text, and a trailer that says where they begin. Every byte that is read is checked against its crc32. Numbers are in
/// the machine's byte order.
namespace ventris::data {

/// One pair in a chunk's index.
struct CacheEntry {
  uint64_t place = 0;  ///< in the file: source ids, target ids, source text, target text
  uint32_t source_tokens = 0, target_tokens = 0;
  uint32_t source_bytes = 0, target_bytes = 0;  ///< of the texts
  float weight = 1;
  uint32_t crc = 0;  ///< of the five numbers before it and what lies at `place`
};

/// Where a chunk's index lies.
struct CacheChunk {
  uint64_t place = 0;
  uint32_t pairs = 0;
  uint32_t crc = 0;
};

/// Writes such a file, pair by pair, with a chunk in memory; it is there after finish() and not before. Throws
/// WriteError.
class CacheWriter {
 public:
  explicit CacheWriter(const std::string& path);
  void begin_part(uint32_t tag_tokens) { summary_.begin_part(tag_tokens); }
  void add(const SentencePair& pair);

  /// `description`: a JSON object to be found again in CacheFile::description().
  void finish(const std::string& description);

 private:
  void write(std::string_view bytes);
  void write_chunk();

  core::OutputFile file_;
  uint64_t written_ = 0;
  StoreSummary summary_;
  std::vector<CacheEntry> entries_;  // of the chunk, places counted from the end of its index
  std::string pairs_;                // of the chunk
  std::vector<CacheChunk> chunks_;
};

/// What a file that should be a cache is.
enum class CacheState { kMissing, kForeign, kDamaged, kWhole };

/// Such a file, open for reading; a file of the same name that replaces it later changes nothing. Reads with pread:
/// what is in memory is the list of chunks, 16 bytes for 1,024 pairs.
class CacheFile : public PairStore {
 public:
  /// Looks at the beginning and the end of the file only. Throws DataError if it is there and cannot be opened.
  static CacheState state_of(const std::string& path);

  /// Throws DataError, saying why, unless its state is kWhole.
  explicit CacheFile(std::string path);
  ~CacheFile() override;
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  const StoreSummary& summary() const override { return summary_; }
  void lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const override;
  SentencePair pair(size_t number) const override;
  const std::string& description() const { return description_; }

  /// Reads and checks every byte. Throws DataError; Interrupted when a stop signal arrives.
  void verify() const;

 private:
  void read_tail();
  void parse_summary();
  void read(uint64_t place, void* to, size_t bytes) const;
  std::vector<CacheEntry> index_of(size_t chunk) const;
  SentencePair pair_at(const CacheEntry& entry) const;
  [[noreturn]] void damaged(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
  StoreSummary summary_;
  std::string description_;
  std::vector<CacheChunk> chunks_;
};

}  // namespace ventris::data
