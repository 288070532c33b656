#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "layers/weights.h"

/// The parts of a packed model, by their names in a packed file, and the tensors of a bundle from which they are made.
/// A new kind of weights needs one line here to be packed, stored, read and turned back.
namespace ventris::layers {

/// A linear layer of a bundle: NAME.weight [outputs, inputs] and, with `bias`, NAME.bias [outputs]. A table of vectors
/// is one without a bias.
struct LinearPart {
  std::string name;
  int64_t outputs = 0;
  bool bias = false;
  std::string score =
      {};  ///< the attention block to whose score the outputs are adapted (adapt_queries); empty = to none
  const architecture::TransformerOptions* side = nullptr;  ///< with `score`: the settings of its side
};

/// A packed matrix: the outputs of some layers with the same inputs, side by side.
struct MatrixPart {
  std::string name;
  int64_t inputs = 0;
  std::vector<LinearPart> layers;  ///< a bias of zeros stands for one that is missing, unless all are missing
  bool exact = false;  ///< always in f32

  int64_t outputs() const {
    int64_t all = 0;
    for (const LinearPart& layer : layers) all += layer.outputs;
    return all;
  }
  bool bias() const {
    return std::any_of(layers.begin(), layers.end(), [](const LinearPart& layer) { return layer.bias; });
  }
};

/// A packed vector, or a small matrix that is used as it is.
struct VectorPart {
  std::string name;
  std::string tensor;  ///< its name in a bundle
  std::vector<int64_t> shape;  ///< there
  PreparedVector prepare = nullptr;  ///< what packing does to its elements; null = nothing
  const architecture::TransformerOptions* side = nullptr;  ///< with `prepare`: the settings of its side

  int64_t size() const { return model::elements_of(shape); }
};

/// Calls `visit` for the parts of `weights`, which may be const:
/// - visit.matrix(part, matrix)
/// - visit.shared(part, matrix, other): the weights are those of `other`; only the bias is its own
/// - visit.vector(part, elements)
/// - visit.layer(layers, i): layer i, which a reader appends
template <typename Weights, typename Visit>
class PackedParts {
 public:
  /// `target_positions` and `length_classes` as in ModelShape.
  PackedParts(Weights& weights, Visit& visit, int64_t target_positions = 0, int64_t length_classes = 0)
      : weights_(weights),
        encoder_(weights.options.encoder_side()),
        decoder_(weights.options.decoder_side()),
        visit_(visit),
        target_positions_(target_positions),
        length_classes_(length_classes) {}

  /// In the order of the packed file.
  void all() {
    source();
    target();
    encoder_layers();
    side_ = &decoder_;
    for (int64_t i = 0; i < side_->decoder_layers; ++i) {
      const std::string number = std::to_string(i);
      has_experts_ = side_->has_experts(i);
      decoder_layer("decoder." + number, "decoder.layers." + number, visit_.layer(weights_.decoder, i));
    }
    final_norm("encoder.norm", weights_.encoder_norm);
    final_norm("decoder.norm", weights_.decoder_norm);
    side_ = &encoder_;
    relative_bias("encoder.relative_bias", weights_.encoder_bias);
    side_ = &decoder_;
    relative_bias("decoder.relative_bias", weights_.decoder_bias);
    const bool tied = side_->tying != architecture::Tying::kNone;
    matrix_or_shared(tied, {"generator", side_->d_model, {{"generator.proj", side_->tgt_vocab, true}}},
                     weights_.generator, weights_.target.tokens);
    if (length_classes_ > 0) {
      visit_.matrix({"length", side_->d_model, {{"length.proj", length_classes_, true}}, true}, weights_.length);
    }
  }

  /// Those of the encoder.
  void encoder() {
    source();
    encoder_layers();
    final_norm("encoder.norm", weights_.encoder_norm);
    relative_bias("encoder.relative_bias", weights_.encoder_bias);
  }

  void encoder_layers() {
    for (int64_t i = 0; i < side_->encoder_layers; ++i) {
      const std::string number = std::to_string(i);
      has_experts_ = side_->has_experts(i);
      encoder_layer("encoder." + number, "encoder.layers." + number, visit_.layer(weights_.encoder, i));
    }
  }

 private:
  int64_t keys() const { return side_->heads * side_->key_width(); }
  int64_t values() const { return side_->heads * side_->value_width(); }

  void source() {
    visit_.matrix({"source.tokens", side_->d_model, {{"src_embed.0.lut", side_->src_vocab}}}, weights_.source.tokens);
    embedding("source", "src_embed", weights_.source, side_->max_positions);
  }
  void target() {
    const bool tied = side_->tying == architecture::Tying::kAll;
    matrix_or_shared(tied, {"target.tokens", side_->d_model, {{"tgt_embed.0.lut", side_->tgt_vocab}}},
                     weights_.target.tokens, weights_.source.tokens);
    embedding("target", "tgt_embed", weights_.target, target_positions_);
  }

  template <typename One, typename Other>
  void matrix_or_shared(bool shared, const MatrixPart& part, One& matrix, const Other& other) {
    if (shared) {
      visit_.shared(part, matrix, other);
    } else {
      visit_.matrix(part, matrix);
    }
  }
  template <typename One>
  void norm(const std::string& name, const std::string& tensor, One& norm) {
    visit_.vector({name + ".weight", tensor + ".weight", {side_->d_model}}, norm.weight);
    switch (side_->norm_kind) {
      case architecture::NormKind::kLayer:
        visit_.vector({name + ".bias", tensor + ".bias", {side_->d_model}}, norm.bias);
        break;
      case architecture::NormKind::kRms: break;
    }
  }
  template <typename One>
  void final_norm(const std::string& name, One& one) {
    if (side_->has_final_norm()) norm(name, name, one);
  }
  template <typename One>
  void relative_bias(const std::string& name, One& bias) {
    if (!side_->has_relative_bias()) return;
    visit_.vector({name, name + ".weight", {side_->bucket_count(), side_->heads}}, bias);
  }
  template <typename One>
  void embedding(const std::string& name, const std::string& tensor, One& embedding, int64_t positions) {
    if (side_->positions == architecture::Positions::kLearned) {
      visit_.vector({name + ".positions", tensor + ".1.pe", {1, positions, side_->d_model}}, embedding.positions);
    }
    if (side_->embedding_norm) norm(name + ".norm", tensor + ".1.norm", embedding.norm);
  }
  template <typename One>
  void score(const std::string& name, const std::string& block, One& score) {
    using architecture::AttentionScore;
    switch (side_->attention_score) {
      case AttentionScore::kCosine:
        visit_.vector({name + ".lengths", block + ".score.log_scale", {side_->heads}, lengths_of_queries, side_},
                      score.lengths);
        break;
      case AttentionScore::kAdditive:
        visit_.vector({name + ".vector", block + ".score.vector", {side_->heads, side_->key_width()}}, score.vector);
        break;
      case AttentionScore::kScaledDot:
      case AttentionScore::kDot:
      case AttentionScore::kBilinear:  // part of the projection of the queries
      case AttentionScore::kGaussian: break;
    }
  }
  template <typename One>
  void self_attention(const std::string& name, const std::string& block, One& attention, Side side) {
    using architecture::SelfAttention;
    score(name + ".score", block, attention.score);
    if (side_->self_attention == SelfAttention::kLowRank && side == Side::kEncoder) {
      const std::vector<int64_t> shape{side_->low_rank_size, side_->max_positions};
      visit_.vector({name + ".key_mixtures", block + ".key_projection", shape}, attention.key_mixtures);
      visit_.vector({name + ".value_mixtures", block + ".value_projection", shape}, attention.value_mixtures);
    }
    if (side_->self_attention == SelfAttention::kSegment) {
      visit_.matrix({name + ".distances", side_->d_model, {{block + ".r_net", keys()}}, true}, attention.distances);
      visit_.vector({name + ".content_bias", block + ".r_w_bias", {keys()}, scaled_queries, side_},
                    attention.content_bias);
      visit_.vector({name + ".distance_bias", block + ".r_r_bias", {keys()}, scaled_queries, side_},
                    attention.distance_bias);
    }
  }
  template <typename One>
  void feed_forward(const std::string& name, const std::string& block, One& part) {
    visit_.matrix({name + ".w_1", side_->d_model, {{block + ".w_1", side_->d_ff, true}}}, part.w_1);
    visit_.matrix({name + ".w_2", side_->d_ff, {{block + ".w_2", side_->d_model, true}}}, part.w_2);
    if (!side_->gated_feed_forward) return;
    visit_.matrix({name + ".w_3", side_->d_model, {{block + ".w_3", side_->d_ff, true}}}, part.w_3);
  }
  template <typename One>
  void experts(const std::string& name, const std::string& block, One& part) {
    visit_.matrix({name + ".router", side_->d_model, {{block + ".router", side_->experts}}, /*exact=*/true},
                  part.router);
    for (int64_t i = 0; i < side_->experts; ++i) {
      const std::string number = std::to_string(i);
      feed_forward(name + ".expert." + number, block + ".experts." + number, visit_.layer(part.experts, i));
    }
  }
  /// What encoder and decoder layers both have. Block: the layer in a bundle.
  template <typename Layer>
  void layer(const std::string& name, const std::string& block, Layer& layer, int64_t norms) {
    if (has_experts_) {
      experts(name, block + ".feed_forward", layer.feed_forward);
    } else {
      feed_forward(name, block + ".feed_forward", layer.feed_forward);
    }
    for (int64_t i = 0; i < norms; ++i) {
      const std::string number = std::to_string(i);
      norm(name + ".norm." + number, block + ".sublayer." + number + ".norm", visit_.layer(layer.norms, i));
    }
  }
  /// The projections of an attention block.
  LinearPart queries(const std::string& block, const std::string& score) const {
    return {block + ".linears.0", keys(), side_->attention_bias, score, side_};
  }
  LinearPart keys(const std::string& block) const { return {block + ".linears.1", keys(), side_->attention_bias, {}}; }
  LinearPart values(const std::string& block) const {
    return {block + ".linears.2", values(), side_->attention_bias, {}};
  }
  LinearPart output(const std::string& block) const {
    return {block + ".linears.3", side_->d_model, side_->attention_bias, {}};
  }

  template <typename Layer>
  void projections(const std::string& name, const std::string& block, Layer& layer) {
    // Linear self-attention has no scores: it takes features of the queries as they are.
    const bool scores = side_->self_attention != architecture::SelfAttention::kLinear;
    visit_.matrix({name + ".query_key_value",
                   side_->d_model,
                   {queries(block, scores ? block : std::string()), keys(block), values(block)}},
                  layer.query_key_value);
    visit_.matrix({name + ".output", values(), {output(block)}}, layer.output);
  }
  template <typename Layer>
  void encoder_layer(const std::string& name, const std::string& block, Layer& encoder_layer) {
    projections(name, block + ".self_attn", encoder_layer);
    layer(name, block, encoder_layer, 2);
    self_attention(name, block + ".self_attn", encoder_layer.self_attention, Side::kEncoder);
  }
  template <typename Layer>
  void decoder_layer(const std::string& name, const std::string& block, Layer& decoder_layer) {
    if (side_->has_ssru()) {
      const int64_t width = side_->d_model;
      visit_.matrix({name + ".ssru", width, {{block + ".ssru.input", width}, {block + ".ssru.forget", width, true}}},
                    decoder_layer.ssru);
      layer(name, block, decoder_layer, 3);
    } else {
      projections(name, block + ".self_attn", decoder_layer);
      layer(name, block, decoder_layer, 3);
      self_attention(name, block + ".self_attn", decoder_layer.self_attention, Side::kDecoder);
    }
    source_attention(name, block + ".src_attn", decoder_layer);
    if (side_->cross_attention == architecture::CrossAttention::kWeighted) {
      visit_.vector({name + ".mixture", block + ".src_mixture", {side_->encoder_layers}, softmax, side_},
                    decoder_layer.mixture);
    }
  }
  template <typename Layer>
  void source_attention(const std::string& name, const std::string& block, Layer& layer) {
    score(name + ".source_score", block, layer.source_score);
    visit_.matrix({name + ".source_query", side_->d_model, {queries(block, block)}}, layer.source_query);
    visit_.matrix({name + ".source_key_value", side_->d_model, {keys(block), values(block)}}, layer.source_key_value);
    visit_.matrix({name + ".source_output", values(), {output(block)}}, layer.source_output);
  }

  Weights& weights_;
  const architecture::TransformerOptions encoder_, decoder_;
  const architecture::TransformerOptions* side_ = &encoder_;  // of which the parts are
  bool has_experts_ = false;  // the layer whose parts are visited
  Visit& visit_;
  int64_t target_positions_, length_classes_;
};

}  // namespace ventris::layers
