#include "imports/layer_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;
using architecture::Tying;

constexpr const char* kSourceTokens = "src_embed.0.lut.weight";
constexpr const char* kTargetTokens = "tgt_embed.0.lut.weight";
constexpr const char* kOutputLayer = "generator.proj.weight";

void multiply_all(std::vector<float>& values, double factor) {
  if (factor == 1) return;
  for (float& value : values) value *= static_cast<float>(factor);
}

/// Takes a table of tokens, with a row for each of the new ids.
void take_table(const std::string& ours, const std::string& theirs, int64_t rows, const NewVocabulary& vocabulary,
                double factor, int64_t d_model, BundleWeights& weights) {
  std::vector<float> values = weights.take(theirs, {rows, d_model});
  multiply_all(values, factor);
  weights.set(ours, rows_in(vocabulary.rows, values, d_model));
}

}  // namespace

bool any_name_ends(const TensorSource& tensors, const std::vector<std::string>& ends) {
  return std::ranges::any_of(tensors.names(), [&](const std::string& name) {
    return std::ranges::any_of(ends, [&](const std::string& end) { return name.ends_with(end); });
  });
}

void set_inner_widths(const TensorSource& tensors, const std::string& encoder, const std::string& decoder,
                      TransformerOptions& options) {
  options.d_ff = matrix_shape(tensors, encoder).first;
  options.decoder_d_ff = architecture::decoder_setting(options.d_ff, matrix_shape(tensors, decoder).first);
}

std::vector<float> LayerWeights::bias(const std::string& theirs, int64_t count) {
  if (tensors_.contains(theirs)) return weights_.take(theirs, {count});
  return std::vector<float>(static_cast<size_t>(count), 0.0F);
}

TransformerOptions LayerWeights::side_of(const std::string& ours) const {
  return ours.starts_with("decoder.") ? options_.decoder_side() : options_.encoder_side();
}

std::vector<float> LayerWeights::unrotated(const TransformerOptions& side, const std::vector<float>& values,
                                           int64_t columns) {
  const Order in_head = alternating(side.key_width());
  Order order;
  for (int64_t head = 0; head < side.heads; ++head) {
    for (const int64_t feature : in_head) order.push_back(head * side.key_width() + feature);
  }
  return rows_in(order, values, columns);
}

void LayerWeights::attention(const std::string& ours, const std::string& theirs, Rotation rotation) {
  const TransformerOptions side = side_of(ours);
  const int64_t width = side.d_model;
  for (size_t i = 0; i < names_.projections.size(); ++i) {
    const std::string linear = ours + ".linears." + std::to_string(i), from = theirs + "." + names_.projections[i];
    const bool is_result = i + 1 == names_.projections.size(), is_rotated = i < 2 && rotation == Rotation::kHalves;
    const int64_t heads = side.heads * (i < 2 ? side.key_width() : side.value_width());
    const int64_t out = is_result ? width : heads, in = is_result ? heads : width;
    std::vector<float> weight = weights_.take(from + ".weight", {out, in});
    if (is_rotated) weight = unrotated(side, weight, in);
    multiply_all(weight, is_result ? factor_ : 1);
    weights_.set(linear + ".weight", std::move(weight));
    if (!options_.attention_bias) continue;
    std::vector<float> shift = bias(from + ".bias", out);
    if (is_rotated) shift = unrotated(side, shift, 1);
    multiply_all(shift, is_result ? factor_ : 1);
    weights_.set(linear + ".bias", std::move(shift));
  }
}

void LayerWeights::feed_forward(const std::string& ours, const std::string& theirs) {
  const int64_t width = options_.d_model, d_ff = side_of(ours).d_ff,
                inner = matrix_shape(tensors_, theirs + "." + names_.inner + ".weight").first;
  if (inner > d_ff) {
    fail<ModelError>(tensors_.where(), ": tensor '", theirs, ".", names_.inner, ".weight': expected at most ", d_ff,
                     " rows as in the first layer, found ", inner);
  }
  const auto inner_layer = [&](const std::string& name, const std::string& from) {
    std::vector<float> weight = weights_.take(from + ".weight", {inner, width}), shift = bias(from + ".bias", inner);
    weight.resize(static_cast<size_t>(d_ff * width), 0.0F);
    shift.resize(static_cast<size_t>(d_ff), 0.0F);
    weights_.set(name + ".weight", std::move(weight));
    weights_.set(name + ".bias", std::move(shift));
  };
  inner_layer(ours + ".w_1", theirs + "." + names_.inner);
  if (options_.gated_feed_forward) inner_layer(ours + ".w_3", theirs + "." + names_.gate);
  const std::string outer = theirs + "." + names_.outer;
  std::vector<float> weight = filled_up(weights_.take(outer + ".weight", {width, inner}), inner, d_ff),
                     shift = bias(outer + ".bias", width);
  multiply_all(weight, factor_);
  multiply_all(shift, factor_);
  weights_.set(ours + ".w_2.weight", std::move(weight));
  weights_.set(ours + ".w_2.bias", std::move(shift));
}

void LayerWeights::norm(const std::string& ours, const std::string& theirs) {
  weights_.set(ours + ".weight", weights_.take(theirs + ".weight", {options_.d_model}));
  if (options_.norm_kind == architecture::NormKind::kRms) return;
  weights_.set(ours + ".bias", weights_.take(theirs + ".bias", {options_.d_model}));
}

void take_tables(const TensorSource& tensors, const TableNames& names, const Sides& sides, TransformerOptions& options,
                 BundleWeights& weights) {
  options.src_vocab = static_cast<int64_t>(sides.source.rows.size());
  options.tgt_vocab = static_cast<int64_t>(sides.target.rows.size());
  options.scale_embeddings = names.source_factor != 1 || names.target_factor != 1;
  const double factor = options.embedding_factor();
  const std::string& target = tensors.contains(names.target) ? names.target : names.source;
  const std::string& output = tensors.contains(names.output) ? names.output : target;
  const int64_t width = options.d_model;
  take_table(kSourceTokens, names.source, sides.source_rows, sides.source, names.source_factor / factor, width,
             weights);
  take_table(kTargetTokens, target, sides.target_rows, sides.target, names.target_factor / factor, width, weights);
  take_table(kOutputLayer, output, sides.target_rows, sides.target, 1, width, weights);
  std::vector<float> bias(static_cast<size_t>(sides.target_rows), 0.0F);
  if (tensors.contains(names.output_bias)) bias = weights.take(names.output_bias, {sides.target_rows});
  weights.set("generator.proj.bias", output_bias(sides.target, bias));
  const bool output_tied = weights.values(kOutputLayer) == weights.values(kTargetTokens);
  const bool source_tied = sides.have_common_ids() && weights.values(kSourceTokens) == weights.values(kTargetTokens);
  options.tying = !output_tied ? Tying::kNone : source_tied ? Tying::kAll : Tying::kDecoder;
}

int64_t check_sinusoids(const TensorSource& tensors, const std::string& name, int64_t d_model,
                        const std::function<std::vector<float>(int64_t count)>& expected) {
  constexpr float kRounding = 2e-3F;  // tables may be in 16 bits
  constexpr int64_t kChecked = 4096;  // positions
  const std::vector<float> found = tensors.floats(name);
  const int64_t count = static_cast<int64_t>(found.size()) / d_model;
  const bool whole = count > 0 && count * d_model == static_cast<int64_t>(found.size());
  if (!whole || tensors.shape(name).back() != d_model) {
    fail<ModelError>(tensors.where(), ": tensor '", name, "': expected positions of ", d_model,
                     " features, found shape ", model::shape_text(tensors.shape(name)));
  }
  const std::vector<float> wanted = expected(std::min(count, kChecked));
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (std::abs(found[i] - wanted[i]) <= kRounding) continue;
    fail<ModelError>(tensors.where(), ": tensor '", name, "': expected sinusoids, found other values in position ",
                     static_cast<int64_t>(i) / d_model);
  }
  return count;
}

}  // namespace ventris::imports
