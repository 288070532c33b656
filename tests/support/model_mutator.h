#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"

namespace ventris::test {

/// Numbers in a row, the same in every run.
class Draws {
 public:
  explicit Draws(uint64_t seed) : stream_(seed, 0) {}
  uint64_t below(uint64_t limit) { return stream_.below(next_++, limit); }
  uint64_t bits() { return stream_.bits(next_++); }

 private:
  core::RandomStream stream_;
  uint64_t next_ = 0;
};

/// A serialised SentencePiece model with some changes that draws decide: in its pieces, in its rules of normalisation
/// (sizes, units, texts), in its settings, or anywhere; parts of `others` are mixed in.
std::string mutated(const std::string& model, const std::vector<std::string>& others, Draws& draws);

}  // namespace ventris::test
