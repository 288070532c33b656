#include "data/corpus_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/log.h"
#include "core/process.h"
#include "data/cache_file.h"
#include "files/files.h"

namespace ventris::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string file_in(const std::string& folder) { return (fs::path(folder) / "corpus.cache").string(); }

/// Identifies the version of a file; null for no file. A missing file differs from every version.
json identity_of(const std::string& path) {
  if (path.empty()) return nullptr;
  struct stat status{};
  std::error_code ignored;
  const std::string whole = fs::absolute(path, ignored).string();
  if (stat(path.c_str(), &status) != 0) return {{"path", whole}, {"missing", true}};
  return {{"path", whole}, {"size", status.st_size}, {"changed", {status.st_mtim.tv_sec, status.st_mtim.tv_nsec}}};
}

json identities_of(std::span<const CorpusSpec> corpora) {
  json all = json::array();
  for (const CorpusSpec& corpus : corpora) {
    all.push_back({{"source", identity_of(corpus.files.source)},
                   {"target", identity_of(corpus.files.target)},
                   {"line_weights", identity_of(corpus.line_weights)},
                   {"tag", corpus.tag}});
    if (!corpus.links.empty()) all.back()["links"] = identity_of(corpus.links);
    const memories::MemoryLanguages& languages = corpus.files.languages;
    if (!languages.source.empty()) all.back()["languages"] = {languages.source, languages.target};
    if (!corpus.documents.empty()) all.back()["documents"] = identity_of(corpus.documents);
    if (corpus.files.running_text) all.back()["running_text"] = true;
    if (corpus.files.labelled) all.back()["labelled"] = true;
  }
  return all;
}

json key_of(std::span<const CorpusSpec> corpora, const text::Tokenizer& source, const text::Tokenizer& target,
            const ReadOptions& options) {
  json key = {{"corpora", identities_of(corpora)},
              {"tokenizers", {files::crc32(source.bytes()), files::crc32(target.bytes())}},
              {"filter", {options.filter.max_length, options.filter.max_ratio}},
              {"text", options.keep_text},
              {"links", options.links ? json(options.links->origin()) : json()}};
  if (options.documents) key["documents"] = true;
  if (!options.labels.empty()) key["labels"] = options.labels;
  return key;
}

json to_json(const CorpusCounts& counts) {
  return {counts.lines,        counts.kept,      counts.empty,  counts.too_long, counts.bad_ratio, counts.weight_zero,
          counts.invalid_utf8, counts.documents, counts.labels, counts.cut,      counts.blank};
}

CorpusCounts counts_of(const json& source) {
  constexpr size_t kOldest = 7;  // older caches end sooner
  const auto count = [&source](size_t i) -> int64_t {
    if (i >= kOldest && i >= source.size()) return 0;
    const json& found = source.at(i);
    if (found.is_number_unsigned() && std::in_range<int64_t>(found.get<uint64_t>())) return found.get<int64_t>();
    fail<DataError>("its counts are damaged: found ", found.dump().substr(0, 40), ", expected a count");
  };
  return {count(0), count(1), count(2), count(3), count(4), count(5),
          count(6), count(7), count(8), count(9), count(10)};
}

/// The counts of each corpus; of its pairs, as many are kept as the cache has.
std::vector<CorpusCounts> all_counts_of(const json& source, const StoreSummary& summary) {
  std::vector<CorpusCounts> counts;
  for (const json& of_corpus : source) counts.push_back(counts_of(of_corpus));
  bool fits = counts.size() == summary.parts.size();
  for (size_t i = 0; fits && i < counts.size(); ++i) {
    fits = static_cast<uint64_t>(counts[i].kept) == summary.parts[i].pairs;
  }
  if (!fits) fail<DataError>("its counts do not fit its pairs");
  return counts;
}

/// What a cache of these corpora keeps to.
CacheLimits limits_of(std::span<const CorpusSpec> corpora, const text::Tokenizer& source, const text::Tokenizer& target,
                      const ReadOptions& options) {
  CacheLimits limits;
  limits.passages = corpora.front().files.running_text;
  limits.labels = corpora.front().files.labelled;
  limits.source_ids = source.size();
  limits.target_ids = limits.labels ? std::ssize(options.labels) : target.size();
  limits.max_length = options.filter.max_length;
  limits.has_text = options.keep_text && !limits.passages;
  limits.linked = options.links != nullptr;
  limits.documents = options.documents;
  for (const CorpusSpec& corpus : corpora) {
    limits.tags.push_back(static_cast<uint32_t>(tag_ids(source, corpus.tag).size()));
  }
  return limits;
}

/// A lock that is held while a cache is built; a second process waits for it.
class BuildLock {
 public:
  explicit BuildLock(const std::string& folder) {
    const std::string path = (fs::path(folder) / "corpus.cache.lock").string();  // not .lock, which a run has
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail<WriteError>(path, ": cannot be written: ", std::strerror(errno));
    try {
      wait(path);
    } catch (...) {
      close(descriptor_);
      throw;
    }
  }
  ~BuildLock() { close(descriptor_); }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  void wait(const std::string& path) const {
    for (bool told = false; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; told = true) {
      if (errno != EWOULDBLOCK && errno != EINTR) fail<WriteError>(path, ": cannot be locked: ", std::strerror(errno));
      if (!told) core::log_info(fmt::format("{}: another process is building this cache; waiting for it", path));
      if (const int signal = core::stop_signal(); signal != 0) {
        throw Interrupted(signal, path + ": stopped by a signal while waiting for the corpus cache");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  int descriptor_ = -1;
};

/// The cache if it fits; otherwise null, and `why` gets the reason.
std::unique_ptr<const PairStore> open_fitting(const std::string& path, const json& key, const CacheLimits& limits,
                                              std::string& why, std::vector<CorpusCounts>& counts) {
  try {
    auto file = std::make_unique<CacheFile>(path);
    const json found = json::parse(file->description());
    json parts = found.at("key");
    parts.update(key);  // what only one of them has is another value, too
    for (const auto& [part, _] : parts.items()) {
      if (found.at("key").value(part, json()) == key.value(part, json())) continue;
      why = fmt::format("it was made with other {}", part);
      return nullptr;
    }
    file->expect(limits);
    counts = all_counts_of(found.at("counts"), file->summary());
    return file;
  } catch (const DataError& error) {
    why = error.what();
  } catch (const json::exception& error) {
    why = core::json_problem(error);
  }
  return nullptr;
}

void build(const std::string& path, const json& key, std::span<const CorpusSpec> corpora, const text::Tokenizer& source,
           const text::Tokenizer& target, const ReadOptions& options) {
  for (const CorpusSpec& corpus : corpora) tag_ids(source, corpus.tag);  // fail early on an unknown tag
  CacheWriter writer(path);
  json counts = json::array();
  for (const CorpusSpec& corpus : corpora) {
    writer.begin_part(static_cast<uint32_t>(tag_ids(source, corpus.tag).size()));
    counts.push_back(
        to_json(read_corpus(corpus, source, target, options, [&](SentencePair& pair) { writer.add(pair); })));
  }
  writer.finish(json({{"key", key}, {"counts", counts}}).dump());
  CacheFile(path).verify();
}

/// Removes the temporary files of killed processes. Other files in the folder are not touched, because other programs
/// may be writing them.
void remove_half_built(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".tmp-") && name.ends_with("corpus.cache")) fs::remove(entry.path(), error);
  }
}

void refuse_foreign(const std::string& path) {
  if (CacheFile::state_of(path) != CacheState::kForeign) return;
  fail<ConfigError>("data.cache: ", path, " is not a corpus cache; give another folder, or remove it");
}

}  // namespace

bool cache_is_of(const std::string& folder, std::span<const CorpusSpec> corpora) {
  try {
    if (CacheFile::state_of(file_in(folder)) != CacheState::kWhole) return false;
    const json found = json::parse(CacheFile(file_in(folder)).description());
    return found.at("key").at("corpora") == identities_of(corpora);
  } catch (const DataError&) {
    return false;
  } catch (const json::exception&) {
    return false;
  }
}

std::unique_ptr<const PairStore> open_cache(const std::string& folder, std::span<const CorpusSpec> corpora,
                                            const text::Tokenizer& source, const text::Tokenizer& target,
                                            const ReadOptions& options, std::vector<CorpusCounts>& counts) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail<WriteError>(folder, ": cannot create the cache folder: ", error.message());
  const std::string path = file_in(folder);
  refuse_foreign(path);
  const json key = key_of(corpora, source, target, options);
  const CacheLimits limits = limits_of(corpora, source, target, options);
  std::string why;
  if (auto cache = open_fitting(path, key, limits, why, counts)) return cache;
  const BuildLock lock(folder);
  if (auto cache = open_fitting(path, key, limits, why, counts)) return cache;
  remove_half_built(folder);
  const bool missing = CacheFile::state_of(path) == CacheState::kMissing;
  core::log_info(missing ? fmt::format("building the corpus cache {}", path)
                         : fmt::format("building the corpus cache {} again: {}", path, why));
  build(path, key, corpora, source, target, options);
  auto cache = open_fitting(path, key, limits, why, counts);
  if (!cache) fail<DataError>(path, ": cannot be used right after it was built: ", why);
  return cache;
}

}  // namespace ventris::data
