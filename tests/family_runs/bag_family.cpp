#include <torch/torch.h>

#include <iostream>

#include "backend/families.h"
#include "family_runs/bag_architecture.h"
#include "nn/seq2seq.h"

namespace ventris::bag {
namespace {

using torch::Tensor;

/// The source is the mean of its embeddings; a target position sees that, its token, and the mean of those up to it.
class BagOfWordsImpl : public nn::Seq2SeqImpl {
 public:
  explicit BagOfWordsImpl(const BagOptions& options) {
    src_embed = register_module("src_embed", nn::Embedding(options.src_vocab, options.width));
    tgt_embed = register_module("tgt_embed", nn::Embedding(options.tgt_vocab, options.width));
    layer = register_module("layer", nn::Linear(3 * options.width, options.width));
    generator = register_module("generator", nn::Generator(options.width, options.tgt_vocab));
  }

  /// The tests read on standard error how often it is called.
  void initialise() override {
    std::cerr << "bag-of-words: draws its weights\n";
    Seq2SeqImpl::initialise();
  }

  nn::Memory encode(const Tensor& src, const Tensor& src_mask) override {
    return {src_embed(src), {}, src_mask};  // [batch, src_len, width]
  }

  Tensor decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& /*tgt_mask*/) override {
    const Tensor visible = memory.mask.squeeze(1).unsqueeze(2).to(torch::kFloat);  // [batch, src_len, 1]
    const Tensor bag = (memory.states * visible).sum(1, true) / visible.sum(1, true).clamp_min(1);  // [batch, 1, width]
    const Tensor x = tgt_embed(tgt);  // [batch, tgt_len, width]
    const Tensor count = torch::arange(1, tgt.size(1) + 1, x.options()).view({1, -1, 1});
    const Tensor so_far = x.cumsum(1) / count;
    return layer(torch::cat({x, so_far, bag.expand_as(x)}, 2)).tanh();
  }

  nn::Embedding src_embed{nullptr}, tgt_embed{nullptr};
  nn::Linear layer{nullptr};
};

nn::Seq2Seq make(const architecture::Architecture& architecture) {
  return std::make_shared<BagOfWordsImpl>(dynamic_cast<const BagArchitecture&>(architecture).options);
}

const backend::AddedFamily added("bag-of-words", {make});

}  // namespace
}  // namespace ventris::bag
