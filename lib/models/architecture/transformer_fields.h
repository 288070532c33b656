#pragma once
#include <cstdint>

#include "architecture/family_fields.h"
#include "architecture/transformer_options.h"

/// The settings of a Transformer, for the visitors of family_fields.h. Families that consist of its layers have them,
/// too.
namespace ventris::architecture {

inline const core::Choices<NormPlace>& norms() {
  static const core::Choices<NormPlace> all{{"pre", NormPlace::kPre}, {"post", NormPlace::kPost}};
  return all;
}
inline const core::Choices<NormKind>& norm_kinds() {
  static const core::Choices<NormKind> all{{"layer", NormKind::kLayer}, {"rms", NormKind::kRms}};
  return all;
}
inline const core::Choices<Activation>& activations() {
  static const core::Choices<Activation> all{{"relu", Activation::kRelu},
                                             {"gelu", Activation::kGelu},
                                             {"silu", Activation::kSilu},
                                             {"gelu_tanh", Activation::kGeluTanh},
                                             {"gelu_sigmoid", Activation::kGeluSigmoid}};
  return all;
}
inline const core::Choices<Positions>& positions() {
  static const core::Choices<Positions> all{
      {"sinusoidal", Positions::kSinusoidal}, {"sinusoidal_halves", Positions::kHalvedSinusoidal},
      {"learned", Positions::kLearned},       {"relative", Positions::kRelative},
      {"rotary", Positions::kRotary},         {"relative_bias", Positions::kRelativeBias}};
  return all;
}
inline const core::Choices<CrossAttention>& cross_attentions() {
  static const core::Choices<CrossAttention> all{{"last", CrossAttention::kLast},
                                                 {"mean", CrossAttention::kMean},
                                                 {"layerwise", CrossAttention::kLayerwise},
                                                 {"weighted", CrossAttention::kWeighted}};
  return all;
}
inline const core::Choices<AttentionScore>& attention_scores() {
  static const core::Choices<AttentionScore> all{
      {"scaled_dot", AttentionScore::kScaledDot}, {"dot", AttentionScore::kDot},
      {"cosine", AttentionScore::kCosine},        {"bilinear", AttentionScore::kBilinear},
      {"additive", AttentionScore::kAdditive},    {"gaussian", AttentionScore::kGaussian}};
  return all;
}

inline const core::Choices<SelfAttention>& self_attentions() {
  static const core::Choices<SelfAttention> all{
      {"full", SelfAttention::kFull},        {"window", SelfAttention::kWindow},   {"linear", SelfAttention::kLinear},
      {"low_rank", SelfAttention::kLowRank}, {"segment", SelfAttention::kSegment}, {"ssru", SelfAttention::kSsru}};
  return all;
}

inline constexpr int64_t kMostExperts = 1024;
inline constexpr int64_t kMostPositions = 1 << 16;  // each takes memory, even if no stored tensor has this size

/// The settings of the variants in docs/attention.md.
template <typename V, typename Options>
void transformer_attention_fields(V& visit, Options& options) {
  visit({"cross_attention",
         "What the decoder layers see of the source: the output of the encoder (`last`), the mean of its layers "
         "(`mean`), one encoder layer for each decoder layer (`layerwise`), or a mixture of all with weights that each "
         "decoder layer learns (`weighted`). See [attention.md](attention.md)."},
        options.cross_attention, cross_attentions());
  visit({"attention_score",
         "How attention compares queries with keys. All but `scaled_dot` take more time and memory in training. See "
         "[attention.md](attention.md)."},
        options.attention_score, attention_scores());
  visit({"attention_bias", "Whether the projections of queries, keys, values and results have a bias."},
        options.attention_bias);
  visit.size({"d_k", "Features of a query or key in each head. 0 is `d_model` / `heads`."}, options.d_k, 0);
  visit.size(
      {"d_v",
       "Features of a value in each head. 0 is `d_model` / `heads`. Training takes more time and memory if it is "
       "not as large as `d_k`."},
      options.d_v, 0);
  visit({"embedding_norm", "Layer normalisation of the sum of embedding and position, before its dropout."},
        options.embedding_norm);
  visit({"scale_embeddings", "Multiplies the vectors of tokens by the square root of `d_model`, as in the paper."},
        options.scale_embeddings);
  visit({"norm_epsilon", "Added to the variance in layer norms."}, options.norm_epsilon, {.least = 0, .over = 0});
}

/// The settings for long inputs, for buckets of distances and for the first token. Only for decoders that write token
/// by token.
template <typename V, typename Options>
void long_input_fields(V& visit, Options& options) {
  visit({"zero_start",
         "The decoder starts with a vector of zeros instead of a trained one, as Marian's does. "
         "`ventris-export --format marian` needs it."},
        options.zero_start);
  visit({"self_attention",
         "What self-attention computes: all positions with all (`full`), each with its neighbours (`window`), all with "
         "all by sums instead of a softmax (`linear`), all with a fixed number of mixtures, in the encoder only "
         "(`low_rank`), or each with its segment and a memory of the positions before it (`segment`). All but `full` "
         "take time and memory in proportion to the length. `ssru` replaces the self-attention of the decoder by a "
         "simple recurrent unit, which decodes fast; that of the encoder is `full`. See "
         "[attention.md](attention.md#long-inputs)."},
        options.self_attention, self_attentions());
  visit.size({"window", "For `window`: how many positions to each side a position sees, from 1 to `max_positions`."},
             options.window, 0);
  visit.size({"global_positions",
              "For `window`: how many positions at the beginning see all others and are seen by all, at most "
              "`max_positions`."},
             options.global_positions, 0);
  visit.size(
      {"low_rank_size", "For `low_rank`: the number of mixtures of keys and of values, from 1 to `max_positions`."},
      options.low_rank_size, 0);
  visit.size({"segment", "For `segment`: how many positions a segment has, from 1 to `max_positions`."},
             options.segment, 0);
  visit.size({"segment_memory",
              "For `segment`: how many positions before its segment a position sees, at most `max_positions`. No "
              "gradient flows through them."},
             options.segment_memory, 0);
  visit.size(
      {"relative_buckets",
       "For `positions` `relative_bias`: how many buckets of distances there are, an even number from 4. Half of "
       "those of the encoder are for positions after the query. 0 is 32."},
      options.relative_buckets, 0, kMostPositions);
  visit.size(
      {"relative_max_distance",
       "For `positions` `relative_bias`: from this distance on, all are in one bucket, in tokens. More than half "
       "of `relative_buckets`. 0 is 128."},
      options.relative_max_distance, 0, kMostPositions);
}

/// The settings of experts. Only for decoders that write token by token.
template <typename V, typename Options>
void expert_fields(V& visit, Options& options) {
  visit.size({"experts",
              "[Mixture of experts](training.md#mixture-of-experts): so many feed-forward parts in a layer, of which a "
              "router chooses some for each token. At least 2, or 0 for a single part that all tokens take."},
             options.experts, 0, kMostExperts);
  visit.size({"experts_per_token", "With `experts`: how many of them a token takes, 1 or 2."},
             options.experts_per_token, 1, 2);
  visit.size({"expert_interval",
              "With `experts`: which layers have them: all (1), every second one (2), and so on. The other layers have "
              "a single part."},
             options.expert_interval);
  visit({"expert_balance",
         "With `experts`: the weight of the loss that makes the router use all of them (Fedus et al. 2021)."},
        options.expert_balance, {.least = 0});
}

/// The sizes of a Transformer.
template <typename V, typename Options>
void transformer_size_fields(V& visit, Options& options) {
  visit.size({"d_model",
              "Width of the model: features of each position between the layers. A multiple of `heads`, unless `d_k` "
              "and `d_v` are given."},
             options.d_model);
  visit.size({"d_ff", "Features inside the feed-forward part of a layer."}, options.d_ff);
  visit.size({"heads", "Attention heads. Each has `d_model` / `heads` features, unless `d_k` and `d_v` are given."},
             options.heads);
  visit.size({"decoder_d_ff", "`d_ff` of the decoder, if it is another. 0 is `d_ff`."}, options.decoder_d_ff, 0);
  visit.size({"decoder_heads",
              "Heads of the decoder, in its self-attention and its attention to the source, if it has another number "
              "of them. 0 is `heads`."},
             options.decoder_heads, 0);
  visit.size({"encoder_layers", "Layers of the encoder."}, options.encoder_layers);
  visit.size({"decoder_layers", "Layers of the decoder."}, options.decoder_layers);
  visit.size({"max_positions",
              "Longest sequence that the model can take, in tokens, with bos or eos. `data.max_length` must be less."},
             options.max_positions, 8, kMostPositions);
}

/// Its rates of dropout.
template <typename V, typename Options>
void transformer_dropout_fields(V& visit, Options& options) {
  visit.dropout({"dropout",
                 "Probability of dropout of the output of each part of a layer. It is also the default of the three "
                 "settings below."},
                options.dropout);
  visit.dropout({"attention_dropout", "Dropout of attention weights. If it is not given, `dropout` applies."},
                options.attention_dropout);
  visit.dropout(
      {"activation_dropout", "Dropout inside the feed-forward part of a layer. If it is not given, `dropout` applies."},
      options.activation_dropout);
  visit.dropout(
      {"embedding_dropout", "Dropout of the sum of embedding and position. If it is not given, `dropout` applies."},
      options.embedding_dropout);
}

/// Every setting; `visit` is one of the visitors of family_fields.h.
template <typename V, typename Options>
void transformer_fields(V& visit, Options& options) {
  transformer_size_fields(visit, options);
  transformer_dropout_fields(visit, options);
  visit({"norm",
         "Layer normalisation before each part of a layer, with a final one in encoder and decoder (`pre`), or after "
         "it, as in Vaswani et al. 2017 (`post`)."},
        options.norm, norms());
  visit(
      {"final_norm",
       "With `norm` `post`: another norm after the last layer of encoder and decoder, as torch.nn.Transformer has it. "
       "With `pre`, there always is one."},
      options.final_norm);
  visit({"norm_kind",
         "Layer normalisation (`layer`), or RMSNorm (`rms`), which divides by the root mean square and has no bias."},
        options.norm_kind, norm_kinds());
  visit(
      {"activation",
       "Activation function of the feed-forward part of a layer. `gelu_tanh` and `gelu_sigmoid` are approximations of "
       "`gelu` that some models have."},
      options.activation, activations());
  visit({"gated_feed_forward",
         "Multiplies what the activation function returns with a second projection of the input, so that a "
         "feed-forward part has three matrices instead of two (gated linear units)."},
        options.gated_feed_forward);
  visit(
      {"positions",
       "Vectors of the positions: fixed (`sinusoidal`, or `sinusoidal_halves` with the frequencies and the order of "
       "Marian) or trained (`learned`). `rotary` has no vectors: self-attention "
       "rotates queries and keys by their positions. It needs `self_attention` `full` and `attention_score` "
       "`scaled_dot`. `relative_bias` has no vectors: each head of self-attention adds a trained number to a score, "
       "which "
       "depends on the distance of query and key, as in T5. It needs the same, and trains slower on a CPU. `relative` "
       "has "
       "no vectors, but attention scores that depend on distances. `self_attention` `segment` needs it, and it works "
       "only there. None of these three works in `transformer-nat`."},
      options.positions, positions());
  visit({"tying",
         "Weights that are shared: none, target embedding and generator (`decoder`), or these two and the source "
         "embedding (`all`). `all` needs one tokenizer for both sides."},
        options.tying, tyings());
  transformer_attention_fields(visit, options);
}

}  // namespace ventris::architecture
