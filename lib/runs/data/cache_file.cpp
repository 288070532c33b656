#include "data/cache_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/json_shape.h"
#include "core/process.h"
#include "text/line_reader.h"

namespace ventris::data {
namespace {

using nlohmann::json;

constexpr std::string_view kMagic = "VENTRISCORPUS01\n";
constexpr size_t kChunkPairs = 1024;

/// The last bytes of the file.
struct Trailer {
  uint64_t chunks_place = 0;
  uint64_t chunks = 0;
  uint64_t json_bytes = 0;  // after the chunks
  uint32_t crc = 0;         // of the list of chunks and the JSON text
  uint32_t version = 3;     // of this file format
  char magic[16] = {};
};

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The crc32 of a pair's sizes, weight and bytes. With it, a pair can be checked without its whole index.
uint32_t crc_of(const CacheEntry& entry, std::string_view bytes) {
  constexpr size_t kCovered = offsetof(CacheEntry, crc) - offsetof(CacheEntry, source_tokens);
  return files::crc32(bytes, files::crc32({reinterpret_cast<const char*>(&entry.source_tokens), kCovered}));
}

json to_json(const StoreSummary& summary) {
  json parts = json::array();
  for (const CorpusPart& part : summary.parts) parts.push_back({part.pairs, part.tag_tokens});
  return {{"parts", parts},
          {"source_tokens", summary.source_tokens},
          {"target_tokens", summary.target_tokens},
          {"longest", summary.longest},
          {"weighted", summary.weighted},
          {"has_text", summary.has_text},
          {"links", summary.links},
          {"preceding", summary.preceding},
          {"crc",
           {summary.source_crc, summary.target_crc, summary.source_ends_crc, summary.target_ends_crc,
            summary.weights_crc, summary.text_crc, summary.links_crc, summary.preceding_crc}}};
}

/// The number, which nlohmann would otherwise cut to the size of T.
template <typename T>
T whole(const json& source) {
  if (source.is_number_unsigned() && std::in_range<T>(source.get<uint64_t>())) return source.get<T>();
  throw std::range_error("a number in its summary is out of range");
}

StoreSummary summary_of(const json& source) {
  StoreSummary summary;
  for (const json& part : source.at("parts")) {
    summary.parts.push_back({whole<uint32_t>(part.at(0)), whole<uint32_t>(part.at(1))});
  }
  summary.source_tokens = whole<int64_t>(source.at("source_tokens"));
  summary.target_tokens = whole<int64_t>(source.at("target_tokens"));
  summary.longest = whole<uint32_t>(source.at("longest"));
  summary.weighted = source.at("weighted");
  summary.has_text = source.at("has_text");
  summary.links = whole<int64_t>(source.at("links"));
  summary.preceding = whole<int64_t>(source.at("preceding"));
  const json& crc = source.at("crc");
  summary.source_crc = whole<uint32_t>(crc.at(0));
  summary.target_crc = whole<uint32_t>(crc.at(1));
  summary.source_ends_crc = whole<uint32_t>(crc.at(2));
  summary.target_ends_crc = whole<uint32_t>(crc.at(3));
  summary.weights_crc = whole<uint32_t>(crc.at(4));
  summary.text_crc = whole<uint32_t>(crc.at(5));
  summary.links_crc = whole<uint32_t>(crc.at(6));
  summary.preceding_crc = whole<uint32_t>(crc.at(7));
  return summary;
}

/// Reads `bytes` bytes; returns whether all could be read.
bool read_exactly(int descriptor, uint64_t place, void* to, size_t bytes) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor, next, bytes, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    place += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

/// Whether the first `count` bytes are those of the mark.
bool is_magic(const char (&bytes)[16], size_t count = 16) {
  return std::string_view(bytes, count) == kMagic.substr(0, count);
}

}  // namespace

CacheWriter::CacheWriter(const std::string& path) : file_(path) { write(kMagic); }

void CacheWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void CacheWriter::add(const SentencePair& pair) {
  const size_t begin = pairs_.size();
  pairs_ += bytes_of(pair.source);
  pairs_ += bytes_of(pair.target);
  pairs_ += bytes_of(pair.links);
  pairs_ += pair.source_text;
  pairs_ += pair.target_text;
  entries_.push_back({begin, static_cast<uint32_t>(pair.source.size()), static_cast<uint32_t>(pair.target.size()),
                      static_cast<uint32_t>(pair.source_text.size()), static_cast<uint32_t>(pair.target_text.size()),
                      static_cast<uint32_t>(pair.links.size()), pair.weight, pair.preceding});
  entries_.back().crc = crc_of(entries_.back(), std::string_view(pairs_).substr(begin));
  summary_.add(pair);
  if (entries_.size() == kChunkPairs) write_chunk();
}

void CacheWriter::write_chunk() {
  const uint64_t behind_index = written_ + entries_.size() * sizeof(CacheEntry);
  for (CacheEntry& entry : entries_) entry.place += behind_index;
  chunks_.push_back({written_, static_cast<uint32_t>(entries_.size()), files::crc32(bytes_of(entries_))});
  write(bytes_of(entries_));
  write(pairs_);
  entries_.clear();
  pairs_.clear();
}

void CacheWriter::finish(const std::string& description) {
  if (!entries_.empty()) write_chunk();
  const std::string text = json({{"summary", to_json(summary_)}, {"description", json::parse(description)}}).dump();
  Trailer trailer{written_, chunks_.size(), text.size(), files::crc32(text, files::crc32(bytes_of(chunks_)))};
  kMagic.copy(trailer.magic, sizeof trailer.magic);
  write(bytes_of(chunks_));
  write(text);
  write({reinterpret_cast<const char*>(&trailer), sizeof trailer});
  file_.commit();
}

CacheState CacheFile::state_of(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return CacheState::kMissing;
  if (descriptor < 0) fail<DataError>(path, ": the corpus cache cannot be opened: ", std::strerror(errno));
  struct stat status{};
  char magic[16] = {};
  const bool file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const size_t count = std::min<size_t>(static_cast<size_t>(status.st_size), sizeof magic);
  const bool ours = read_exactly(descriptor, 0, magic, count) && is_magic(magic, count);
  close(descriptor);
  if (!file || !ours) return CacheState::kForeign;
  try {
    const CacheFile whole(path);
    return CacheState::kWhole;
  } catch (const DataError&) {
    return CacheState::kDamaged;
  }
}

CacheFile::CacheFile(std::string path)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail<DataError>(path_, ": cannot be read: ", std::strerror(errno));
  try {
    read_tail();
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

CacheFile::~CacheFile() { close(descriptor_); }

void CacheFile::damaged(const std::string& what) const {
  fail<DataError>(path_, ": damaged: ", what, "; remove it, and it will be built again");
}

void CacheFile::read(uint64_t place, void* to, size_t bytes) const {
  if (place > size_ || bytes > size_ - place) damaged("it ends too early");
  if (!read_exactly(descriptor_, place, to, bytes)) damaged("it cannot be read to its end");
}

void CacheFile::read_tail() {
  struct stat status{};
  if (fstat(descriptor_, &status) == 0) size_ = static_cast<uint64_t>(status.st_size);
  Trailer trailer;
  if (size_ < kMagic.size() + sizeof trailer) damaged("it ends too early");
  const uint64_t place = size_ - sizeof trailer;
  read(place, &trailer, sizeof trailer);
  if (!is_magic(trailer.magic)) damaged("its end is missing");
  if (trailer.version != Trailer().version) damaged("it has another version");
  if (trailer.chunks_place > place || trailer.chunks > (place - trailer.chunks_place) / sizeof(CacheChunk) ||
      trailer.json_bytes != place - trailer.chunks_place - trailer.chunks * sizeof(CacheChunk)) {
    damaged("its sizes contradict each other");
  }
  chunks_.resize(trailer.chunks);
  description_.resize(trailer.json_bytes);
  read(trailer.chunks_place, chunks_.data(), chunks_.size() * sizeof(CacheChunk));
  read(place - trailer.json_bytes, description_.data(), description_.size());
  if (files::crc32(description_, files::crc32(bytes_of(chunks_))) != trailer.crc) damaged("a checksum differs");
  parse_summary();
}

void CacheFile::parse_summary() {
  if (!core::is_modest_json(description_)) damaged("its description is no JSON text, or is too large");
  try {
    const json text = json::parse(description_);
    summary_ = summary_of(text.at("summary"));
    description_ = text.at("description").dump();
  } catch (const std::exception& error) {
    damaged(core::json_problem(error));
  }
  for (const CorpusPart& part : summary_.parts)
    part_ends_.push_back(part.pairs + (part_ends_.empty() ? 0 : part_ends_.back()));
  check_summary();
  check_chunks();
}

void CacheFile::expect(CacheLimits limits) {
  limits_ = std::move(limits);
  check_summary();
}

void CacheFile::check_summary() const {
  const uint64_t pairs = summary_.pairs();
  if (pairs > kMostPairs) damaged("it has too many pairs");
  if (summary_.longest > limits_.max_length) damaged("a side is longer than data.max_length");
  const uint64_t most = pairs * summary_.longest;  // both are under 2^32
  for (const int64_t tokens : {summary_.source_tokens, summary_.target_tokens}) {
    if (static_cast<uint64_t>(tokens) > most) damaged("its pairs cannot have so many tokens");
  }
  if (limits_.tags.empty()) return;
  if (summary_.links > 0 && !limits_.linked) damaged("it has links");
  if (summary_.preceding > 0 && !limits_.documents) damaged("it has documents");
  if (summary_.parts.size() != limits_.tags.size()) damaged("it has another number of corpora");
  for (size_t i = 0; i < limits_.tags.size(); ++i) {
    if (summary_.parts[i].pairs == 0) damaged("a corpus has no pair");
    if (summary_.parts[i].tag_tokens != limits_.tags[i]) damaged("the tag of a corpus has another number of tokens");
  }
  if (summary_.has_text != limits_.has_text) damaged(limits_.has_text ? "it has no texts" : "it has texts");
}

/// All chunks but the last are full.
void CacheFile::check_chunks() const {
  uint64_t left = summary_.pairs();
  for (const CacheChunk& chunk : chunks_) {
    if (chunk.pairs == 0 || chunk.pairs != std::min<uint64_t>(left, kChunkPairs) || chunk.place > size_) {
      damaged("its sizes contradict each other");
    }
    left -= chunk.pairs;
  }
  if (left != 0) damaged("its sizes contradict each other");
}

/// Checks the sizes and the weight of pair `number`.
void CacheFile::check_entry(const CacheEntry& entry, size_t number) const {
  constexpr size_t kMostText = 3 * text::LineReaderOptions().max_bytes;  // a replaced byte becomes 3
  if (std::max(entry.source_tokens, entry.target_tokens) > summary_.longest) {
    damaged("a pair is longer than the longest of its summary");
  }
  if (!(entry.weight >= 0 && entry.weight <= kMostWeight)) damaged("the weight of a pair is out of range");
  const auto part = std::upper_bound(part_ends_.begin(), part_ends_.end(), number) - part_ends_.begin();
  const uint64_t begin = part == 0 ? 0 : part_ends_[static_cast<size_t>(part) - 1];
  if (entry.preceding > number - begin) damaged("a pair has more pairs before it than its corpus");
  if (limits_.tags.empty()) return;
  if (entry.preceding > 0 && !limits_.documents) damaged("a pair has a place in a document");
  if (entry.source_tokens <= limits_.tags[static_cast<size_t>(part)] || entry.target_tokens == 0) {
    damaged("a side of a pair is empty");
  }
  if (limits_.labels && entry.target_tokens != 1) damaged("a text has another number of labels than 1");
  if (entry.links > 0 && !limits_.linked) damaged("a pair has links");
  const bool text = entry.source_bytes > 0 || entry.target_bytes > 0;
  if (text != limits_.has_text) damaged(text ? "a pair has a text" : "a pair has no text");
  if (std::max(entry.source_bytes, entry.target_bytes) > kMostText) damaged("the text of a pair is too long");
}

void CacheFile::check_ids(const std::vector<int32_t>& ids, int64_t limit, const char* side) const {
  const auto wrong = std::find_if(ids.begin(), ids.end(), [limit](int32_t id) { return id < 0 || id >= limit; });
  if (wrong == ids.end()) return;
  damaged(std::string("a ") + side + " has the id " + std::to_string(*wrong) + "; expected ids from 0 to " +
          std::to_string(limit - 1));
}

void CacheFile::check_pair(const SentencePair& pair) const {
  const auto is_wrong = [](const text::Link& link) {
    return std::min(link.source, link.target) < 0 || std::max(link.source, link.target) > text::kMostWordNumber;
  };
  if (std::ranges::any_of(pair.links, is_wrong)) damaged("a link is of no word");
  check_ids(pair.source, limits_.source_ids, "source");
  if (!limits_.passages) return check_ids(pair.target, limits_.target_ids, limits_.labels ? "label" : "target");
  int32_t begin = 0;
  for (const int32_t end : pair.target) {
    if (end <= begin) damaged("the sentences of a passage are not in order");
    begin = end;
  }
  if (static_cast<size_t>(begin) != pair.source.size()) damaged("the sentences of a passage do not fill it");
}

std::vector<CacheEntry> CacheFile::index_of(size_t chunk) const {
  const CacheChunk& found = chunks_.at(chunk);
  std::vector<CacheEntry> entries(found.pairs);
  read(found.place, entries.data(), entries.size() * sizeof(CacheEntry));
  if (files::crc32(bytes_of(entries)) != found.crc) damaged("a checksum differs");
  for (size_t i = 0; i < entries.size(); ++i) check_entry(entries[i], chunk * kChunkPairs + i);
  return entries;
}

void CacheFile::lengths(std::span<const uint32_t> pairs, std::span<PairLengths> lengths) const {
  size_t chunk = chunks_.size();  // none yet
  std::vector<CacheEntry> entries;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] / kChunkPairs != chunk) {
      chunk = pairs[i] / kChunkPairs;
      entries = index_of(chunk);
    }
    const CacheEntry& entry = entries.at(pairs[i] % kChunkPairs);
    lengths[i] = {entry.source_tokens, entry.target_tokens, entry.preceding};
  }
}

SentencePair CacheFile::pair_at(const CacheEntry& entry, size_t number) const {
  check_entry(entry, number);
  SentencePair pair;
  const uint64_t ids = uint64_t{entry.source_tokens} + entry.target_tokens;
  const uint64_t wanted =
      ids * sizeof(int32_t) + entry.links * sizeof(text::Link) + entry.source_bytes + entry.target_bytes;
  if (wanted > size_) damaged("a pair is larger than the file");
  std::string bytes(wanted, '\0');
  read(entry.place, bytes.data(), bytes.size());
  if (crc_of(entry, bytes) != entry.crc) damaged("a checksum differs");
  const char* next = bytes.data();
  const auto take = [&next](auto& to, size_t count) {
    to.resize(count);
    if (count > 0) std::memcpy(to.data(), next, count * sizeof(to[0]));
    next += count * sizeof(to[0]);
  };
  take(pair.source, entry.source_tokens);
  take(pair.target, entry.target_tokens);
  take(pair.links, entry.links);
  take(pair.source_text, entry.source_bytes);
  take(pair.target_text, entry.target_bytes);
  pair.weight = entry.weight;
  pair.preceding = entry.preceding;
  check_pair(pair);
  return pair;
}

SentencePair CacheFile::pair(size_t number) const {
  if (number >= size()) throw std::out_of_range("CacheFile: no pair has this number");
  const CacheChunk& chunk = chunks_[number / kChunkPairs];
  CacheEntry entry;
  read(chunk.place + number % kChunkPairs * sizeof entry, &entry, sizeof entry);
  return pair_at(entry, number);
}

void CacheFile::verify() const {
  StoreSummary found;
  for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, "stopped by a signal while checking the corpus cache");
    }
    size_t number = chunk * kChunkPairs;
    for (const CacheEntry& entry : index_of(chunk)) found.add(pair_at(entry, number++));
  }
  const bool complete = found.pairs() == summary_.pairs();
  found.parts = summary_.parts;  // pairs do not say which part they belong to
  if (!complete || found.checksum() != summary_.checksum()) damaged("a checksum differs");
}

}  // namespace ventris::data
