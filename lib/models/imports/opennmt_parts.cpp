#include "imports/opennmt_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "architecture/sinusoids.h"
#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "imports/halved_sinusoids.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

using architecture::Positions;
using architecture::TransformerOptions;

constexpr int64_t kTableOfFormula = 1024;  // positions of sinusoids or rotations that a model of ours gets

bool are_rotated(OpennmtPositions positions) {
  return positions == OpennmtPositions::kRotary || positions == OpennmtPositions::kRotaryHalves;
}

std::vector<float> sinusoids_of(OpennmtPositions positions, int64_t count, int64_t width) {
  if (positions == OpennmtPositions::kInterleaved) return architecture::sinusoid_table(count, width);
  return halved_sinusoids(0, count, width, step_in_64_bits(width));
}

int64_t position_count(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
                       int64_t width) {
  if (are_rotated(positions) || positions == OpennmtPositions::kBuckets) return kTableOfFormula;
  int64_t count = architecture::kMostPositions;
  for (const std::string& name : {names.source_positions, names.target_positions}) {
    const int64_t found =
        positions == OpennmtPositions::kLearned
            ? matrix_shape(tensors, name).first
            : check_sinusoids(tensors, name, width, [&](int64_t rows) { return sinusoids_of(positions, rows, width); });
    count = std::min(count, found);
  }
  return positions == OpennmtPositions::kHalved ? std::min(count, kTableOfFormula) : count;
}

Positions positions_of(OpennmtPositions positions) {
  switch (positions) {
    case OpennmtPositions::kInterleaved: return Positions::kSinusoidal;
    case OpennmtPositions::kHalved:
    case OpennmtPositions::kLearned: return Positions::kLearned;
    case OpennmtPositions::kBuckets: return Positions::kRelativeBias;
    case OpennmtPositions::kRotary:
    case OpennmtPositions::kRotaryHalves: return Positions::kRotary;
  }
  return Positions::kRotary;
}

/// Takes the layers and positions.
class OpennmtLayers {
 public:
  OpennmtLayers(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
                const TransformerOptions& options, BundleWeights& weights)
      : tensors_(tensors),
        names_(names),
        positions_(positions),
        options_(options),
        weights_(weights),
        layers_(tensors, options, weights, names.layers) {}

  void run() {
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      layer("encoder.layers." + std::to_string(i), names_.encoder + std::to_string(i), names_.encoder_norms);
    }
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      const std::string ours = "decoder.layers." + std::to_string(i), theirs = names_.decoder + std::to_string(i);
      layer(ours, theirs, names_.decoder_norms);
      layers_.attention(ours + ".src_attn", theirs + ".context_attn");
    }
    for (const std::string side : {"encoder", "decoder"}) layers_.norm(side + ".norm", side + ".layer_norm");
    if (positions_ == OpennmtPositions::kBuckets) {
      take_buckets("encoder", names_.encoder, options_.encoder_layers);
      take_buckets("decoder", names_.decoder, options_.decoder_layers);
    }
    take_positions("src_embed.1.pe", names_.source_positions);
    take_positions("tgt_embed.1.pe", names_.target_positions);
  }

 private:
  void layer(const std::string& ours, const std::string& theirs, const std::vector<std::string>& norms) {
    const bool halves = positions_ == OpennmtPositions::kRotaryHalves;
    layers_.attention(ours + ".self_attn", theirs + ".self_attn",
                      halves ? LayerWeights::Rotation::kHalves : LayerWeights::Rotation::kNone);
    layers_.feed_forward(ours + ".feed_forward", theirs + "." + names_.feed_forward);
    for (size_t i = 0; i < norms.size(); ++i) {
      layers_.norm(ours + ".sublayer." + std::to_string(i) + ".norm", theirs + "." + norms[i]);
    }
  }
  /// The terms of distances, which each layer has; ours has them once for each side.
  void take_buckets(const std::string& side, const std::string& theirs, int64_t count) {
    const int64_t heads = side == "decoder" ? options_.decoder_side().heads : options_.heads;
    const std::vector<int64_t> shape{options_.bucket_count(), heads};
    std::vector<float> first;
    for (int64_t i = 0; i < count; ++i) {
      const std::string name = theirs + std::to_string(i) + ".self_attn.relative_attention_bias.weight";
      std::vector<float> found = weights_.take(name, shape);
      if (i == 0)
        first = std::move(found);
      else if (found != first) {
        fail<ModelError>(tensors_.where(), ": tensor '", name,
                         "': expected the values of layer 0, which all layers of ",
                         "a side share in a model of ours, found others");
      }
    }
    weights_.set(side + ".relative_bias.weight", std::move(first));
  }
  void take_positions(const std::string& ours, const std::string& theirs) {
    if (positions_ == OpennmtPositions::kInterleaved || positions_ == OpennmtPositions::kHalved) {
      weights_.ignore(theirs);
    }
    if (options_.positions != Positions::kLearned) return;
    const int64_t width = options_.d_model;
    std::vector<float> table = positions_ == OpennmtPositions::kHalved
                                   ? sinusoids_of(positions_, options_.max_positions, width)
                                   : weights_.take(theirs, {matrix_shape(tensors_, theirs).first, width});
    table.resize(static_cast<size_t>(options_.max_positions * width));
    weights_.set(ours, std::move(table));
  }

  const TensorSource& tensors_;
  const OpennmtNames& names_;
  OpennmtPositions positions_;
  const TransformerOptions& options_;
  BundleWeights& weights_;
  LayerWeights layers_;
};

}  // namespace

void set_sizes(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
               TransformerOptions& options) {
  options.d_model = matrix_shape(tensors, names.source_table).second;
  options.encoder_layers = layers_of(tensors, names.encoder);
  options.decoder_layers = layers_of(tensors, names.decoder);
  for (const auto& [count, name] :
       {std::pair(options.encoder_layers, names.encoder), std::pair(options.decoder_layers, names.decoder)}) {
    if (count == 0) fail<ModelError>(tensors.where(), ": has no layers ", name, "0 of a Transformer");
  }
  const std::string inner = "0." + names.feed_forward + "." + names.layers.inner + ".weight";
  set_inner_widths(tensors, names.encoder + inner, names.decoder + inner, options);
  options.gated_feed_forward = any_name_ends(tensors, {std::string(".") + names.layers.gate + ".weight"});
  std::vector<std::string> biases;
  for (const char* projection : names.layers.projections) biases.push_back(std::string(projection) + ".bias");
  options.attention_bias = any_name_ends(tensors, biases);
  options.positions = positions_of(positions);
  if (positions == OpennmtPositions::kHalved && (options.d_model < 4 || options.d_model % 2 != 0)) {
    fail<ModelError>(tensors.where(), ": expected an even width of at least 4, found ", options.d_model);
  }
}

void take_opennmt(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
                  const Sides& sides, TransformerOptions& options, BundleWeights& weights,
                  std::vector<std::string>& notes) {
  if (are_rotated(positions) && options.key_width() % 2 != 0) {
    fail<ModelError>(tensors.where(), ": has rotary positions and ", options.key_width(),
                     " features in each head; expected an even number");
  }
  options.max_positions = position_count(tensors, names, positions, options.d_model);
  const bool formula = positions == OpennmtPositions::kInterleaved || positions == OpennmtPositions::kHalved;
  const double factor = formula ? std::sqrt(static_cast<double>(options.d_model)) : 1;  // only together with sinusoids
  take_tables(tensors, {names.source_table, names.target_table, "generator.weight", "generator.bias", factor, factor},
              sides, options, weights);
  OpennmtLayers(tensors, names, positions, options, weights).run();
  if (positions == OpennmtPositions::kInterleaved || positions == OpennmtPositions::kLearned) return;
  notes.push_back(fmt::format("the longest sentence has {} tokens", options.max_positions));
}

TokenList opennmt_tokens(std::vector<std::string> texts, const ConfigFile& specials, const std::string& start,
                         const std::string& where) {
  TokenList list{{std::move(texts)}, where};
  const auto row = [&](const char* key, const char* usual, const char* what) {
    return row_of_token(list.tokens.texts, specials.text(key, usual), what, where);
  };
  list.tokens.pad = row("pad_token", "<blank>", "padding");
  list.tokens.unk = row("unk_token", "<unk>", "unknown token");
  list.tokens.eos = row("eos_token", "</s>", "end of a sentence");
  list.tokens.start = row_of_token(list.tokens.texts, start, "start of the decoder", where);
  list.tokens.bos = specials.text("bos_token", "<s>");
  return list;
}

}  // namespace ventris::imports
