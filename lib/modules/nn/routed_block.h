#pragma once
#include <cstdint>
#include <vector>

#include "nn/watch.h"

namespace ventris::nn {

/// A block with experts whose router can be watched.
class RoutedBlock {
 public:
  virtual int64_t experts_per_token() const = 0;

 protected:
  ~RoutedBlock() = default;
};

/// Keeps the probabilities [batch, len, experts] that the routers of blocks give to their experts.
using RouterWatch = Watch<RoutedBlock>;

/// The blocks with experts of a model, in the order of the layers; empty if it has none.
struct RoutedBlocks {
  std::vector<const RoutedBlock*> encoder, decoder;
  double balance = 0;  ///< in training, the weight of the loss that spreads tokens over the experts
};

}  // namespace ventris::nn
