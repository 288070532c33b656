#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "architecture/architecture.h"
#include "architecture/tying.h"

namespace ventris::architecture {

enum class NormPlace { kPre, kPost };    ///< layer norm before each block (plus a final one), or after each
enum class NormKind { kLayer, kRms };    ///< layer norm, or RMSNorm (Zhang and Sennrich 2019)
/// kGelu is exact; kGeluTanh is its approximation by tanh, and kGeluSigmoid that by x sigmoid(1.702 x) (Hendrycks and
/// Gimpel 2016).
enum class Activation { kRelu, kGelu, kSilu, kGeluTanh, kGeluSigmoid };
/// Position vectors: fixed, in one of two layouts (architecture/sinusoids.h), or trained, and added to the embeddings;
/// or none, but distances in self-attention, which only SelfAttention::kSegment has; or none, but queries and keys of
/// self-attention that are rotated by their positions (Su et al. 2021); or none, but trained terms of the scores of
/// self-attention, one for each head and bucket of distances, which all layers of a side share (Raffel et al. 2020).
enum class Positions { kSinusoidal, kHalvedSinusoidal, kLearned, kRelative, kRotary, kRelativeBias };

/// What each decoder layer sees of the source: the last encoder layer, the mean of all, the one that attended_layer()
/// names, or a mixture of all with learned weights. docs/attention.md has the formulas of this and of the next.
enum class CrossAttention { kLast, kMean, kLayerwise, kWeighted };
/// The score of a query and a key, of which softmax makes the attention weights.
enum class AttentionScore { kScaledDot, kDot, kCosine, kBilinear, kAdditive, kGaussian };

/// Which positions self-attention looks at, and at what cost: all; those within `window`, and a few global ones; all,
/// with a sum instead of a softmax; all of the source, projected to `low_rank_size` positions (encoder only); those of
/// the same segment of `segment` positions, and the `segment_memory` before it; or, in the decoder only, none, but an
/// SSRU in its place (Kim et al. 2019).
enum class SelfAttention { kFull, kWindow, kLinear, kLowRank, kSegment, kSsru };

/// The name of a score in settings files.
std::string name_of(AttentionScore score);

/// Settings of a Transformer. The defaults are the sizes of the base model of Vaswani et al. 2017, with pre-norm.
struct TransformerOptions {
  int64_t src_vocab = 0;  ///< size with all special tokens; comes from the tokenizers
  int64_t tgt_vocab = 0;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  int64_t d_model = 512;  ///< width between blocks, a multiple of `heads` unless d_k and d_v are given
  int64_t d_ff = 2048;    ///< width inside a feed-forward block
  int64_t heads = 8;
  int64_t decoder_d_ff = 0;   ///< d_ff of the decoder; 0 = d_ff
  int64_t decoder_heads = 0;  ///< of both attentions of a decoder layer; 0 = heads
  double dropout = 0.1;  ///< in [0, 1); after each block, as in the paper, and wherever the settings below are empty
  std::optional<double> attention_dropout = {};  ///< of attention weights (the paper: 0); empty = dropout
  std::optional<double> activation_dropout = {};  ///< inside feed-forward blocks (the paper: 0); empty = dropout
  std::optional<double> embedding_dropout = {};  ///< of embedding + position, as in the paper; empty = dropout
  NormPlace norm = NormPlace::kPre;
  bool final_norm = false;  ///< kPost: a norm after the last layer of each side, too, as in torch.nn.Transformer
  NormKind norm_kind = NormKind::kLayer;  ///< of all norms
  Activation activation = Activation::kRelu;
  bool gated_feed_forward = false;  ///< w_2(activation(w_1(x)) * w_3(x)) instead of w_2(activation(w_1(x)))
  Positions positions = Positions::kSinusoidal;
  int64_t max_positions = 1024;  ///< maximum length of a sequence, in tokens with bos or eos
  Tying tying = Tying::kAll;  ///< kAll needs src_vocab = tgt_vocab
  bool zero_start = false;  ///< the row of bos in the target embedding is zero and is not trained, as in Marian
  CrossAttention cross_attention = CrossAttention::kLast;
  AttentionScore attention_score = AttentionScore::kScaledDot;
  bool attention_bias = true;   ///< of the four projections of an attention block
  int64_t d_k = 0;              ///< features of a query or key in each head; 0 = d_model / heads
  int64_t d_v = 0;              ///< features of a value in each head; 0 = d_model / heads
  bool embedding_norm = false;  ///< a layer norm of embedding + position
  bool scale_embeddings = true;  ///< token vectors are multiplied by sqrt(d_model), as in the paper
  SelfAttention self_attention = SelfAttention::kFull;  ///< of both sides; kLowRank: the decoder's is kFull; kSsru:
                                                        ///< the encoder's is
  int64_t window = 0;  ///< kWindow: positions to each side, at least 1
  int64_t global_positions = 0;  ///< kWindow: the first positions, which see all and are seen by all
  int64_t low_rank_size = 0;  ///< kLowRank: positions that keys and values are projected to, at least 1
  int64_t segment = 0;  ///< kSegment: positions of a segment, at least 1
  int64_t segment_memory = 0;  ///< kSegment: positions before a segment that it sees, too
  int64_t relative_buckets = 0;  ///< kRelativeBias: buckets of distances; 0 = kUsualBuckets
  int64_t relative_max_distance = 0;  ///< kRelativeBias: larger distances are in one bucket; 0 = kUsualDistance
  int64_t experts =
      0;  ///< feed-forward parts of a layer, of which each position takes some; 0 = one, for all positions
  int64_t experts_per_token = 1;  ///< with experts: how many a position takes, 1 or 2
  int64_t expert_interval = 1;  ///< with experts: every layer has them (1), every second one (2), ...
  double expert_balance = 0.01;  ///< in training, the weight of the loss that spreads positions over the experts
  double norm_epsilon = 1e-5;  ///< added to the variance in layer norms

  static constexpr int64_t kUsualBuckets = 32, kUsualDistance = 128;  ///< those of T5

  /// What token vectors are multiplied with.
  double embedding_factor() const { return scale_embeddings ? std::sqrt(static_cast<double>(d_model)) : 1; }
  bool has_final_norm() const { return norm == NormPlace::kPre || final_norm; }
  /// Whether a layer of encoder or decoder, counted from 0, has experts: with an interval of 2, the second, the fourth
  /// ...
  bool has_experts(int64_t layer) const { return experts > 0 && (layer + 1) % expert_interval == 0; }
  bool has_ssru() const { return self_attention == SelfAttention::kSsru; }
  bool has_relative_bias() const { return positions == Positions::kRelativeBias; }
  int64_t bucket_count() const { return relative_buckets > 0 ? relative_buckets : kUsualBuckets; }
  int64_t bucket_distance() const { return relative_max_distance > 0 ? relative_max_distance : kUsualDistance; }
  int64_t key_width() const { return d_k > 0 ? d_k : d_model / heads; }  ///< d_k, or what it stands for
  int64_t value_width() const { return d_v > 0 ? d_v : d_model / heads; }  ///< d_v, or what it stands for

  /// The settings of a side as if the other side had the same widths: `heads` and `d_ff` are its own.
  TransformerOptions encoder_side() const;
  TransformerOptions decoder_side() const;
};

/// What decoder_heads or decoder_d_ff is for a number of each side.
inline int64_t decoder_setting(int64_t encoder, int64_t decoder) { return decoder == encoder ? 0 : decoder; }

/// The encoder layer that a decoder layer sees with CrossAttention::kLayerwise; both are counted from 0. The decoder
/// layers are spread evenly, and the last one sees the last encoder layer: counted from 1, decoder layer i of M sees
/// encoder layer ceil(i * N / M) of N.
int64_t attended_layer(const TransformerOptions& options, int64_t decoder_layer);

/// Throws ConfigError for settings that do not fit together. `reader` names them.
void check(const TransformerOptions& options, const core::JsonReader& reader);

/// The names and shapes of the parameters of families/transformer.h. The target has `tgt_positions` positions.
void each_transformer_tensor(const TransformerOptions& options, int64_t tgt_positions,
                             const Architecture::TensorVisitor& visit);

/// "architecture": "transformer".
class TransformerArchitecture : public Architecture {
 public:
  explicit TransformerArchitecture(const TransformerOptions& settings = {}) : options(settings) {}

  std::string family() const override { return "transformer"; }
  nlohmann::json to_json() const override;
  std::vector<core::SettingDescription> describe() const override;
  int64_t src_vocab() const override { return options.src_vocab; }
  int64_t tgt_vocab() const override { return options.tgt_vocab; }
  ArchitecturePtr with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const override;
  SourceAttention guidable_attention() const override { return {options.decoder_layers, options.decoder_side().heads}; }
  int64_t max_length() const override { return options.max_positions; }
  int64_t width() const override { return options.d_model; }
  std::string source_embedding() const override { return "src_embed.0.lut.weight"; }
  std::string target_embedding() const override { return "tgt_embed.0.lut.weight"; }
  bool takes_encoder_of(const Architecture& other) const override;
  void check_tokenizers(bool shared) const override { check_tied_tokenizers(options.tying, shared); }
  void each_tensor(const TensorVisitor& visit) const override;

  TransformerOptions options;
};

}  // namespace ventris::architecture
