#pragma once
#include <torch/torch.h>

#include <vector>

#include "architecture/rnn_options.h"
#include "nn/dropout.h"

namespace ventris::nn {

using architecture::RecurrentCell;

/// The state of one layer, one row per sentence.
struct RecurrentState {
  torch::Tensor hidden;  ///< [rows, width]
  torch::Tensor cell;    ///< [rows, width]; undefined for a GRU
};

/// Settings of a recurrent network.
struct RecurrentOptions {
  RecurrentOptions(int64_t d_input, int64_t d_hidden) : d_input_(d_input), d_hidden_(d_hidden) {}
  TORCH_ARG(int64_t, d_input);
  TORCH_ARG(int64_t, d_hidden);  ///< of each direction
  TORCH_ARG(RecurrentCell, cell) = RecurrentCell::kGru;
  TORCH_ARG(int64_t, layers) = 1;
  TORCH_ARG(bool, bidirectional) = false;
  TORCH_ARG(double, dropout) = 0;  ///< between the layers, in [0, 1)
};

/// Layers of gated recurrent units or of long short-term memory, in one or both directions, computed by LibTorch's
/// kernels. The parameters have the names of torch.nn.GRU and torch.nn.LSTM: weight_ih_l0, weight_hh_l0, bias_ih_l0,
/// bias_hh_l0, the same with _reverse, then layer 1. Dropout is our own, because LibTorch's draws from the default
/// generator. Sources: Cho et al. 2014, equations 5 to 8, with the reset gate after the product as in LibTorch;
/// Hochreiter and Schmidhuber 1997 with the forget gate of Gers et al. 2000.
class RecurrentImpl : public torch::nn::Module {
 public:
  explicit RecurrentImpl(const RecurrentOptions& options);

  /// What the network found out about a batch.
  struct Result {
    std::vector<torch::Tensor> layers;   ///< [batch, len, width] each: the outputs of every layer; zeros at padding
    std::vector<RecurrentState> finals;  ///< of each layer: forward after the last token, backward before the first
  };

  /// Reads whole sequences from a state of zeros: x [batch, len, d_input], padded at the end; lengths [batch] (long, on
  /// the CPU, at least 1). width is d_hidden, or 2 * d_hidden with the two directions side by side. Padding changes
  /// nothing: the sequences are packed.
  Result read(const torch::Tensor& x, const torch::Tensor& lengths);

  /// Runs over whole sequences x [batch, len, d_input] from given states, in one direction -> [batch, len, d_hidden].
  torch::Tensor run(const torch::Tensor& x, const std::vector<RecurrentState>& first);

  /// One token of each row, in one direction: x [rows, d_input] -> [rows, d_hidden]. Changes `states`.
  torch::Tensor step(const torch::Tensor& x, std::vector<RecurrentState>& states);

  /// Draws input matrices xavier-uniform and recurrent ones orthogonal, each gate on its own, with torch's default
  /// generator. Biases become 0, that of an LSTM's forget gate 1. Sources: Saxe et al. 2014; Jozefowicz et al. 2015.
  void initialise();

  void pretty_print(std::ostream& out) const override;

  const RecurrentOptions options;
  Dropout dropout{nullptr};

 private:
  using Weights = std::vector<torch::Tensor>;  // as the kernels want them: of each direction ih, hh, bias_ih, bias_hh

  bool has_cells() const { return options.cell() == RecurrentCell::kLstm; }
  int64_t directions() const { return options.bidirectional() ? 2 : 1; }
  void add_layer(int64_t layer);
  torch::Tensor read_layer(const Weights& weights, const torch::Tensor& data, const torch::Tensor& batch_sizes,
                           RecurrentState& final) const;
  torch::Tensor run_layer(const Weights& weights, const torch::Tensor& x, const RecurrentState& first) const;
  torch::Tensor step_layer(const Weights& weights, const torch::Tensor& x, RecurrentState& state) const;

  std::vector<Weights> weights_;  // of each layer
};
TORCH_MODULE(Recurrent);

}  // namespace ventris::nn
