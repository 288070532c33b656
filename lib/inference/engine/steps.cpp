#include "engine/steps.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "layers/free_memory.h"
#include "layers/layers.h"
#include "layers/widths.h"

namespace ventris::engine {
namespace {

using arithmetic::grown;
using layers::check_ids;
using layers::entry_width;
using layers::free_memory;
using layers::key_size;
using layers::kFloat;
using layers::make_decoder_attention;
using layers::pack_keys_values;
using layers::packed_size;
using layers::Reach;

}  // namespace

Steps::Steps(const Kernels& kernels, const TransformerWeights& weights)
    : weights_(weights),
      context_{kernels, weights.decoder_options, work_},
      encoder_({kernels, weights.options, work_}, weights),
      prefixes_(weights.decoder.size(), entry_width(context_.options), Reach::of(context_.options)),
      self_attention_(make_decoder_attention(context_, weights, prefixes_)) {}

decoding::MemoryNeeds Steps::needs(const architecture::TransformerOptions& options) {
  const architecture::TransformerOptions side = options.decoder_side();
  decoding::MemoryNeeds needs =
      Encoder::needs(options).plus(layers::source_needs(side)).plus(layers::decoder_attention_needs(side));
  needs.source_place = grown(kFloat);  // scores of the attention to the source
  needs.row += Workspace::bytes_of_row(side) + grown(kFloat * options.d_model);
  return needs;
}

void Steps::reset() {
  prefixes_.clear();
  self_attention_->clear();
  free_.clear();
  for (size_t i = sentences_.size(); i > 0; --i) free_.push_back(static_cast<int32_t>(i) - 1);
}

void Steps::release() {
  prefixes_.release();
  self_attention_ = make_decoder_attention(context_, weights_, prefixes_);
  encoder_.release();
  free_memory(sentences_, free_, positions_, source_rows_, work_, x_, watched_);
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
  encoder_.encode(sources);
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
  const architecture::TransformerOptions& options = weights_.decoder_options;
  for (size_t layer = 0; layer < weights_.decoder.size(); ++layer) {
    const int64_t stride = weights_.decoder[layer].source_key_value.n();
    const float* projected =
        layers::project_sources(context_, weights_.decoder[layer], encoder_.memory(layer), encoder_.rows());
    for (const int32_t number : numbers) {
      Sentence& sentence = sentences_[static_cast<size_t>(number)];
      float* packed = sentence.packed[layer].room(packed_size(options, sentence.length));
      pack_keys_values(context_, projected, projected + key_size(options), stride, sentence.length, packed);
      projected += sentence.length * stride;
    }
  }
}

void Steps::follow(std::span<const int32_t> parents) {
  prefixes_.follow(parents, free_);
  self_attention_->follow(parents);
}

const float* Steps::run(std::span<const int32_t> last_ids) {
  const architecture::TransformerOptions& options = weights_.decoder_options;
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
  layers::embed(context_, weights_.target, last_ids, positions_, x);
  layers::run_decoder(context_, weights_, x, rows, *this);
  if (watched_layer_ >= 0) show_weights();
  return x;
}

void Steps::attend(size_t layer, float* projected, int64_t rows, float* out) {
  self_attention_->attend(layer, projected, rows, out);
}

std::span<const SourceRows> Steps::sources(size_t layer) {
  source_rows_.clear();
  for (size_t first = 0, end = 0; first < prefixes_.rows(); first = end) {
    while (end < prefixes_.rows() && prefixes_.sentence(end) == prefixes_.sentence(first)) ++end;
    const Sentence& sentence = sentences_[static_cast<size_t>(prefixes_.sentence(first))];
    source_rows_.push_back(
        {static_cast<int64_t>(end - first), {sentence.packed[layer].data(), sentence.length}, nullptr});
  }
  if (watched_layer_ == static_cast<int64_t>(layer)) add_room_for_weights();
  return source_rows_;
}

/// Makes the attention to the sources stay in watched_.
void Steps::add_room_for_weights() {
  const int64_t heads = weights_.decoder_options.heads;
  int64_t size = 0;
  for (const SourceRows& group : source_rows_) size += group.rows * heads * group.source.len;
  float* room = watched_.room(size);
  for (SourceRows& group : source_rows_) {
    group.weights = room;
    room += group.rows * heads * group.source.len;
  }
}

void Steps::show_weights() const {
  const float* weights = watched_.data();
  for (size_t row = 0; row < prefixes_.rows(); ++row) {
    const int64_t length = sentences_[static_cast<size_t>(prefixes_.sentence(row))].length;
    watch_(row, weights, length);
    weights += weights_.decoder_options.heads * length;
  }
}

}  // namespace ventris::engine
