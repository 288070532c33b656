#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "files/files.h"

/// A tokenized corpus in one file. Pairs are in chunks of 1,024. A chunk has an index (place, sizes, weight and crc32
/// of each pair), followed by the ids, links and texts of the pairs. At the end of the file are the places and crc32 of
/// the chunks' indexes, a JSON text, and a trailer that says where they begin. Every byte that is read is checked
/// against its crc32, and every number against what training relies on (CacheLimits). Numbers are in the machine's byte
/// order.
namespace ventris::data {

/// One pair in a chunk's index.
struct CacheEntry {
  uint64_t place = 0;  ///< offset in the file of source ids, target ids, links, source text, target text
  uint32_t source_tokens = 0, target_tokens = 0;
  uint32_t source_bytes = 0, target_bytes = 0;  ///< of the texts
  uint32_t links = 0;
  float weight = 1;
  uint32_t preceding = 0;  ///< as SentencePair::preceding
  uint32_t crc = 0;  ///< of the numbers before it without `place`, and of the bytes at `place`
};

/// The place of a chunk's index.
struct CacheChunk {
  uint64_t place = 0;
  uint32_t pairs = 0;
  uint32_t crc = 0;
};

/// Writes such a file pair by pair, with one chunk in memory. The file exists only after finish(). Throws
/// WriteError.
class CacheWriter {
 public:
  explicit CacheWriter(const std::string& path);
  void begin_part(uint32_t tag_tokens) { summary_.begin_part(tag_tokens); }
  void add(const SentencePair& pair);

  /// Completes the file. `description` is a JSON object that CacheFile::description() will return.
  void finish(const std::string& description);

 private:
  void write(std::string_view bytes);
  void write_chunk();

  files::OutputFile file_;
  uint64_t written_ = 0;
  StoreSummary summary_;
  std::vector<CacheEntry> entries_;  // of the chunk; places count from the end of its index
  std::string pairs_;                // of the chunk
  std::vector<CacheChunk> chunks_;
};

/// The state of a file that should be a cache.
enum class CacheState { kMissing, kForeign, kDamaged, kWhole };

/// What the content of a cache must keep to, because training relies on it. (Checksums only show that a file was not
/// damaged by accident.) The defaults allow everything.
struct CacheLimits {
  int64_t source_ids = INT32_MAX, target_ids = INT32_MAX;  ///< ids are at least 0 and below this
  int64_t max_length = UINT32_MAX;                         ///< tokens of a side
  bool passages = false;  ///< of running text: targets are ends of sentences (data/documents.h), not ids
  bool labels = false;    ///< targets are single labels, not ids of text
  /// The rest is only checked if the number of tokens in the tag of each corpus is given.
  std::vector<uint32_t> tags = {};
  bool has_text = false;
  bool linked = false;  ///< pairs may have links
  bool documents = false;  ///< pairs may have SentencePair::preceding
};

/// Such a file, open for reading. It stays open even if another file replaces it. Reads with pread; only the list of
/// chunks is in memory, 16 bytes per 1,024 pairs.
class CacheFile : public PairStore {
 public:
  /// Reads only the beginning and the end of the file. Throws DataError if it exists but cannot be opened.
  static CacheState state_of(const std::string& path);

  /// Throws DataError with the reason unless its state is kWhole.
  explicit CacheFile(std::string path);
  ~CacheFile() override;
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  const StoreSummary& summary() const override { return summary_; }
  void lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const override;
  SentencePair pair(size_t number) const override;
  const std::string& description() const { return description_; }

  /// From now on, everything that is read must keep to these limits. Throws DataError if the summary does not.
  void expect(CacheLimits limits);

  /// Reads and checks every byte. Throws DataError, and Interrupted when a stop signal arrives.
  void verify() const;

 private:
  void read_tail();
  void parse_summary();
  void check_summary() const;
  void check_chunks() const;
  void check_entry(const CacheEntry& entry, size_t number) const;
  void check_pair(const SentencePair& pair) const;
  void check_ids(const std::vector<int32_t>& ids, int64_t limit, const char* side) const;
  void read(uint64_t place, void* to, size_t bytes) const;
  std::vector<CacheEntry> index_of(size_t chunk) const;
  SentencePair pair_at(const CacheEntry& entry, size_t number) const;
  [[noreturn]] void damaged(const std::string& what) const;

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
  CacheLimits limits_;
  StoreSummary summary_;
  std::vector<uint64_t> part_ends_;  // numbers of pairs
  std::string description_;
  std::vector<CacheChunk> chunks_;
};

}  // namespace ventris::data
