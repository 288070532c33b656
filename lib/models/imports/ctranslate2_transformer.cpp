#include "imports/ctranslate2_transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "imports/ctranslate2_positions.h"
#include "imports/ctranslate2_tokens.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::NormKind;
using architecture::NormPlace;
using architecture::TransformerOptions;
using architecture::Tying;

/// Parts of names of what we do not have, and what that is.
constexpr std::array<std::pair<const char*, const char*>, 12> kUnknownParts{
    {{"/relative_", "relative positions"},
     {"/rotary_", "rotary positions"},
     {"/num_heads_kv", "fewer heads of keys and values than of queries"},
     {"/head_dim", "heads of another width"},
     {"/sliding_window", "attention within a window"},
     {"/q_norm/", "norms of queries"},
     {"/k_norm/", "norms of keys"},
     {"/project_in/", "a projection of embeddings"},
     {"/weight_zero", "weights quantised in groups (AWQ)"},
     {"/memory_kv/", "self-attention and attention to the source in one"},
     {"/post_attention_layer_norm/", "norms on both sides of a block"},
     {"/shared_layer_norm/", "blocks side by side"}}};

/// Flags of what we do not have, and what that is.
constexpr std::array<std::pair<const char*, const char*>, 3> kUnknownFlags{
    {{"decoder/alibi", "ALiBi"},
     {"encoder/multi_query_attention", "one head of keys and values"},
     {"decoder/multi_query_attention", "one head of keys and values"}}};

/// Settings that have no effect on what is computed here.
constexpr std::array<const char*, 17> kHarmless{"encoder/embeddings_merge",
                                                "decoder/embeddings_merge",
                                                "encoder/alignment_layer",
                                                "encoder/alignment_heads",
                                                "decoder/alignment_layer",
                                                "decoder/alignment_heads",
                                                "decoder/alibi_use_positive_positions",
                                                "decoder/scale_alibi",
                                                "unk_token",
                                                "bos_token",
                                                "eos_token",
                                                "with_source_bos",
                                                "with_source_eos",
                                                "with_target_bos",
                                                "user_decoder_start_tokens",
                                                "encoder/num_heads",
                                                "decoder/num_heads"};

std::string layer_of(const std::string& side, int64_t number) { return side + "/layer_" + std::to_string(number); }

void refuse_unknown_parts(const CTranslate2Variables& variables) {
  for (const std::string& name : variables.names()) {
    for (const auto& [part, what] : kUnknownParts) {
      if (name.find(part) == std::string::npos) continue;
      fail<ModelError>(variables.where(), ": variable '", name, "': a model with ", what, " cannot be imported");
    }
  }
  for (const auto& [name, what] : kUnknownFlags) {
    if (variables.number(name).value_or(0) == 0) continue;
    fail<ModelError>(variables.where(), ": variable '", name, "': a model with ", what, " cannot be imported");
  }
}

/// A setting that both sides must have.
int64_t common_setting(const CTranslate2Variables& variables, const std::string& name, int64_t missing) {
  const double encoder = variables.number("encoder/" + name).value_or(static_cast<double>(missing)),
               decoder = variables.number("decoder/" + name).value_or(static_cast<double>(missing));
  if (encoder == decoder && encoder >= 0 && encoder < 1e6) return static_cast<int64_t>(encoder);
  fail<ModelError>(variables.where(), ": variable 'decoder/", name, "': expected ", encoder, " as in 'encoder/", name,
                   "', found ", decoder);
}

Activation activation_of(const CTranslate2Variables& variables) {
  switch (common_setting(variables, "activation", 0)) {
    case 0: return Activation::kRelu;
    case 1: return Activation::kGeluTanh;
    case 2: return Activation::kSilu;
    case 3: return Activation::kGelu;
    case 4: return Activation::kGeluSigmoid;
    default:
      fail<ModelError>(variables.where(), ": variable 'encoder/activation': expected 0 (relu) to 4 (gelu by sigmoid), ",
                       "found ", common_setting(variables, "activation", 0));
  }
}

int64_t layers_of(const CTranslate2Variables& variables, const std::string& side) {
  int64_t layers = 0;
  while (variables.contains(layer_of(side, layers) + "/self_attention/linear_0/weight")) ++layers;
  if (layers > 0) return layers;
  fail<ModelError>(variables.where(), ": has no variable '", layer_of(side, 0), "/self_attention/linear_0/weight'");
}

/// The shape of a matrix.
std::pair<int64_t, int64_t> matrix(const CTranslate2Variables& variables, const std::string& name) {
  const std::vector<int64_t> shape = variables.shape(name);
  if (shape.size() == 2 && shape[0] > 0 && shape[1] > 0) return {shape[0], shape[1]};
  fail<ModelError>(variables.where(), ": variable '", name, "': expected a matrix, found shape ",
                   model::shape_text(shape));
}

/// The width of the feed-forward blocks of a side.
int64_t feed_forward_width(const CTranslate2Variables& variables, const std::string& side) {
  return matrix(variables, layer_of(side, 0) + "/ffn/linear_0/weight").first;
}

/// The heads of a side.
int64_t heads_of(const CTranslate2Variables& variables, const std::string& side, int64_t d_model) {
  constexpr double kUsualHeads = 8;
  const std::string name = side + "/num_heads";
  const double heads = variables.number(name).value_or(kUsualHeads);
  const bool fits = heads >= 1 && heads <= static_cast<double>(d_model) && d_model % static_cast<int64_t>(heads) == 0;
  if (fits) return static_cast<int64_t>(heads);
  fail<ModelError>(variables.where(), ": variable '", name, "': expected a divisor of the width ", d_model, ", found ",
                   heads);
}

/// The name of the embeddings of the encoder, which may have a number.
std::string source_embeddings(const CTranslate2Variables& variables) {
  const std::string numbered = "encoder/embeddings_0";
  return variables.contains(numbered + "/weight") ? numbered : "encoder/embeddings";
}

bool any_name_ends(const CTranslate2Variables& variables, const std::vector<std::string>& ends) {
  return std::ranges::any_of(variables.names(), [&](const std::string& name) {
    return std::ranges::any_of(ends, [&](const std::string& end) { return name.ends_with(end); });
  });
}

bool has_attention_bias(const CTranslate2Variables& variables) {
  std::vector<std::string> ends;
  for (const char* block : {"/self_attention", "/attention"}) {
    for (const char* layer : {"/linear_0/bias", "/linear_1/bias", "/linear_2/bias"})
      ends.push_back(block + std::string(layer));
  }
  return any_name_ends(variables, ends);
}

/// Takes the layers of both sides.
class LayerTaker {
 public:
  LayerTaker(const CTranslate2Variables& variables, const TransformerOptions& options, BundleWeights& weights)
      : variables_(variables), options_(options), weights_(weights), d_model_(options.d_model) {}

  void side(const std::string& name, int64_t layers, const std::vector<std::string>& blocks) {
    side_ = name == "decoder" ? options_.decoder_side() : options_.encoder_side();
    for (int64_t i = 0; i < layers; ++i) {
      layer(name + ".layers." + std::to_string(i), layer_of(name, i), blocks);
    }
    if (options_.has_final_norm()) norm(name + ".norm", name + "/layer_norm");
  }
  void norm(const std::string& ours, const std::string& theirs) {
    weights_.set(ours + ".weight", weights_.take(theirs + "/gamma", {d_model_}));
    if (options_.norm_kind == NormKind::kLayer)
      weights_.set(ours + ".bias", weights_.take(theirs + "/beta", {d_model_}));
  }
  /// `count` values, or zeros if they are not stored.
  std::vector<float> values_or_zeros(const std::string& theirs, int64_t count) {
    if (variables_.contains(theirs)) return weights_.take(theirs, {count});
    return std::vector<float>(static_cast<size_t>(count), 0.0F);
  }

 private:
  void layer(const std::string& ours, const std::string& theirs, const std::vector<std::string>& blocks) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool to_source = blocks[i] == "src_attn";
      const std::string block = theirs + (to_source ? "/attention" : "/self_attention");
      attention(ours + "." + blocks[i], block, to_source);
      norm(ours + ".sublayer." + std::to_string(i) + ".norm", block + "/layer_norm");
    }
    feed_forward(ours + ".feed_forward", theirs + "/ffn");
    norm(ours + ".sublayer." + std::to_string(blocks.size()) + ".norm", theirs + "/ffn/layer_norm");
  }

  void attention(const std::string& ours, const std::string& theirs, bool to_source) {
    std::vector<std::string> parts;
    for (const char* part : {".linears.0", ".linears.1", ".linears.2", ".linears.3"}) parts.push_back(ours + part);
    if (to_source) {
      projections({parts[0]}, theirs + "/linear_0");
      projections({parts[1], parts[2]}, theirs + "/linear_1");
      projections({parts[3]}, theirs + "/linear_2");
    } else {
      projections({parts[0], parts[1], parts[2]}, theirs + "/linear_0");
      projections({parts[3]}, theirs + "/linear_1");
    }
    scale_queries(parts[0], theirs + "/queries_scale");
  }

  /// Several projections of ours from one layer of theirs, which has them one below the other.
  void projections(const std::vector<std::string>& ours, const std::string& theirs) {
    const auto count = static_cast<int64_t>(ours.size());
    const std::vector<float> weight = weights_.take(theirs + "/weight", {count * d_model_, d_model_}),
                             bias = values_or_zeros(theirs + "/bias", count * d_model_);
    for (int64_t i = 0; i < count; ++i) {
      const std::string& name = ours[static_cast<size_t>(i)];
      weights_.set(name + ".weight", part_of(weight, i, d_model_ * d_model_));
      if (options_.attention_bias) weights_.set(name + ".bias", part_of(bias, i, d_model_));
    }
  }
  static std::vector<float> part_of(const std::vector<float>& values, int64_t number, int64_t size) {
    return {values.begin() + number * size, values.begin() + (number + 1) * size};
  }

  /// A factor other than ours, 1 / sqrt(width of a head), becomes part of the queries.
  void scale_queries(const std::string& queries, const std::string& setting) {
    weights_.ignore(setting);
    const double ours = 1 / std::sqrt(static_cast<double>(side_.key_width()));
    const double factor = variables_.number(setting).value_or(ours) / ours;
    if (std::abs(factor - 1) < 1e-6) return;
    multiply(queries + ".weight", factor);
    if (options_.attention_bias) multiply(queries + ".bias", factor);
  }
  void multiply(const std::string& name, double factor) {
    std::vector<float> values = weights_.values(name);
    for (float& value : values) value *= static_cast<float>(factor);
    weights_.set(name, std::move(values));
  }

  void feed_forward(const std::string& ours, const std::string& theirs) {
    inner(ours + ".w_1", theirs + "/linear_0");
    if (options_.gated_feed_forward) inner(ours + ".w_3", theirs + "/linear_0_noact");
    weights_.set(ours + ".w_2.weight", weights_.take(theirs + "/linear_1/weight", {d_model_, side_.d_ff}));
    weights_.set(ours + ".w_2.bias", values_or_zeros(theirs + "/linear_1/bias", d_model_));
  }
  void inner(const std::string& ours, const std::string& theirs) {
    weights_.set(ours + ".weight", weights_.take(theirs + "/weight", {side_.d_ff, d_model_}));
    weights_.set(ours + ".bias", values_or_zeros(theirs + "/bias", side_.d_ff));
  }

  const CTranslate2Variables& variables_;
  const TransformerOptions& options_;
  BundleWeights& weights_;
  int64_t d_model_;
  TransformerOptions side_;  // the settings of the side whose layers are taken
};

/// Takes the embeddings of both sides and the output layer.
class TableTaker {
 public:
  TableTaker(const CTranslate2Variables& variables, const Sides& sides, TransformerOptions& options,
             BundleWeights& weights)
      : variables_(variables), sides_(sides), options_(options), weights_(weights) {}

  void run() {
    const std::string source = source_embeddings(variables_);
    const double of_source = factor_of("encoder", source), of_target = factor_of("decoder", "decoder/embeddings");
    options_.scale_embeddings = of_source != 1 || of_target != 1;
    const double ours = options_.embedding_factor();
    table(kSource, source + "/weight", sides_.source_rows, sides_.source, of_source / ours);
    table(kTarget, "decoder/embeddings/weight", sides_.target_rows, sides_.target, of_target / ours);
    weights_.ignore("decoder/scale_outputs");
    table(kOutput, "decoder/projection/weight", sides_.target_rows, sides_.target,
          variables_.number("decoder/scale_outputs").value_or(1));
    std::vector<float> bias(static_cast<size_t>(sides_.target_rows), 0.0F);
    if (variables_.contains("decoder/projection/bias")) {
      bias = weights_.take("decoder/projection/bias", {sides_.target_rows});
    }
    weights_.set("generator.proj.bias", output_bias(sides_.target, bias));
    const bool output_tied = weights_.values(kOutput) == weights_.values(kTarget);
    const bool source_tied = sides_.have_common_ids() && weights_.values(kSource) == weights_.values(kTarget);
    options_.tying = !output_tied ? Tying::kNone : source_tied ? Tying::kAll : Tying::kDecoder;
  }

 private:
  static constexpr const char* kSource = "src_embed.0.lut.weight";
  static constexpr const char* kTarget = "tgt_embed.0.lut.weight";
  static constexpr const char* kOutput = "generator.proj.weight";

  /// What the embeddings of a side are multiplied with: a flag for sqrt(d_model), or a number.
  double factor_of(const std::string& side, const std::string& embeddings) {
    const double root = std::sqrt(static_cast<double>(options_.d_model));
    double factor = root;
    for (const std::string& name : {embeddings + "/multiply_by_sqrt_depth", side + "/scale_embeddings"}) {
      weights_.ignore(name);
      const auto value = variables_.number(name);
      if (!value) continue;
      factor = !variables_.is_flag(name) ? *value : *value != 0 ? root : 1;
    }
    return std::abs(factor / root - 1) < 1e-6 ? root : factor;
  }

  void table(const std::string& ours, const std::string& theirs, int64_t rows, const NewVocabulary& vocabulary,
             double factor) {
    std::vector<float> values = weights_.take(theirs, {rows, options_.d_model});
    if (factor != 1) {
      for (float& value : values) value *= static_cast<float>(factor);
    }
    weights_.set(ours, rows_in(vocabulary.rows, values, options_.d_model));
  }

  const CTranslate2Variables& variables_;
  const Sides& sides_;
  TransformerOptions& options_;
  BundleWeights& weights_;
};

}  // namespace

TransformerOptions ctranslate2_options(const CTranslate2Variables& variables, std::optional<double> epsilon) {
  constexpr double kEpsilon = 1e-5, kEpsilonOfRms = 1e-6;
  refuse_unknown_parts(variables);
  TransformerOptions options;
  options.encoder_layers = layers_of(variables, "encoder");
  options.decoder_layers = layers_of(variables, "decoder");
  options.d_model = matrix(variables, source_embeddings(variables) + "/weight").second;
  options.heads = heads_of(variables, "encoder", options.d_model);
  options.decoder_heads = architecture::decoder_setting(options.heads, heads_of(variables, "decoder", options.d_model));
  options.d_ff = feed_forward_width(variables, "encoder");
  options.decoder_d_ff = architecture::decoder_setting(options.d_ff, feed_forward_width(variables, "decoder"));
  options.activation = activation_of(variables);
  options.norm = common_setting(variables, "pre_norm", 1) != 0 ? NormPlace::kPre : NormPlace::kPost;
  options.final_norm = options.norm == NormPlace::kPost && variables.contains("encoder/layer_norm/gamma");
  const bool rms = !variables.contains(layer_of("encoder", 0) + "/ffn/layer_norm/beta");
  options.norm_kind = rms ? NormKind::kRms : NormKind::kLayer;
  options.norm_epsilon = epsilon.value_or(rms ? kEpsilonOfRms : kEpsilon);
  options.gated_feed_forward = variables.contains(layer_of("encoder", 0) + "/ffn/linear_0_noact/weight");
  options.attention_bias = has_attention_bias(variables);
  options.embedding_norm = any_name_ends(variables, {"/layernorm_embedding/gamma"});
  return options;
}

void take_ctranslate2(const CTranslate2Variables& variables, const Sides& sides, TransformerOptions& options,
                      BundleWeights& weights, std::vector<std::string>& notes) {
  for (const char* name : kHarmless) weights.ignore(name);
  for (const auto& [name, what] : kUnknownFlags) weights.ignore(name);
  for (const char* side : {"encoder/", "decoder/"}) {
    for (const char* name : {"pre_norm", "activation"}) weights.ignore(side + std::string(name));
  }
  weights.ignore("decoder/start_from_zero_embedding");
  TableTaker(variables, sides, options, weights).run();
  LayerTaker layers(variables, options, weights);
  layers.side("encoder", options.encoder_layers, {"self_attn"});
  layers.side("decoder", options.decoder_layers, {"self_attn", "src_attn"});
  if (options.embedding_norm) {
    layers.norm("src_embed.1.norm", "encoder/layernorm_embedding");
    layers.norm("tgt_embed.1.norm", "decoder/layernorm_embedding");
  }
  take_positions(variables, options, weights, notes);
}

}  // namespace ventris::imports
