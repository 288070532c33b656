#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "text/tokenizer.h"

/// The cache of a run's corpora: a folder with one CacheFile, built when it is first needed, and again when the corpora
/// (paths, sizes, times of change, tags), the tokenizers or the filter are others.
namespace ventris::data {

/// Whether the folder's cache was made of these corpora as they lie on disk now, so that they need no check_corpus.
bool cache_is_of(const std::string& folder, std::span<const CorpusSpec> corpora);

/// Opens the cache; builds it first, with a line in the log that says why, if there is none that fits. `counts` gets
/// what became of each corpus. Two processes do not build at once: the second waits. Memory: some megabytes. Throws as
/// read_corpus does; ConfigError if the cache's place is taken by something else; WriteError if it cannot be written;
/// Interrupted when a stop signal arrives.
std::unique_ptr<const PairStore> open_cache(const std::string& folder, std::span<const CorpusSpec> corpora,
                                            const text::Tokenizer& source, const text::Tokenizer& target,
                                            const ReadOptions& options, std::vector<CorpusCounts>& counts);

}  // namespace ventris::data
