#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "architecture/transformer_options.h"

/// How code in PyTorch names the tensors of a Transformer.
namespace ventris::exports {

/// Where a tensor of ours is: a part of the rows of a tensor of the other program. An empty name = the code has no such
/// tensor, and its elements are 0.
struct TensorPlace {
  std::string name;
  int64_t part = 0, parts = 1;
};

/// The names of one code.
struct PytorchNames {
  std::string code;        ///< for messages: "torch.nn.Transformer"
  std::string source_table, target_table, output;  ///< [rows, d_model]; with these tensors, a file is of this code
  std::string layer;       ///< of the encoder: "encoder.layers."; a number follows
  std::string inner;       ///< in a layer: the first matrix of the feed-forward part [d_ff, d_model]
  std::string queries;     ///< in a layer: the projection of queries, or of all three
  int64_t stacked = 1;     ///< projections that `queries` has
  /// What the code computes besides the defaults; sizes are not set.
  void (*settings)(architecture::TransformerOptions& options);
  /// Of one of our tensors.
  TensorPlace (*place)(const std::string& ours);
  std::map<std::string, std::vector<int64_t>> sinusoids;  ///< tensors with the table, and their sizes; 0 = d_model
  bool scales_output = false;  ///< logits are divided by sqrt(d_model) if the output shares the target table
};

/// The codes whose names are known.
const std::array<PytorchNames, 4>& all_pytorch_names();

}  // namespace ventris::exports
