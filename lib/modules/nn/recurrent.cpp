#include "nn/recurrent.h"

#include <ATen/ops/_pack_padded_sequence.h>
#include <ATen/ops/_pad_packed_sequence.h>

#include <cmath>
#include <string>
#include <tuple>

namespace ventris::nn {
namespace {

using torch::Tensor;

/// final [directions, batch, d_hidden] -> [batch, directions * d_hidden].
Tensor side_by_side(const Tensor& final) { return final.transpose(0, 1).flatten(1); }

/// The kernels keep what the backward pass needs only if they are told that they train.
bool wants_gradient() { return torch::GradMode::is_enabled(); }

}  // namespace

RecurrentImpl::RecurrentImpl(const RecurrentOptions& settings) : options(settings) {
  for (int64_t layer = 0; layer < options.layers(); ++layer) add_layer(layer);
  dropout = register_module("dropout", Dropout(options.dropout()));
}

void RecurrentImpl::add_layer(int64_t layer) {
  const int64_t width = options.d_hidden(), rows = (has_cells() ? 4 : 3) * width;
  const int64_t input = layer == 0 ? options.d_input() : directions() * width;
  const double bound = 1 / std::sqrt(static_cast<double>(width));  // as torch.nn.GRU
  Weights weights;
  for (int64_t direction = 0; direction < directions(); ++direction) {
    const std::string suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
    const auto add = [&](const char* name, c10::IntArrayRef shape) {
      weights.push_back(register_parameter(name + suffix, torch::empty(shape).uniform_(-bound, bound)));
    };
    add("weight_ih", {rows, input});
    add("weight_hh", {rows, width});
    add("bias_ih", {rows});
    add("bias_hh", {rows});
  }
  weights_.push_back(std::move(weights));
}

void RecurrentImpl::initialise() {
  const torch::NoGradGuard no_grad;
  for (const Weights& weights : weights_) {
    for (size_t i = 0; i < weights.size(); i += 4) {
      torch::nn::init::xavier_uniform_(weights[i]);
      for (Tensor gate : weights[i + 1].split(options.d_hidden())) torch::nn::init::orthogonal_(gate);
      for (const size_t bias : {i + 2, i + 3}) Tensor(weights[bias]).zero_();
      if (has_cells()) weights[i + 2].narrow(0, options.d_hidden(), options.d_hidden()).fill_(1);  // order: i f g o
    }
  }
}

/// data [tokens, width] and batch_sizes [len] are a packed batch -> [tokens, directions * d_hidden].
Tensor RecurrentImpl::read_layer(const Weights& weights, const Tensor& data, const Tensor& batch_sizes,
                                 RecurrentState& final) const {
  const int64_t batch = batch_sizes[0].item<int64_t>();
  const Tensor zeros = torch::zeros({directions(), batch, options.d_hidden()}, data.options());
  if (!has_cells()) {
    auto [out, hidden] =
        at::gru(data, batch_sizes, zeros, weights, true, 1, 0, wants_gradient(), options.bidirectional());
    final.hidden = side_by_side(hidden);
    return out;
  }
  auto [out, hidden, cell] =
      at::lstm(data, batch_sizes, {zeros, zeros}, weights, true, 1, 0, wants_gradient(), options.bidirectional());
  final = {side_by_side(hidden), side_by_side(cell)};
  return out;
}

RecurrentImpl::Result RecurrentImpl::read(const Tensor& x, const Tensor& lengths) {
  // Packing needs the longest sequence first.
  const auto [sorted, order] = lengths.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true);
  const Tensor places = order.to(x.device()), back = order.argsort().to(x.device());
  auto [data, batch_sizes] = at::_pack_padded_sequence(x.index_select(0, places), sorted, /*batch_first=*/true);
  Result result;
  for (size_t layer = 0; layer < weights_.size(); ++layer) {
    if (layer > 0) data = dropout(data);
    RecurrentState final;
    data = read_layer(weights_[layer], data, batch_sizes, final);
    final.hidden = final.hidden.index_select(0, back);
    if (has_cells()) final.cell = final.cell.index_select(0, back);
    result.finals.push_back(final);
    const Tensor padded = std::get<0>(at::_pad_packed_sequence(data, batch_sizes, /*batch_first=*/true, 0, x.size(1)));
    result.layers.push_back(padded.index_select(0, back));
  }
  return result;
}

/// x [len, batch, width] -> [len, batch, d_hidden].
Tensor RecurrentImpl::run_layer(const Weights& weights, const Tensor& x, const RecurrentState& first) const {
  const Tensor hidden = first.hidden.unsqueeze(0);
  if (!has_cells()) return std::get<0>(at::gru(x, hidden, weights, true, 1, 0, wants_gradient(), false, false));
  return std::get<0>(
      at::lstm(x, {hidden, first.cell.unsqueeze(0)}, weights, true, 1, 0, wants_gradient(), false, false));
}

Tensor RecurrentImpl::run(const Tensor& x, const std::vector<RecurrentState>& first) {
  Tensor y = x.transpose(0, 1).contiguous();  // [len, batch, d_input]
  for (size_t layer = 0; layer < weights_.size(); ++layer) {
    if (layer > 0) y = dropout(y);
    y = run_layer(weights_[layer], y, first.at(layer));
  }
  return y.transpose(0, 1);
}

/// x [rows, width] -> [rows, d_hidden].
Tensor RecurrentImpl::step_layer(const Weights& weights, const Tensor& x, RecurrentState& state) const {
  if (has_cells()) {
    std::tie(state.hidden, state.cell) =
        at::lstm_cell(x, {state.hidden, state.cell}, weights[0], weights[1], weights[2], weights[3]);
  } else {
    state.hidden = at::gru_cell(x, state.hidden, weights[0], weights[1], weights[2], weights[3]);
  }
  return state.hidden;
}

Tensor RecurrentImpl::step(const Tensor& x, std::vector<RecurrentState>& states) {
  Tensor y = x;
  for (size_t layer = 0; layer < weights_.size(); ++layer) {
    if (layer > 0) y = dropout(y);
    y = step_layer(weights_[layer], y, states.at(layer));
  }
  return y;
}

void RecurrentImpl::pretty_print(std::ostream& out) const {
  out << "ventris::nn::Recurrent(" << (has_cells() ? "lstm" : "gru") << ", d_input=" << options.d_input()
      << ", d_hidden=" << options.d_hidden() << ", layers=" << options.layers()
      << (options.bidirectional() ? ", bidirectional" : "") << ", dropout=" << options.dropout() << ")";
}

}  // namespace ventris::nn
