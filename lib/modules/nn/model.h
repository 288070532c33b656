#pragma once
#include <torch/torch.h>

#include <memory>

namespace ventris::nn {

/// A model that can be trained. What else it can do is said by the classes derived from it (nn/seq2seq.h).
class ModelImpl : public torch::nn::Module {
 public:
  /// Draws every matrix from the xavier-uniform distribution (Glorot and Bengio 2010) with torch's default generator,
  /// tied matrices once. Other parameters stay as the constructor set them.
  virtual void initialise();
};

using Model = std::shared_ptr<ModelImpl>;

}  // namespace ventris::nn
