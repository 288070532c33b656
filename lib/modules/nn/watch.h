#pragma once
#include <torch/torch.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace ventris::nn {

/// While it lives, it keeps a tensor of each of some blocks that run on this thread, such as their attention weights. A
/// block stores it in Watch::place_for(*this), if there is such a place. Scopes nest: a block belongs to the innermost
/// scope that watches it.
template <typename Block>
class Watch {
 public:
  explicit Watch(std::vector<const Block*> blocks)
      : outer_(std::exchange(innermost(), this)), blocks_(std::move(blocks)), kept_(blocks_.size()) {}
  ~Watch() { innermost() = outer_; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// What the last forward of blocks[i] has stored; undefined = it has not run.
  const torch::Tensor& kept(size_t i) const { return kept_.at(i); }

  /// Where to store the tensor of `block` on this thread; null = it is not watched.
  static torch::Tensor* place_for(const Block& block) {
    for (Watch* watch = innermost(); watch != nullptr; watch = watch->outer_) {
      const auto found = std::ranges::find(watch->blocks_, &block);
      if (found != watch->blocks_.end()) return &watch->kept_[found - watch->blocks_.begin()];
    }
    return nullptr;
  }

 private:
  static Watch*& innermost() {
    thread_local Watch* watch = nullptr;
    return watch;
  }

  Watch* outer_;
  std::vector<const Block*> blocks_;
  std::vector<torch::Tensor> kept_;
};

}  // namespace ventris::nn
