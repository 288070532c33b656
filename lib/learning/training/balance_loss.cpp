#include "training/balance_loss.h"

#include <vector>

namespace ventris::training {
namespace {

using torch::Tensor;

nn::RoutedBlocks watched(const nn::RoutedBlocks& blocks, bool learn) {
  return learn && blocks.balance > 0 ? blocks : nn::RoutedBlocks();
}

}  // namespace

Tensor imbalance(const Tensor& probabilities, const Tensor& tokens, int64_t experts_per_token) {
  const int64_t experts = probabilities.size(-1);
  const Tensor counted = probabilities.flatten(0, 1).index_select(0, tokens.flatten().nonzero().squeeze(1));
  if (counted.size(0) == 0) return {};
  const Tensor chosen = std::get<1>(counted.detach().topk(experts_per_token, -1)).flatten();
  const Tensor shares = chosen.bincount(/*weights=*/{}, experts).to(counted.scalar_type()) / chosen.size(0);
  return static_cast<double>(experts) * (shares * counted.mean(0)).sum();
}

BalanceLoss::BalanceLoss(const nn::RoutedBlocks& blocks, bool learn)
    : blocks_(watched(blocks, learn)), encoder_(blocks_.encoder), decoder_(blocks_.decoder) {}

Tensor BalanceLoss::of(const Tensor& source, const Tensor& target, int32_t pad) const {
  Tensor sum;
  const auto add = [&](const std::vector<const nn::RoutedBlock*>& blocks, const nn::RouterWatch& watch,
                       const Tensor& ids) {
    const Tensor tokens = blocks.empty() ? Tensor() : ids.ne(pad);
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Tensor found = imbalance(watch.kept(i), tokens, blocks[i]->experts_per_token());
      if (found.defined()) sum = sum.defined() ? sum + found : found;
    }
  };
  add(blocks_.encoder, encoder_, source);
  add(blocks_.decoder, decoder_, target);
  return sum.defined() ? blocks_.balance * sum : sum;
}

}  // namespace ventris::training
