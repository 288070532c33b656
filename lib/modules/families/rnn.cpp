#include "families/rnn.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "nn/full_precision.h"

namespace ventris::families {
namespace {

using architecture::Tying;
using torch::Tensor;

/// mask [batch, 1, src_len] -> lengths [batch] on the CPU, at least 1; undefined = all of [batch, src_len].
Tensor lengths_of(const Tensor& mask, int64_t batch, int64_t src_len) {
  if (!mask.defined()) return torch::full({batch}, src_len, torch::kLong);
  return mask.squeeze(1).sum(-1).clamp_min(1).to(torch::kCPU);
}

nn::RecurrentOptions recurrent(const RnnOptions& options, int64_t d_input) {
  return nn::RecurrentOptions(d_input, options.d_hidden).cell(options.cell).dropout(options.dropout);
}

void check(const RnnOptions& options) {
  if (options.tying == Tying::kAll && options.src_vocab != options.tgt_vocab) {
    throw std::invalid_argument("RnnEncoderDecoder: tying all embeddings needs one vocabulary, got " +
                                std::to_string(options.src_vocab) + " source and " + std::to_string(options.tgt_vocab) +
                                " target tokens");
  }
  if (options.tying != Tying::kNone && options.d_embedding != options.d_hidden) {
    throw std::invalid_argument("RnnEncoderDecoder: tying needs d_embedding = d_hidden, got " +
                                std::to_string(options.d_embedding) + " and " + std::to_string(options.d_hidden));
  }
  if (options.input_feeding && !options.has_attention()) {
    throw std::invalid_argument("RnnEncoderDecoder: input feeding needs attention");
  }
}

}  // namespace

RnnEncoderImpl::RnnEncoderImpl(const RnnOptions& options) {
  rnn = register_module(
      "rnn", nn::Recurrent(recurrent(options, options.d_embedding).layers(options.encoder_layers).bidirectional(true)));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
}

nn::Recurrent::Impl::Result RnnEncoderImpl::forward(const Tensor& x, const Tensor& mask) {
  return rnn->read(dropout(x), lengths_of(mask, x.size(0), x.size(1)));
}

RnnDecoderImpl::RnnDecoderImpl(const RnnOptions& settings) : options(settings) {
  const int64_t width = options.d_hidden;
  if (options.has_attention()) attention = register_module("attention", RnnAttention(options.attention, width));
  rnn =
      register_module("rnn", nn::Recurrent(recurrent(options, options.decoder_input()).layers(options.decoder_layers)));
  bridge = register_module("bridge", nn::Linear(2 * width, width));
  if (options.cell == architecture::RecurrentCell::kLstm)
    bridge_cell = register_module("bridge_cell", nn::Linear(2 * width, width));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
  const int64_t mixed = options.d_embedding + width + options.d_context();
  pre_output_layer =
      register_module("pre_output_layer", nn::Linear(torch::nn::LinearOptions(mixed, width).bias(false)));
}

RnnState RnnDecoderImpl::first_state(const std::vector<Tensor>& finals) {
  const size_t kinds = bridge_cell.is_empty() ? 1 : 2;  // of states per layer of the encoder
  const auto read = static_cast<int64_t>(finals.size() / kinds);
  RnnState state;
  for (int64_t layer = 0; layer < options.decoder_layers; ++layer) {
    const auto from = static_cast<size_t>(std::max<int64_t>(layer + read - options.decoder_layers, 0)) * kinds;
    state.layers.push_back({bridge(finals.at(from)).tanh(), {}});
    if (kinds == 2) state.layers.back().cell = bridge_cell(finals.at(from + 1)).tanh();
  }
  if (options.feeds_back()) state.fed = torch::zeros_like(state.layers.back().hidden);
  return state;
}

RnnSource RnnDecoderImpl::source(const nn::Memory& memory) {
  if (attention.is_empty()) return {};
  return RnnAttentionImpl::source(attention->keys(memory.states), memory.states, memory.mask);
}

/// query [batch, q_len, d_hidden]
RnnDecoderImpl::Found RnnDecoderImpl::attend(const Tensor& query, const RnnSource& source) {
  if (attention.is_empty()) return {query, {}, {}};
  auto [context, weights] = attention->forward(query, source);
  return {query, std::move(context), std::move(weights)};
}

/// input [batch, d_embedding], after dropout.
RnnDecoderImpl::Found RnnDecoderImpl::advance(const Tensor& input, RnnState& state, const RnnSource& source) {
  Found found;
  if (options.attends_first()) found = attend(state.layers.back().hidden.unsqueeze(1), source);
  const Tensor& more = options.attends_first() ? found.context : state.fed;
  Tensor x = input;
  if (options.attends_first()) {
    x = torch::cat({input, more.squeeze(1)}, 1);
  } else if (options.feeds_back()) {
    x = torch::cat({input, more}, 1);
  }
  const Tensor output = rnn->step(x, state.layers);
  if (!options.attends_first()) found = attend(output.unsqueeze(1), source);
  found.output = output;
  if (found.context.defined()) {
    found.context = found.context.squeeze(1);
    found.weights = found.weights.squeeze(1);
  }
  return found;
}

/// embedded [..., d_embedding] -> [..., d_hidden].
Tensor RnnDecoderImpl::pre_output(const Tensor& embedded, const Found& found) {
  std::vector<Tensor> parts{embedded, found.output};
  if (found.context.defined()) parts.push_back(found.context);
  const Tensor mixed = pre_output_layer(dropout(torch::cat(parts, -1)));
  const bool luong =
      options.attention == architecture::Scoring::kDot || options.attention == architecture::Scoring::kBilinear;
  return luong ? mixed.tanh() : mixed;
}

Tensor RnnDecoderImpl::step(const Tensor& embedded, RnnState& state, const RnnSource& source) {
  const Tensor hidden = pre_output(embedded, advance(dropout(embedded), state, source));
  if (options.feeds_back()) state.fed = hidden;
  return hidden;
}

/// All positions at once: the recurrence does not wait for the attention.
RnnDecoderImpl::Found RnnDecoderImpl::run(const Tensor& embedded, RnnState& state, const RnnSource& source) {
  return attend(rnn->run(dropout(embedded), state.layers), source);
}

/// Position by position; `found` gets the attention weights.
Tensor RnnDecoderImpl::run_fed(const Tensor& embedded, RnnState& state, const RnnSource& source, Found& found) {
  const std::vector<Tensor> inputs = dropout(embedded).unbind(1), plain = embedded.unbind(1);
  std::vector<Tensor> outputs, contexts, weights, hidden;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Found one = advance(inputs[i], state, source);
    weights.push_back(one.weights);
    if (options.feeds_back()) {
      state.fed = pre_output(plain[i], one);
      hidden.push_back(state.fed);
    } else {
      outputs.push_back(one.output);
      contexts.push_back(one.context);
    }
  }
  found.weights = torch::stack(weights, 1);
  if (options.feeds_back()) return torch::stack(hidden, 1);
  found.output = torch::stack(outputs, 1);
  found.context = torch::stack(contexts, 1);
  return pre_output(embedded, found);
}

Tensor RnnDecoderImpl::forward(const Tensor& embedded, const nn::Memory& memory) {
  RnnState state = first_state(memory.finals);
  const RnnSource seen = source(memory);
  Found found;
  Tensor hidden;
  if (options.input_feeding) {
    hidden = run_fed(embedded, state, seen, found);
  } else {
    found = run(embedded, state, seen);
    hidden = pre_output(embedded, found);
  }
  if (attention.is_empty()) return hidden;
  if (Tensor* kept = nn::AttentionWatch::place_for(*attention)) *kept = found.weights.unsqueeze(1);
  return hidden;
}

RnnEncoderDecoderImpl::RnnEncoderDecoderImpl(const RnnOptions& settings) : options(settings) {
  check(options);
  encoder = register_module("encoder", RnnEncoder(options));
  decoder = register_module("decoder", RnnDecoder(options));
  src_embed = register_module("src_embed", nn::Embedding(options.src_vocab, options.d_embedding));
  trg_embed = register_module("trg_embed", nn::Embedding(options.tgt_vocab, options.d_embedding));
  generator = register_module("generator", nn::Generator(options.d_hidden, options.tgt_vocab));
  tie();
}

void RnnEncoderDecoderImpl::tie() {
  if (options.tying == Tying::kNone) return;
  if (options.tying == Tying::kAll) trg_embed->share_weight(src_embed->weight);
  generator->proj->share_weight(trg_embed->weight);
}

void RnnEncoderDecoderImpl::initialise() {
  nn::Seq2SeqImpl::initialise();
  encoder->rnn->initialise();
  decoder->rnn->initialise();
  const double deviation = 1 / std::sqrt(static_cast<double>(options.d_embedding));
  torch::nn::init::normal_(src_embed->weight, 0, deviation);
  if (options.tying != Tying::kAll) torch::nn::init::normal_(trg_embed->weight, 0, deviation);
}

nn::Memory RnnEncoderDecoderImpl::encode(const Tensor& src, const Tensor& src_mask) {
  const nn::WithoutAutocast f32;
  nn::Recurrent::Impl::Result found = encoder->forward(src_embed(src), src_mask);
  nn::Memory memory;
  memory.states = found.layers.back();
  memory.layers = std::move(found.layers);
  memory.mask = src_mask;
  for (const nn::RecurrentState& final : found.finals) {
    memory.finals.push_back(final.hidden);
    if (final.cell.defined()) memory.finals.push_back(final.cell);
  }
  return memory;
}

Tensor RnnEncoderDecoderImpl::decode(const nn::Memory& memory, const Tensor& tgt, const Tensor& /*tgt_mask*/) {
  const nn::WithoutAutocast f32;
  return decoder->forward(trg_embed(tgt), memory);
}

nn::AttentionBlocks RnnEncoderDecoderImpl::attention_blocks() const {
  nn::AttentionBlocks blocks;
  if (!decoder->attention.is_empty()) blocks.cross.push_back(decoder->attention.get());
  return blocks;
}

}  // namespace ventris::families
