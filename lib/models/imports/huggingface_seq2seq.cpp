#include "imports/huggingface_seq2seq.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "architecture/transformer_fields.h"
#include "core/error.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::TransformerOptions;
using architecture::Tying;

Activation activation_of(const ConfigFile& config) {
  const std::string name = config.text("activation_function", "gelu");
  if (name == "relu") return Activation::kRelu;
  if (name == "gelu") return Activation::kGelu;
  if (name == "swish" || name == "silu") return Activation::kSilu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return Activation::kGeluTanh;
  if (name == "quick_gelu") return Activation::kGeluSigmoid;
  fail<ModelError>(config.path(),
                   ": activation_function: expected relu, gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, ",
                   "quick_gelu, swish or silu, found '", name, "'");
}

/// Sets the sizes that each side has.
void read_sides(const ConfigFile& config, TransformerOptions& options) {
  options.encoder_layers = config.required("encoder_layers", 1);
  options.decoder_layers = config.required("decoder_layers", 1);
  options.heads = config.required("encoder_attention_heads", 1);
  options.d_ff = config.required("encoder_ffn_dim", 1);
  const int64_t heads = config.required("decoder_attention_heads", 1);
  options.decoder_heads = architecture::decoder_setting(options.heads, heads);
  options.decoder_d_ff = architecture::decoder_setting(options.d_ff, config.required("decoder_ffn_dim", 1));
  for (const int64_t count : {options.heads, heads}) {
    if (options.d_model % count == 0 && options.d_model % 2 == 0) continue;
    fail<ModelError>(config.path(), ": d_model: expected an even multiple of the ", count, " heads, found ",
                     options.d_model);
  }
}

/// The names of an attention block and of the norms of a layer.
constexpr std::array<const char*, 4> kProjections{"q_proj", "k_proj", "v_proj", "out_proj"};
constexpr std::array<const char*, 2> kEncoderNorms{"self_attn_layer_norm", "final_layer_norm"};
constexpr std::array<const char*, 3> kDecoderNorms{"self_attn_layer_norm", "encoder_attn_layer_norm",
                                                   "final_layer_norm"};

/// Takes the layers of both sides.
class Layers {
 public:
  Layers(const ConfigFile& config, const TransformerOptions& options, BundleWeights& weights)
      : config_(config), options_(options), weights_(weights) {}

  void encoder() {
    for (int64_t i = 0; i < options_.encoder_layers; ++i) layer("encoder", i, kEncoderNorms);
    final_norm("encoder");
  }
  void decoder() {
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      layer("decoder", i, kDecoderNorms);
      const std::string number = std::to_string(i);
      attention("decoder.layers." + number + ".src_attn", "model.decoder.layers." + number + ".encoder_attn");
    }
    final_norm("decoder");
  }

 private:
  void layer(const std::string& side, int64_t i, std::span<const char* const> norms) {
    const std::string ours = side + ".layers." + std::to_string(i), theirs = "model." + ours;
    attention(ours + ".self_attn", theirs + ".self_attn");
    feed_forward(ours + ".feed_forward", theirs, config_.required(side + "_ffn_dim", 1));
    for (size_t norm = 0; norm < norms.size(); ++norm) {
      weights_.norm(ours + ".sublayer." + std::to_string(norm) + ".norm", theirs + "." + norms[norm]);
    }
  }
  void feed_forward(const std::string& ours, const std::string& theirs, int64_t width) {
    weights_.linear(ours + ".w_1", theirs + ".fc1", width, options_.d_model, BundleWeights::Sides::kInputs);
    weights_.linear(ours + ".w_2", theirs + ".fc2", options_.d_model, width, BundleWeights::Sides::kOutputs);
  }
  void attention(const std::string& ours, const std::string& theirs) {
    for (size_t i = 0; i < kProjections.size(); ++i) {
      const bool output = i + 1 == kProjections.size();
      weights_.linear(ours + ".linears." + std::to_string(i), theirs + "." + kProjections[i], options_.d_model,
                      options_.d_model, output ? BundleWeights::Sides::kOutputs : BundleWeights::Sides::kInputs);
    }
  }
  void final_norm(const std::string& side) {
    if (options_.norm == architecture::NormPlace::kPre) weights_.norm(side + ".norm", "model." + side + ".layer_norm");
  }

  const ConfigFile& config_;
  const TransformerOptions& options_;
  BundleWeights& weights_;
};

/// The first of these tensors that is there.
std::string first_of(const TensorSource& tensors, std::initializer_list<std::string> names) {
  for (const std::string& name : names) {
    if (tensors.contains(name)) return name;
  }
  fail<ModelError>(tensors.where(), ": has no tensor '", *names.begin(), "'");
}

/// The bias of the output layer: that of the model; tokens that it does not have are never generated.
std::vector<float> generator_bias(const TensorSource& tensors, const Sides& sides, BundleWeights& weights) {
  const char* name = "final_logits_bias";
  weights.ignore(name);
  std::vector<float> theirs(static_cast<size_t>(sides.target_rows), 0.0F);
  if (tensors.contains(name)) theirs = floats_of_shape(tensors, name, {1, sides.target_rows});
  return output_bias(sides.target, theirs);
}

void take_tables(const TensorSource& tensors, const Sides& sides, const std::string& prefix,
                 TransformerOptions& options, BundleWeights& weights) {
  const std::string shared = prefix + "shared.weight";
  const std::string source = first_of(tensors, {prefix + "encoder.embed_tokens.weight", shared}),
                    target = first_of(tensors, {prefix + "decoder.embed_tokens.weight", shared}),
                    output = tensors.contains("lm_head.weight") ? "lm_head.weight" : target;
  weights.ignore(shared);
  const std::string ours = "src_embed.0.lut.weight", ours_target = "tgt_embed.0.lut.weight",
                    generator = "generator.proj.weight";
  weights.table(ours, source, sides.source_rows, sides.source.rows);
  weights.table(ours_target, target, sides.target_rows, sides.target.rows);
  weights.table(generator, output, sides.target_rows, sides.target.rows);
  const bool output_tied = weights.values(generator) == weights.values(ours_target);
  const bool source_tied = sides.have_common_ids() && weights.values(ours) == weights.values(ours_target);
  options.tying = !output_tied ? Tying::kNone : source_tied ? Tying::kAll : Tying::kDecoder;
}

}  // namespace

Vocabulary with_special_rows(const ConfigFile& config, std::vector<std::string> texts, const char* start,
                             const std::string& where) {
  Vocabulary found{std::move(texts)};
  found.eos = config.required("eos_token_id");
  found.pad = config.required("pad_token_id");
  found.start = config.integer("decoder_start_token_id", config.required(start));
  const auto unknown = std::ranges::find(found.texts, "<unk>");
  if (unknown == found.texts.end()) fail<ModelError>(where, ": has no token <unk>");
  found.unk = unknown - found.texts.begin();
  return found;
}

TransformerOptions seq2seq_options(const ConfigFile& config) {
  TransformerOptions options;
  options.d_model = config.required("d_model", 2);
  read_sides(config, options);
  options.max_positions = config.required("max_position_embeddings", 8, architecture::kMostPositions);
  options.activation = activation_of(config);
  options.dropout = config.number("dropout", 0.1);
  options.attention_dropout = config.number("attention_dropout", 0);
  options.activation_dropout = config.number("activation_dropout", 0);
  options.scale_embeddings = config.flag("scale_embedding", false);
  return options;
}

void take_tokens(const TensorSource& tensors, const Sides& sides, const std::string& prefix,
                 TransformerOptions& options, BundleWeights& weights) {
  options.src_vocab = static_cast<int64_t>(sides.source.rows.size());
  options.tgt_vocab = static_cast<int64_t>(sides.target.rows.size());
  take_tables(tensors, sides, prefix, options, weights);
  weights.set("generator.proj.bias", generator_bias(tensors, sides, weights));
}

void take_seq2seq(const ConfigFile& config, const TensorSource& tensors, const Sides& sides,
                  TransformerOptions& options, BundleWeights& weights) {
  take_tokens(tensors, sides, "model.", options, weights);
  Layers layers(config, options, weights);
  layers.encoder();
  layers.decoder();
}

}  // namespace ventris::imports
