#pragma once
#include <cstddef>
#include <cstdint>

#include "core/random.h"

namespace ventris::modifiers {

/// The random numbers for one change, one after the other. They are a function of the seed alone.
class Draws {
 public:
  explicit Draws(uint64_t seed) : random_(seed, 0) {}

  double uniform() { return random_.uniform(next_++); }  ///< in [0, 1)
  size_t below(size_t limit) { return static_cast<size_t>(random_.below(next_++, limit)); }  ///< `limit` is over 0

 private:
  core::RandomStream random_;
  uint64_t next_ = 0;
};

}  // namespace ventris::modifiers
