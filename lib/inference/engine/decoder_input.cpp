#include "engine/decoder_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/special_ids.h"

namespace ventris::engine {
namespace {

using layers::normalise;

/// The place in a source of `src_len` tokens that target position t of `positions` belongs to.
float place_of(int64_t t, int64_t positions, size_t src_len) {
  const auto last = static_cast<float>(src_len - 1), steps = static_cast<float>(std::max<int64_t>(positions - 1, 1));
  return std::min(static_cast<float>(t) * last / steps, last);
}

/// shares [src_len] = exp(-|place - j| / width), divided by their sum.
void soft_shares(float place, float width, std::span<float> shares) {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0;
  for (size_t j = 0; j < shares.size(); ++j) {
    shares[j] = std::abs(place - static_cast<float>(j)) / -width;
    largest = std::max(largest, shares[j]);
  }
  for (float& share : shares) sum += share = std::exp(share - largest);
  for (float& share : shares) share /= sum;
}

constexpr float kLeastShare = 1e-10F;  // smaller ones change no digit of a mean

}  // namespace

DecoderInput::DecoderInput(const Context& context, const TransformerWeights& weights,
                           const architecture::NatOptions& options)
    : context_(context),
      weights_(weights),
      options_(options),
      copied_({weights.source.tokens, weights.target.positions, weights.target.sinusoids, weights.target.norm}) {}

void DecoderInput::embed(std::span<const int32_t> ids, float* x) {
  positions_.resize(ids.size());
  std::iota(positions_.begin(), positions_.end(), int64_t{0});
  layers::embed(context_, weights_.target, ids, positions_, x);
}

void DecoderInput::first(std::span<const int32_t> source, int64_t positions, float* x) {
  ids_.resize(static_cast<size_t>(positions));
  if (options_.decoder_input == architecture::DecoderInput::kMask) {
    std::ranges::fill(ids_, core::SpecialIds{}.bos);
    embed(ids_, x);
  } else if (options_.decoder_input == architecture::DecoderInput::kUniform) {
    for (int64_t t = 0; t < positions; ++t) {
      const float nearest = std::nearbyint(place_of(t, positions, source.size()));  // in the middle, the even one
      ids_[static_cast<size_t>(t)] = source[static_cast<size_t>(nearest)];
    }
    positions_.resize(ids_.size());
    std::iota(positions_.begin(), positions_.end(), int64_t{0});
    layers::embed(context_, copied_, ids_, positions_, x);
  } else {
    mix(source, positions, x);
  }
}

void DecoderInput::mix(std::span<const int32_t> source, int64_t positions, float* x) {
  const int64_t width = weights_.options.d_model;
  const auto factor = static_cast<float>(weights_.options.embedding_factor());
  float* tokens = tokens_.room(static_cast<int64_t>(source.size()) * width);
  for (size_t j = 0; j < source.size(); ++j) {
    copied_.tokens.row(source[j], factor, tokens + static_cast<int64_t>(j) * width);
  }
  shares_.resize(source.size());
  for (int64_t t = 0; t < positions; ++t) {
    float* to = x + t * width;
    std::copy_n(copied_.position(t), width, to);
    soft_shares(place_of(t, positions, source.size()), static_cast<float>(options_.copy_width), shares_);
    for (size_t j = 0; j < source.size(); ++j) {
      if (shares_[j] < kLeastShare) continue;
      const float* token = tokens + static_cast<int64_t>(j) * width;
      for (int64_t i = 0; i < width; ++i) to[i] += shares_[j] * token[i];
    }
  }
  if (copied_.norm.exists()) normalise(context_, copied_.norm, x, positions, x);
}

}  // namespace ventris::engine
