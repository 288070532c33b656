#pragma once
#include <vector>

#include "data/corpus.h"

namespace ventris::test {

/// One plain corpus in memory.
inline data::ParallelCorpus load_corpus(const data::CorpusFiles& files, const text::Tokenizer& source,
                                        const text::Tokenizer& target, const data::CorpusFilter& filter, int threads,
                                        data::CorpusCounts& counts) {
  const data::CorpusSpec spec{files};
  std::vector<data::CorpusCounts> all;
  auto corpus = data::load_corpora({&spec, 1}, source, target, {filter, threads}, all);
  counts = all.front();
  return corpus;
}

}  // namespace ventris::test
