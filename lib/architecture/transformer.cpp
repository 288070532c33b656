#include "architecture/transformer.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "architecture/fields.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::Choices;
using core::JsonReader;
using nlohmann::json;

const Choices<NormPlace>& norms() {
  static const Choices<NormPlace> all{{"pre", NormPlace::kPre}, {"post", NormPlace::kPost}};
  return all;
}
const Choices<Activation>& activations() {
  static const Choices<Activation> all{{"relu", Activation::kRelu}, {"gelu", Activation::kGelu}};
  return all;
}
const Choices<Positions>& positions() {
  static const Choices<Positions> all{{"sinusoidal", Positions::kSinusoidal}, {"learned", Positions::kLearned}};
  return all;
}
const Choices<CrossAttention>& cross_attentions() {
  static const Choices<CrossAttention> all{{"last", CrossAttention::kLast},
                                           {"mean", CrossAttention::kMean},
                                           {"layerwise", CrossAttention::kLayerwise},
                                           {"weighted", CrossAttention::kWeighted}};
  return all;
}
const Choices<AttentionScore>& attention_scores() {
  static const Choices<AttentionScore> all{
      {"scaled_dot", AttentionScore::kScaledDot}, {"dot", AttentionScore::kDot},
      {"cosine", AttentionScore::kCosine},        {"bilinear", AttentionScore::kBilinear},
      {"additive", AttentionScore::kAdditive},    {"gaussian", AttentionScore::kGaussian}};
  return all;
}

constexpr int64_t kMostPositions = 1 << 16;  // each takes memory, even if no stored tensor has this size

/// The settings of the variants in docs/attention.md.
template <typename V, typename Options>
void attention_fields(V& visit, Options& options) {
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
}

/// Every setting; `visit` is one of the visitors of fields.h.
template <typename V, typename Options>
void fields(V& visit, Options& options) {
  visit.size({"d_model",
              "Width of the model: features of each position between the layers. A multiple of `heads`, unless `d_k` "
              "and `d_v` are given."},
             options.d_model);
  visit.size({"d_ff", "Features inside the feed-forward part of a layer."}, options.d_ff);
  visit.size({"heads", "Attention heads. Each has `d_model` / `heads` features, unless `d_k` and `d_v` are given."},
             options.heads);
  visit.size({"encoder_layers", "Layers of the encoder."}, options.encoder_layers);
  visit.size({"decoder_layers", "Layers of the decoder."}, options.decoder_layers);
  visit.size({"max_positions",
              "Longest sequence that the model can take, in tokens, with bos or eos. `data.max_length` must be less."},
             options.max_positions, 8, kMostPositions);
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
  visit({"norm",
         "Layer normalisation before each part of a layer, with a final one in encoder and decoder (`pre`), or after "
         "it, as in Vaswani et al. 2017 (`post`)."},
        options.norm, norms());
  visit({"activation", "Activation function of the feed-forward part of a layer."}, options.activation, activations());
  visit({"positions", "Vectors of the positions: fixed (`sinusoidal`) or trained (`learned`)."}, options.positions,
        positions());
  visit({"tying",
         "Weights that are shared: none, target embedding and generator (`decoder`), or these two and the source "
         "embedding (`all`). `all` needs one tokenizer for both sides."},
        options.tying, tyings());
  attention_fields(visit, options);
}

TransformerOptions read_options(JsonReader& reader) {
  TransformerOptions options;
  SettingsReader visit(reader);
  fields(visit, options);
  if (options.d_model % options.heads != 0 && (options.d_k == 0 || options.d_v == 0)) {
    fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", options.heads, "), got ",
                      options.d_model, "; change one of them, or give both d_k and d_v");
  }
  return options;
}

/// Names and shapes of the parameters, in the order in which the modules of families/transformer.h register them.
class TensorList {
 public:
  TensorList(const TransformerOptions& options, const Architecture::TensorVisitor& visit)
      : options_(options), visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out, bool bias = true) const {
    visit_(name + ".weight", {out, in});
    if (bias) visit_(name + ".bias", {out});
  }
  void norm(const std::string& name) const {
    visit_(name + ".weight", {options_.d_model});
    visit_(name + ".bias", {options_.d_model});
  }
  void attention(const std::string& name) const {
    const int64_t d_model = options_.d_model, keys = options_.heads * options_.key_width(),
                  values = options_.heads * options_.value_width();
    linear(name + ".linears.0", d_model, keys, options_.attention_bias);
    linear(name + ".linears.1", d_model, keys, options_.attention_bias);
    linear(name + ".linears.2", d_model, values, options_.attention_bias);
    linear(name + ".linears.3", values, d_model, options_.attention_bias);
    score(name + ".score");
  }
  void score(const std::string& name) const {
    const int64_t heads = options_.heads, width = options_.key_width();
    if (options_.attention_score == AttentionScore::kCosine) visit_(name + ".log_scale", {heads});
    if (options_.attention_score == AttentionScore::kBilinear) visit_(name + ".weight", {heads, width, width});
    if (options_.attention_score == AttentionScore::kAdditive) visit_(name + ".vector", {heads, width});
  }
  void layer(const std::string& name, bool decoder) const {
    if (decoder && options_.cross_attention == CrossAttention::kWeighted) {
      visit_(name + ".src_mixture", {options_.encoder_layers});
    }
    attention(name + ".self_attn");
    if (decoder) attention(name + ".src_attn");
    linear(name + ".feed_forward.w_1", options_.d_model, options_.d_ff);
    linear(name + ".feed_forward.w_2", options_.d_ff, options_.d_model);
    for (int i = 0; i < (decoder ? 3 : 2); ++i) norm(name + ".sublayer." + std::to_string(i) + ".norm");
  }
  void stack(const std::string& side, int64_t layers, bool decoder) const {
    for (int64_t i = 0; i < layers; ++i) layer(side + ".layers." + std::to_string(i), decoder);
    if (options_.norm == NormPlace::kPre) norm(side + ".norm");
  }
  void embedding(const std::string& side, int64_t vocab) const {
    visit_(side + ".0.lut.weight", {vocab, options_.d_model});
    if (options_.positions == Positions::kLearned) {
      visit_(side + ".1.pe", {1, options_.max_positions, options_.d_model});
    }
    if (options_.embedding_norm) norm(side + ".1.norm");
  }

 private:
  const TransformerOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

std::string name_of(AttentionScore score) { return core::name_of(score, attention_scores()); }

int64_t attended_layer(const TransformerOptions& options, int64_t decoder_layer) {
  const int64_t from_one = decoder_layer + 1, decoder_layers = options.decoder_layers;
  return (from_one * options.encoder_layers + decoder_layers - 1) / decoder_layers - 1;
}

ArchitecturePtr parse_transformer(JsonReader& reader) {
  return std::make_shared<const TransformerArchitecture>(read_options(reader));
}

json TransformerArchitecture::to_json() const {
  SettingsWriter visit;
  fields(visit, options);
  return visit.out;
}

std::vector<core::SettingDescription> TransformerArchitecture::describe() const {
  SettingsList visit;
  fields(visit, options);
  return visit.sections.front().settings;
}

ArchitecturePtr TransformerArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  TransformerOptions changed = options;
  changed.src_vocab = src_vocab;
  changed.tgt_vocab = tgt_vocab;
  return std::make_shared<const TransformerArchitecture>(changed);
}

void TransformerArchitecture::each_tensor(const TensorVisitor& visit) const {
  const TensorList tensors(options, visit);
  tensors.stack("encoder", options.encoder_layers, /*decoder=*/false);
  tensors.stack("decoder", options.decoder_layers, /*decoder=*/true);
  tensors.embedding("src_embed", options.src_vocab);
  tensors.embedding("tgt_embed", options.tgt_vocab);
  tensors.linear("generator.proj", options.d_model, options.tgt_vocab);
}

}  // namespace ventris::architecture
