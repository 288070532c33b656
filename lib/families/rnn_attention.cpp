#include "families/rnn_attention.h"

#include <limits>

namespace ventris::families {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// tanh(query + keys) of query q: [batch, src_len, width].
Tensor activations(const Tensor& query, const Tensor& keys, int64_t q) {
  return (query.narrow(1, q, 1) + keys).tanh_();
}

/// query [batch, q_len, width], keys [batch, src_len, width], energy [width] -> [batch, q_len, src_len].
Tensor nn::additive_scores(const Tensor& query, const Tensor& keys, const Tensor& energy) {
  std::vector<Tensor> scores;
  for (int64_t q = 0; q < query.size(1); ++q) scores.push_back(at::matmul(activations(query, keys, q), energy));
  return at::stack(scores, 1);
}

/// additive_scores with a backward pass that computes the activations again. Keeping them would take q_len * src_len *
/// width numbers for each sentence, more than all else together.
struct AdditiveScores : torch::autograd::Function<AdditiveScores> {
  static Tensor forward(AutogradContext* context, const Tensor& query, const Tensor& keys, const Tensor& energy) {
    context->save_for_backward({query, keys, energy});
    return nn::additive_scores(query, keys, energy);
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const Tensor &query = saved[0], &keys = saved[1], &energy = saved[2];
    Tensor of_query = at::empty_like(query), of_keys = at::zeros_like(keys), of_energy = at::zeros_like(energy);
    for (int64_t q = 0; q < query.size(1); ++q) {
      const Tensor active = activations(query, keys, q);  // [batch, src_len, width]
      const Tensor gradient = outer[0].select(1, q);      // [batch, src_len]
      of_energy.add_(at::mv(active.flatten(0, 1).t(), gradient.flatten()));
      const Tensor slope = active.mul_(active).neg_().add_(1).mul_(energy).mul_(gradient.unsqueeze(2));
      of_query.select(1, q).copy_(slope.sum(1));
      of_keys.add_(slope);
    }
    return {of_query, of_keys, of_energy};
  }
};

nn::Linear matrix(int64_t in, int64_t out) { return nn::Linear(torch::nn::LinearOptions(in, out).bias(false)); }

}  // namespace

RnnAttentionImpl::RnnAttentionImpl(Scoring scoring, int64_t d_hidden) : scoring_(scoring) {
  if (scoring != Scoring::kDot) key_layer = register_module("key_layer", matrix(2 * d_hidden, d_hidden));
  if (scoring != Scoring::kAdditive) return;
  query_layer = register_module("query_layer", matrix(d_hidden, d_hidden));
  energy_layer = register_module("energy_layer", matrix(d_hidden, 1));
}

Tensor RnnAttentionImpl::keys(const Tensor& states) {
  if (scoring_ != Scoring::kDot) return key_layer(states);
  const int64_t width = states.size(2) / 2;
  return states.narrow(2, 0, width) + states.narrow(2, width, width);
}

RnnSource RnnAttentionImpl::source(const Tensor& keys, const Tensor& values, const Tensor& mask) {
  RnnSource source{keys, values, {}, {}};
  if (!mask.defined() || mask.all().item<bool>()) return source;
  const Tensor blind = mask.any(-1, /*keepdim=*/true).logical_not_();  // [batch, 1, 1]
  const bool some_blind = blind.any().item<bool>();
  // A query with nowhere to look first sees everything, and its weights become zero afterwards: a row of -infinity
  // would give NaN.
  const Tensor visible = some_blind ? mask.logical_or(blind) : mask;
  source.hidden = torch::zeros(mask.sizes(), keys.options())
                      .masked_fill_(visible.logical_not(), -std::numeric_limits<double>::infinity());
  if (some_blind) source.blind = blind;
  return source;
}

/// query [batch, q_len, d_hidden], keys [batch, src_len, d_hidden] -> [batch, q_len, src_len].
Tensor RnnAttentionImpl::scores(const Tensor& query, const Tensor& keys) {
  if (scoring_ != Scoring::kAdditive) return at::bmm(query, keys.transpose(1, 2));
  const Tensor projected = query_layer(query), energy = energy_layer->weight.squeeze(0);
  if (!torch::GradMode::is_enabled()) return nn::additive_scores(projected, keys, energy);
  return AdditiveScores::apply(projected, keys, energy);
}

RnnAttentionImpl::Result RnnAttentionImpl::forward(const Tensor& query, const RnnSource& source) {
  Tensor found = scores(query, source.keys);
  if (source.hidden.defined()) found = found + source.hidden;
  Tensor weights = found.softmax(-1);
  if (source.blind.defined()) weights = weights.masked_fill(source.blind, 0);
  return {at::bmm(weights, source.values), weights};
}

void RnnAttentionImpl::pretty_print(std::ostream& out) const {
  const char* name = scoring_ == Scoring::kAdditive ? "additive" : scoring_ == Scoring::kDot ? "dot" : "bilinear";
  out << "ventris::families::RnnAttention(" << name << ")";
}

}  // namespace ventris::families
