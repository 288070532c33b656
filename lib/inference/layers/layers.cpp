#include "layers/layers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ventris::layers {

using arithmetic::Activation;
using arithmetic::panels_of;
using arithmetic::Update;

using architecture::TransformerOptions;

namespace {

Activation activation_of(const TransformerOptions& options) {
  switch (options.activation) {
    case architecture::Activation::kRelu: return Activation::kRelu;
    case architecture::Activation::kGelu: return Activation::kGelu;
    case architecture::Activation::kSilu: return Activation::kSilu;
    case architecture::Activation::kGeluTanh: return Activation::kGeluTanh;
    case architecture::Activation::kGeluSigmoid: return Activation::kGeluSigmoid;
  }
  return Activation::kNone;
}

/// The rows whose hidden layer is still in a cache when it becomes bytes. Other precisions take all rows at once: they
/// need more time to read the weights again.
int64_t rows_at_once(const TransformerOptions& options, arithmetic::Precision precision) {
  constexpr int64_t kBytes = 1600 << 10, kFewest = 48;
  if (precision != arithmetic::Precision::kInt8) return std::numeric_limits<int32_t>::max();
  return std::max(kFewest, kBytes / (options.d_ff * static_cast<int64_t>(sizeof(float))));
}

/// As feed_forward(), for all rows at once.
void feed_some_forward(const Context& context, const FeedForward& weights, const float* input, int64_t rows, float* x) {
  const TransformerOptions& options = context.options;
  float* hidden = context.work.hidden.room(rows * options.d_ff);
  multiply(context, weights.w_1, input, rows, hidden, {.activation = activation_of(options)});
  if (options.gated_feed_forward) {  // the inputs of w_1 are still prepared
    weights.w_3.multiply_panels(context.kernels, {input, options.d_model, rows}, {0, panels_of(options.d_ff)},
                                {hidden, options.d_ff}, context.work.inputs, {.update = Update::kMultiply});
  }
  multiply(context, weights.w_2, hidden, rows, x, {.update = Update::kAdd});
}

/// As feed_forward(), without experts.
void feed_all_forward(const Context& context, const FeedForward& weights, const float* input, int64_t rows, float* x) {
  const int64_t width = context.options.d_model, most = rows_at_once(context.options, weights.w_1.precision());
  const int64_t parts = (rows + most - 1) / most, size = (rows + parts - 1) / parts;
  for (int64_t first = 0; first < rows; first += size) {
    const int64_t count = std::min(size, rows - first);
    feed_some_forward(context, weights, input + first * width, count, x + first * width);
  }
}

/// As feed_forward(), with experts. All inputs are copied before a result is added, because `input` may be `x`.
void feed_experts(const Context& context, const FeedForward& weights, const float* input, int64_t rows, float* x) {
  const TransformerOptions& options = context.options;
  const int64_t width = options.d_model;
  Workspace& work = context.work;
  float* logits = work.logits.room(rows * options.experts);
  multiply(context, weights.router, input, rows, logits);
  work.routing.choose(logits, rows, options);
  const std::span<const Routing::Choice> choices = work.routing.all();
  const auto size = std::ssize(choices) * width;
  float* inputs = work.expert_inputs.room(size);
  float* outputs = work.expert_outputs.room(size);
  for (size_t i = 0; i < choices.size(); ++i) {
    std::copy_n(input + choices[i].row * width, width, inputs + static_cast<int64_t>(i) * width);
  }
  std::fill_n(outputs, size, 0.0F);
  int64_t first = 0;
  for (int64_t expert = 0; expert < options.experts; ++expert) {
    const int64_t count = work.routing.count(expert);
    if (count == 0) continue;
    feed_all_forward(context, weights.experts[static_cast<size_t>(expert)], inputs + first * width, count,
                     outputs + first * width);
    first += count;
  }
  for (const Routing::Choice& choice : choices) {
    float* to = x + choice.row * width;
    for (int64_t i = 0; i < width; ++i) to[i] += choice.share * outputs[i];
    outputs += width;
  }
}

}  // namespace

void check_ids(std::span<const int32_t> ids, int64_t vocab) {
  for (const int32_t id : ids) {
    if (id < 0 || id >= vocab) throw std::invalid_argument("engine: an id is outside the vocabulary");
  }
}

void feed_forward(const Context& context, const FeedForward& weights, const float* input, int64_t rows, float* x) {
  if (rows == 0) return;
  if (weights.experts.empty()) {
    feed_all_forward(context, weights, input, rows, x);
  } else {
    feed_experts(context, weights, input, rows, x);
  }
}

void embed(const Context& context, const Embedding& weights, std::span<const int32_t> ids,
           std::span<const int64_t> positions, float* x) {
  const int64_t width = context.options.d_model;
  const float factor = weights.scaled ? static_cast<float>(context.options.embedding_factor()) : 1;
  for (size_t row = 0; row < ids.size(); ++row) {
    float* to = x + static_cast<int64_t>(row) * width;
    weights.tokens.row(ids[row], factor, to);
    const float* position = weights.position(positions[row]);
    if (position == nullptr) continue;
    for (int64_t i = 0; i < width; ++i) to[i] += position[i];
  }
  if (!weights.norm.exists()) return;
  normalise(context, weights.norm, x, static_cast<int64_t>(ids.size()), x);
}

}  // namespace ventris::layers
