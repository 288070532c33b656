#pragma once
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "data/corpus.h"

namespace ventris::test {

/// Pairs of random ids (4 and up), 1 to `longest` tokens a side.
inline data::ParallelCorpus random_pairs(size_t count, uint64_t longest, uint64_t seed) {
  const core::RandomStream random(seed, 0);
  uint64_t draw = 0;
  const auto side = [&] {
    std::vector<int32_t> ids(1 + random.below(draw++, longest));
    for (int32_t& id : ids) id = static_cast<int32_t>(4 + random.below(draw++, 90));
    return ids;
  };
  data::ParallelCorpus corpus;
  for (size_t i = 0; i < count; ++i) {
    const auto source = side(), target = side();
    corpus.add(source, target);
  }
  return corpus;
}

}  // namespace ventris::test
