#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "text/tokenizer.h"

/// The cache of a run's corpora: a folder with one CacheFile. It is built when it is first needed, and again when the
/// corpora (paths, sizes, modification times, tags), the tokenizers or the filter have changed.
namespace ventris::data {

/// Whether the folder's cache was made from these corpora as they are on disk now. Then check_corpus is not needed.
bool cache_is_of(const std::string& folder, std::span<const CorpusSpec> corpora);

/// Opens the cache. If there is none that fits, builds it first and logs why. `counts` gets the counts of each corpus.
/// Only one process builds the cache; a second one waits. Memory: a few megabytes. Throws as read_corpus does, and
/// ConfigError if another file has the cache's name, WriteError if the cache cannot be written, and Interrupted when a
/// stop signal arrives.
std::unique_ptr<const PairStore> open_cache(const std::string& folder, std::span<const CorpusSpec> corpora,
                                            const text::Tokenizer& source, const text::Tokenizer& target,
                                            const ReadOptions& options, std::vector<CorpusCounts>& counts);

}  // namespace ventris::data
