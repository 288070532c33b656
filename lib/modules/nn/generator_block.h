#pragma once
#include <torch/torch.h>

#include <algorithm>

#include "nn/blocks.h"

namespace ventris::nn {

/// The generator's product with some rows on a CPU, and its gradients at once. With few rows at a time, the logits
/// [rows, vocab] stay in the caches and are never stored as a whole.
class GeneratorBlock {
 public:
  /// Rows per block: few enough to stay in the caches, but enough that reading the table and its gradient from memory
  /// for every block takes little time compared with the products (benchmarks/README.md).
  static int64_t rows(int64_t vocab) {
    constexpr int64_t kElements = 1 << 21, kLeastRows = 256;
    return padded_rows(std::max(kElements / vocab, kLeastRows));
  }

  /// `table` [vocab, d_model] has the type of the products, f32 or bf16; `most` is the largest number of rows. The
  /// gradients are computed only with `learn`.
  GeneratorBlock(const torch::Tensor& table, int64_t most, bool learn)
      : of_weight(learn ? at::zeros(table.sizes(), table.options().dtype(torch::kFloat)) : torch::Tensor()),
        of_bias(at::zeros({table.size(0)}, table.options().dtype(torch::kFloat))),
        table_(table),
        learn_(learn),
        products_(at::empty({padded_rows(most), table.size(0)}, table.options())) {}

  /// Calls work(products [padded_rows(rows), vocab]), which overwrites them with their gradient; rows of padding are
  /// zero and must stay zero. Returns the gradient with respect to `some` [rows, d_model] (contiguous), undefined
  /// without `learn`.
  template <typename Work>
  torch::Tensor run(const torch::Tensor& some, const Work& work) {
    const torch::Tensor padded = pad_rows(some);
    torch::Tensor products = products_.narrow(0, 0, padded.size(0));
    at::mm_out(products, padded, table_.t());
    work(products);
    if (!learn_) return {};
    if (products.scalar_type() == torch::kBFloat16) {
      accumulate(at::mm(products.t(), padded), of_weight);
    } else {
      of_weight.addmm_(products.t(), padded);
    }
    return at::mm(products, table_).narrow(0, 0, some.size(0));
  }

  torch::Tensor of_weight;  ///< [vocab, d_model], f32: the gradient so far; undefined without `learn`
  torch::Tensor of_bias;    ///< [vocab], f32; `work` adds to it

 private:
  torch::Tensor table_;
  bool learn_;
  torch::Tensor products_;
};

}  // namespace ventris::nn
