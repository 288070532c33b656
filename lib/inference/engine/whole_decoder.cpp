#include "engine/whole_decoder.h"

#include <algorithm>

#include "layers/widths.h"

namespace ventris::engine {
namespace {

using layers::DecoderLayer;
using layers::key_size;
using layers::make_encoder_attention;
using layers::pack_keys_values;
using layers::packed_size;

using architecture::TransformerOptions;
using nat::NatPass;
using nat::NatRow;

}  // namespace

WholeDecoder::WholeDecoder(const Context& context, const TransformerWeights& weights, Sight sight)
    : context_(context), weights_(weights), options_(weights.decoder_options), sources_(weights.decoder.size()) {
  options_.self_attention = architecture::SelfAttention::kFull;  // kLowRank is only for encoders
  for (const DecoderLayer& layer : weights.decoder) {
    self_attention_.push_back(
        make_encoder_attention({context.kernels, options_, context.work}, layer.self_attention, sight));
  }
}

void WholeDecoder::read(Encoder& encoder, std::span<const int64_t> lengths) {
  const TransformerOptions& options = weights_.decoder_options;
  lengths_.assign(lengths.begin(), lengths.end());
  starts_.clear();
  int64_t size = 0;
  for (const int64_t length : lengths) {
    starts_.push_back(size);
    size += packed_size(options, length);
  }
  for (size_t layer = 0; layer < sources_.size(); ++layer) {
    const DecoderLayer& weights = weights_.decoder[layer];
    const int64_t stride = weights.source_key_value.n();
    const float* projected = layers::project_sources(context_, weights, encoder.memory(layer), encoder.rows());
    float* packed = sources_[layer].room(size);
    for (size_t i = 0; i < lengths_.size(); ++i) {
      pack_keys_values(context_, projected, projected + key_size(options), stride, lengths_[i], packed + starts_[i]);
      projected += lengths_[i] * stride;
    }
  }
}

const float* WholeDecoder::run(const NatPass& pass) {
  pass_ = &pass;
  rows_.assign(pass.rows.begin(), pass.rows.end());
  layers::run_decoder(context_, weights_, x_.data(), positions(), *this);
  return x_.data();
}

int64_t WholeDecoder::positions() const {
  int64_t positions = 0;
  for (const NatRow& row : rows_) positions += row.positions;
  return positions;
}

void WholeDecoder::attend(size_t layer, float* projected, int64_t /*rows*/, float* out) {
  const int64_t stride = weights_.decoder[layer].query_key_value.n(), values = layers::value_size(options_);
  for (const NatRow& row : rows_) {
    self_attention_[layer]->attend(projected, row.positions, out);
    projected += row.positions * stride;
    out += row.positions * values;
  }
}

/// In the last layer, moves the wanted positions to the front.
int64_t WholeDecoder::keep(size_t layer, float* x, int64_t rows) {
  if (layer + 1 < weights_.decoder.size() || pass_->wanted.empty()) return rows;
  const int64_t width = weights_.options.d_model;
  const float* from = x;
  float* to = x;
  size_t place = 0;
  for (NatRow& row : rows_) {
    int64_t kept = 0;
    for (int64_t t = 0; t < row.positions; ++t, ++place, from += width) {
      if (pass_->wanted[place] == 0) continue;
      if (to != from) std::copy_n(from, width, to);
      to += width;
      ++kept;
    }
    row.positions = kept;
  }
  return positions();
}

std::span<const SourceRows> WholeDecoder::sources(size_t layer) {
  const int64_t heads = weights_.decoder_options.heads;
  int64_t size = 0;
  for (const NatRow& row : rows_) size += row.positions * heads * lengths_[row.sentence];
  float* weights = static_cast<int64_t>(layer) == pass_->watched_layer ? watched_.room(size) : nullptr;
  source_rows_.clear();
  for (const NatRow& row : rows_) {
    const int64_t length = lengths_[row.sentence];
    source_rows_.push_back({row.positions, {sources_[layer].data() + starts_[row.sentence], length}, weights});
    if (weights != nullptr) weights += row.positions * heads * length;
  }
  return source_rows_;
}

}  // namespace ventris::engine
