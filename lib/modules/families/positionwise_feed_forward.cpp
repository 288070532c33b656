#include "families/positionwise_feed_forward.h"

#include "architecture/transformer_fields.h"
#include "nn/activation.h"

namespace ventris::families {

using torch::Tensor;

PositionwiseFeedForwardImpl::PositionwiseFeedForwardImpl(const nn::TransformerOptions& options)
    : activation_(options.activation) {
  w_1 = register_module("w_1", nn::Linear(options.d_model, options.d_ff));
  w_2 = register_module("w_2", nn::Linear(options.d_ff, options.d_model));
  if (options.gated_feed_forward) w_3 = register_module("w_3", nn::Linear(options.d_model, options.d_ff));
  dropout = register_module("dropout", nn::Dropout(options.activation_dropout.value_or(options.dropout)));
}

Tensor PositionwiseFeedForwardImpl::forward(const Tensor& x) {
  const Tensor inner = w_1(x);  // [..., d_ff]
  if (!w_3.is_empty()) return w_2(dropout(nn::activate(activation_, inner) * w_3(x)));
  const bool in_one_pass = activation_ == nn::Activation::kRelu;
  return w_2(in_one_pass ? dropout->relu(inner) : dropout(nn::activate(activation_, inner)));
}

void PositionwiseFeedForwardImpl::pretty_print(std::ostream& out) const {
  out << "ventris::families::PositionwiseFeedForward(activation="
      << core::name_of(activation_, architecture::activations()) << (w_3.is_empty() ? "" : ", gated") << ")";
}

}  // namespace ventris::families
