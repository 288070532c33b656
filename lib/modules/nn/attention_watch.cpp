#include "nn/attention_watch.h"

#include <algorithm>
#include <utility>

namespace ventris::nn {
namespace {

thread_local AttentionWatch* innermost = nullptr;

}  // namespace

AttentionWatch::AttentionWatch(std::vector<const AttentionBlock*> blocks)
    : outer_(std::exchange(innermost, this)), blocks_(std::move(blocks)), weights_(blocks_.size()) {}

AttentionWatch::~AttentionWatch() { innermost = outer_; }

torch::Tensor* AttentionWatch::place_for(const AttentionBlock& block) {
  for (AttentionWatch* watch = innermost; watch != nullptr; watch = watch->outer_) {
    const auto found = std::ranges::find(watch->blocks_, &block);
    if (found != watch->blocks_.end()) return &watch->weights_[found - watch->blocks_.begin()];
  }
  return nullptr;
}

}  // namespace ventris::nn
