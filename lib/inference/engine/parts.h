#pragma once
#include <cstdint>
#include <string>

#include "layers/weights.h"

/// The parts of a packed model, by name. A new kind of weights needs one line here to be stored in packed files.
namespace ventris::engine {

using layers::Side;

/// Calls `visit` for every part of `weights`, which may be const, in the order of the packed file:
/// - visit.matrix(name, matrix, n, k, has_bias)
/// - visit.exact(name, matrix, n, k, has_bias): always in f32
/// - visit.shared(name, matrix, other, n, has_bias): the weights are those of `other`; only the bias is its own
/// - visit.vector(name, elements, size)
/// - visit.layer(layers, i): layer i, which a reader appends
template <typename Weights, typename Visit>
class PartVisitor {
 public:
  /// `target_positions` and `length_classes` as in ModelShape.
  PartVisitor(Weights& weights, Visit& visit, int64_t target_positions, int64_t length_classes)
      : weights_(weights),
        options_(weights.options),
        visit_(visit),
        target_positions_(target_positions),
        length_classes_(length_classes) {}

  void all() {
    const bool tied = options_.tying != architecture::Tying::kNone;
    const bool all_tied = options_.tying == architecture::Tying::kAll;
    visit_.matrix("source.tokens", weights_.source.tokens, options_.src_vocab, options_.d_model, false);
    embedding("source", weights_.source, options_.max_positions);
    matrix_or_shared(all_tied, "target.tokens", weights_.target.tokens, weights_.source.tokens, false);
    embedding("target", weights_.target, target_positions_);
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      encoder_layer("encoder." + std::to_string(i), visit_.layer(weights_.encoder, i));
    }
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      decoder_layer("decoder." + std::to_string(i), visit_.layer(weights_.decoder, i));
    }
    if (options_.has_final_norm()) {
      norm("encoder.norm", weights_.encoder_norm);
      norm("decoder.norm", weights_.decoder_norm);
    }
    if (options_.has_relative_bias()) {
      const int64_t size = options_.bucket_count() * options_.heads;
      visit_.vector("encoder.relative_bias", weights_.encoder_bias, size);
      visit_.vector("decoder.relative_bias", weights_.decoder_bias, size);
    }
    matrix_or_shared(tied, "generator", weights_.generator, weights_.target.tokens, true);
    if (length_classes_ > 0) visit_.exact("length", weights_.length, length_classes_, options_.d_model, true);
  }

 private:
  int64_t keys() const { return options_.heads * options_.key_width(); }
  int64_t values() const { return options_.heads * options_.value_width(); }

  /// A matrix [tgt_vocab, d_model].
  template <typename One, typename Other>
  void matrix_or_shared(bool shared, const std::string& name, One& matrix, const Other& other, bool has_bias) {
    if (shared) {
      visit_.shared(name, matrix, other, options_.tgt_vocab, has_bias);
    } else {
      visit_.matrix(name, matrix, options_.tgt_vocab, options_.d_model, has_bias);
    }
  }
  template <typename One>
  void norm(const std::string& name, One& norm) {
    visit_.vector(name + ".weight", norm.weight, options_.d_model);
    if (options_.norm_kind == architecture::NormKind::kLayer) {
      visit_.vector(name + ".bias", norm.bias, options_.d_model);
    }
  }
  template <typename One>
  void embedding(const std::string& name, One& embedding, int64_t positions) {
    if (options_.positions == architecture::Positions::kLearned) {
      visit_.vector(name + ".positions", embedding.positions, positions * options_.d_model);
    }
    if (options_.embedding_norm) norm(name + ".norm", embedding.norm);
  }
  template <typename One>
  void score(const std::string& name, One& score) {
    using architecture::AttentionScore;
    if (options_.attention_score == AttentionScore::kCosine) {
      visit_.vector(name + ".lengths", score.lengths, options_.heads);
    }
    if (options_.attention_score == AttentionScore::kAdditive) visit_.vector(name + ".vector", score.vector, keys());
  }
  template <typename One>
  void self_attention(const std::string& name, One& attention, Side side) {
    using architecture::SelfAttention;
    score(name + ".score", attention.score);
    if (options_.self_attention == SelfAttention::kLowRank && side == Side::kEncoder) {
      const int64_t size = options_.low_rank_size * options_.max_positions;
      visit_.vector(name + ".key_mixtures", attention.key_mixtures, size);
      visit_.vector(name + ".value_mixtures", attention.value_mixtures, size);
    }
    if (options_.self_attention == SelfAttention::kSegment) {
      visit_.exact(name + ".distances", attention.distances, keys(), options_.d_model, false);
      visit_.vector(name + ".content_bias", attention.content_bias, keys());
      visit_.vector(name + ".distance_bias", attention.distance_bias, keys());
    }
  }
  template <typename One>
  void feed_forward(const std::string& name, One& block) {
    visit_.matrix(name + ".w_1", block.w_1, options_.d_ff, options_.d_model, true);
    visit_.matrix(name + ".w_2", block.w_2, options_.d_model, options_.d_ff, true);
    if (options_.gated_feed_forward) visit_.matrix(name + ".w_3", block.w_3, options_.d_ff, options_.d_model, true);
  }
  /// What encoder and decoder layers both have.
  template <typename Layer>
  void layer(const std::string& name, Layer& layer, int64_t norms) {
    feed_forward(name, layer.feed_forward);
    for (int64_t i = 0; i < norms; ++i) norm(name + ".norm." + std::to_string(i), visit_.layer(layer.norms, i));
  }
  template <typename Layer>
  void projections(const std::string& name, Layer& layer) {
    const bool bias = options_.attention_bias;
    visit_.matrix(name + ".query_key_value", layer.query_key_value, 2 * keys() + values(), options_.d_model, bias);
    visit_.matrix(name + ".output", layer.output, options_.d_model, values(), bias);
  }
  template <typename Layer>
  void encoder_layer(const std::string& name, Layer& encoder_layer) {
    projections(name, encoder_layer);
    layer(name, encoder_layer, 2);
    self_attention(name, encoder_layer.self_attention, Side::kEncoder);
  }
  template <typename Layer>
  void decoder_layer(const std::string& name, Layer& decoder_layer) {
    const bool bias = options_.attention_bias;
    if (options_.has_ssru()) {
      visit_.matrix(name + ".ssru", decoder_layer.ssru, 2 * options_.d_model, options_.d_model, true);
      layer(name, decoder_layer, 3);
    } else {
      projections(name, decoder_layer);
      layer(name, decoder_layer, 3);
      self_attention(name, decoder_layer.self_attention, Side::kDecoder);
    }
    score(name + ".source_score", decoder_layer.source_score);
    visit_.matrix(name + ".source_query", decoder_layer.source_query, keys(), options_.d_model, bias);
    visit_.matrix(name + ".source_key_value", decoder_layer.source_key_value, keys() + values(), options_.d_model,
                  bias);
    visit_.matrix(name + ".source_output", decoder_layer.source_output, options_.d_model, values(), bias);
    if (options_.cross_attention == architecture::CrossAttention::kWeighted) {
      visit_.vector(name + ".mixture", decoder_layer.mixture, options_.encoder_layers);
    }
  }

  Weights& weights_;
  const architecture::TransformerOptions& options_;
  Visit& visit_;
  int64_t target_positions_, length_classes_;
};

}  // namespace ventris::engine
