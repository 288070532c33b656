#include "engine/steps.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "layers/free_memory.h"
#include "layers/widths.h"

namespace ventris::engine {
namespace {

using arithmetic::Update;

using layers::attend;
using layers::check_ids;
using layers::DecoderLayer;
using layers::embed;
using layers::entry_width;
using layers::feed_forward;
using layers::free_memory;
using layers::key_size;
using layers::make_decoder_attention;
using layers::normalise;
using layers::pack_keys_values;
using layers::packed_size;
using layers::prepare_keys;
using layers::prepare_queries;
using layers::Reach;
using layers::sublayer;
using layers::value_size;

}  // namespace

Steps::Steps(const Kernels& kernels, const TransformerWeights& weights)
    : kernels_(kernels),
      weights_(weights),
      encoder_(kernels, weights),
      prefixes_(weights.decoder.size(), entry_width(weights.options), Reach::of(weights.options)),
      self_attention_(make_decoder_attention(kernels, weights, prefixes_)) {}

void Steps::reset() {
  prefixes_.clear();
  self_attention_->clear();
  free_.clear();
  for (size_t i = sentences_.size(); i > 0; --i) free_.push_back(static_cast<int32_t>(i) - 1);
}

void Steps::release() {
  prefixes_.release();
  self_attention_ = make_decoder_attention(kernels_, weights_, prefixes_);
  encoder_.release();
  free_memory(sentences_, free_, positions_, work_, x_, states_, step_weights_);
}

void Steps::watch(int64_t layer, Watch watch) {
  watched_layer_ = layer;
  watch_ = std::move(watch);
}

void Steps::admit(std::span<const std::span<const int32_t>> sources) {
  for (const auto& source : sources) {
    if (source.empty() || static_cast<int64_t>(source.size()) > weights_.options.max_positions) {
      throw std::invalid_argument("engine: a sentence is empty, or longer than the model allows");
    }
    check_ids(source, weights_.options.src_vocab);
  }
  for (size_t first = 0; first < sources.size();) {
    size_t end = first;
    int64_t tokens = 0;
    do {
      tokens += static_cast<int64_t>(sources[end++].size());
    } while (end < sources.size() && tokens + static_cast<int64_t>(sources[end].size()) <= kGroup);
    admit_group(sources.subspan(first, end - first));
    first = end;
  }
}

void Steps::admit_group(std::span<const std::span<const int32_t>> sources) {
  encoder_.encode(sources, work_);
  std::vector<int32_t> numbers;
  for (const auto& source : sources) {
    if (free_.empty()) {
      free_.push_back(static_cast<int32_t>(sentences_.size()));
      sentences_.emplace_back().packed.resize(weights_.decoder.size());
    }
    numbers.push_back(free_.back());
    free_.pop_back();
    sentences_[static_cast<size_t>(numbers.back())].length = static_cast<int64_t>(source.size());
    prefixes_.add(numbers.back());
    self_attention_->add();
  }
  const architecture::TransformerOptions& options = weights_.options;
  const int64_t keys = key_size(options), stride = keys + value_size(options);
  for (size_t layer = 0; layer < weights_.decoder.size(); ++layer) {
    const DecoderLayer& weights = weights_.decoder[layer];
    float* projected = work_.projected.room(encoder_.rows() * stride);
    weights.source_key_value.multiply(kernels_, encoder_.memory(layer), options.d_model, encoder_.rows(), projected,
                                      stride, work_.inputs);
    prepare_keys(kernels_, options, weights.source_score, projected, stride, encoder_.rows(), work_);
    for (const int32_t number : numbers) {
      Sentence& sentence = sentences_[static_cast<size_t>(number)];
      float* packed = sentence.packed[layer].room(packed_size(options, sentence.length));
      pack_keys_values(kernels_, options, projected, projected + keys, stride, sentence.length, packed);
      projected += sentence.length * stride;
    }
  }
}

void Steps::follow(std::span<const int32_t> parents) {
  prefixes_.follow(parents, free_);
  self_attention_->follow(parents);
}

const float* Steps::run(std::span<const int32_t> last_ids) {
  const architecture::TransformerOptions& options = weights_.options;
  const auto rows = static_cast<int64_t>(last_ids.size());
  check_ids(last_ids, options.tgt_vocab);
  if (last_ids.size() != prefixes_.rows()) throw std::invalid_argument("engine: expected one id for each row");
  positions_.clear();
  for (size_t row = 0; row < last_ids.size(); ++row) positions_.push_back(prefixes_.length(row));
  if (!positions_.empty() && *std::max_element(positions_.begin(), positions_.end()) >= options.max_positions) {
    throw std::invalid_argument("engine: a translation is longer than the model allows");
  }
  prefixes_.extend();
  float* x = x_.room(rows * options.d_model);
  embed(kernels_, options, weights_.target, last_ids, positions_, x);
  for (size_t i = 0; i < weights_.decoder.size(); ++i) {
    const DecoderLayer& layer = weights_.decoder[i];
    sublayer(kernels_, options, layer.norms[0], x, rows, work_,
             [&](const float* input) { options.has_ssru() ? run_ssru(i, input) : attend_to_prefix(i, input); });
    sublayer(kernels_, options, layer.norms[1], x, rows, work_,
             [&](const float* input) { attend_to_source(i, input); });
    sublayer(kernels_, options, layer.norms[2], x, rows, work_,
             [&](const float* input) { feed_forward(kernels_, options, layer.feed_forward, input, rows, x, work_); });
  }
  if (!weights_.decoder_norm.exists()) return x;
  float* states = states_.room(rows * options.d_model);
  normalise(kernels_, options, weights_.decoder_norm, x, rows, states);
  return states;
}

void Steps::attend_to_prefix(size_t layer, const float* input) {
  const architecture::TransformerOptions& options = weights_.options;
  const DecoderLayer& weights = weights_.decoder[layer];
  const auto rows = static_cast<int64_t>(prefixes_.rows());
  const int64_t keys = key_size(options), values = value_size(options), stride = 2 * keys + values;
  float* projected = work_.projected.room(rows * stride);
  weights.query_key_value.multiply(kernels_, input, options.d_model, rows, projected, stride, work_.inputs);
  float* context = work_.context.room(rows * values);
  self_attention_->attend(layer, projected, rows, context);
  weights.output.multiply(kernels_, context, values, rows, x_.data(), options.d_model, work_.inputs,
                          {.update = Update::kAdd});
}

void Steps::run_ssru(size_t layer, const float* input) {
  const auto rows = static_cast<int64_t>(prefixes_.rows());
  const int64_t width = weights_.options.d_model, stride = 2 * width;
  float* projected = work_.projected.room(rows * stride);
  weights_.decoder[layer].ssru.multiply(kernels_, input, width, rows, projected, stride, work_.inputs);
  float *out = work_.context.room(rows * width), *x = x_.data();
  self_attention_->attend(layer, projected, rows, out);
  for (int64_t i = 0; i < rows * width; ++i) x[i] += out[i];
}

void Steps::attend_to_source(size_t layer, const float* input) {
  const architecture::TransformerOptions& options = weights_.options;
  const DecoderLayer& weights = weights_.decoder[layer];
  const size_t rows = prefixes_.rows();
  const int64_t keys = key_size(options), values = value_size(options);
  const bool watched = watched_layer_ == static_cast<int64_t>(layer);
  float* queries = work_.projected.room(static_cast<int64_t>(rows) * keys);
  weights.source_query.multiply(kernels_, input, options.d_model, static_cast<int64_t>(rows), queries, keys,
                                work_.inputs);
  prepare_queries(kernels_, options, weights.source_score, queries, keys, static_cast<int64_t>(rows), work_);
  float* context = work_.context.room(static_cast<int64_t>(rows) * values);
  for (size_t first = 0, end = 0; first < rows; first = end) {
    while (end < rows && prefixes_.sentence(end) == prefixes_.sentence(first)) ++end;
    const Sentence& sentence = sentences_[static_cast<size_t>(prefixes_.sentence(first))];
    const auto count = static_cast<int64_t>(end - first), at = static_cast<int64_t>(first);
    float* kept = watched ? step_weights_.room(count * options.heads * sentence.length) : nullptr;
    attend(kernels_, options, weights.source_score, queries + at * keys, keys, count, sentence.packed[layer].data(),
           sentence.length, context + at * values, work_, kept);
    for (size_t row = first; watched && row < end; ++row, kept += options.heads * sentence.length) {
      watch_(row, kept, sentence.length);
    }
  }
  weights.source_output.multiply(kernels_, context, values, static_cast<int64_t>(rows), x_.data(), options.d_model,
                                 work_.inputs, {.update = Update::kAdd});
}

}  // namespace ventris::engine
