#include "families/rnn_attention.h"

#include <limits>

#include "attention/additive_score.h"

namespace ventris::families {
namespace {

using torch::Tensor;

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
  // One head.
  return attention::additive_scores(query_layer(query).unsqueeze(1), keys.unsqueeze(1), energy_layer->weight)
      .squeeze(1);
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
