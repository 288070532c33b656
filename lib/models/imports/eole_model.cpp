#include "imports/eole_model.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/opennmt_parts.h"
#include "imports/toolkit_settings.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::TransformerOptions;

constexpr const char* kEoleWeights = "/model.00.safetensors";
const OpennmtNames kEoleNames{.layers = {{"linear_query", "linear_keys", "linear_values", "final_linear"},
                                         "gate_up_proj",
                                         "down_proj",
                                         "up_proj"},
                              .encoder = "encoder.transformer_layers.",
                              .decoder = "decoder.transformer_layers.",
                              .source_table = "src_emb.embeddings.weight",
                              .target_table = "tgt_emb.embeddings.weight",
                              .source_positions = "src_emb.pe.pe",
                              .target_positions = "tgt_emb.pe.pe",
                              .encoder_norms = {"input_layernorm", "post_attention_layernorm"},
                              .decoder_norms = {"input_layernorm", "precontext_layernorm", "post_attention_layernorm"},
                              .feed_forward = "mlp"};

/// The settings of one side, which are those of the whole model unless the side has its own.
class EoleSide {
 public:
  EoleSide(const ConfigFile& model, const char* side) : model_(model), side_(model.section(side)) {}

  const ConfigFile& with(const std::string& key) const { return side_.contains(key) ? side_ : model_; }
  const ConfigFile& own() const { return side_; }

  void refuse_other_kinds() const {
    for (const char* key : {"parallel_residual", "ffn_layernorm", "query_norm", "key_norm", "value_norm", "q_gating"}) {
      with(key).expect_flag(key, false, "a model of ours has no such part");
    }
    for (const char* key : {"num_experts", "sliding_window", "relative_positions_buckets", "num_mtp_heads"}) {
      expect_number(with(key), key, 0, "a model of ours has no such part");
    }
    for (const char* key : {"attn_scaling", "layer_types", "global_head_dim"}) {
      if (with(key).contains(key)) with(key).refuse(key, "none");
    }
    expect_text(side_, "encoder_layer_style", "standard", "norms before blocks, as the decoder has them");
    side_.expect_flag("final_encoder_layer_norm", true, "the norm after the last layer is a part of ours");
  }
  int64_t heads() const { return with("heads").integer("heads", kUsualHeads, 1); }
  void check_head_width(int64_t heads, int64_t width) const {
    const int64_t of_keys = with("heads_kv").integer("heads_kv", heads, 1);
    if (of_keys != heads) with("heads_kv").refuse("heads_kv", "as many as heads");
    if (with("head_dim").integer("head_dim", width, 1) != width) {
      with("head_dim").refuse("head_dim", std::to_string(width) + ", the width of the model divided by its heads");
    }
  }
  Activation activation() const {
    const char* key = "mlp_activation_fn";
    return activation_named(with(key), key, "relu",
                            {{"relu", Activation::kRelu},
                             {"gelu", Activation::kGelu},
                             {"gelu-tanh", Activation::kGeluTanh},
                             {"quick_gelu", Activation::kGeluSigmoid},
                             {"silu", Activation::kSilu},
                             {"gated-gelu", Activation::kGelu},
                             {"gated-gelu-tanh", Activation::kGeluTanh},
                             {"gated-silu", Activation::kSilu}});
  }
  architecture::NormKind norm() const {
    const std::string name = with("layer_norm").text("layer_norm", "standard");
    if (name == "standard" || name == "standardFP32") return architecture::NormKind::kLayer;
    if (name == "rms") return architecture::NormKind::kRms;
    with("layer_norm").refuse("layer_norm", "standard, standardFP32 or rms");
  }
  double epsilon() const { return norm_epsilon_of(with("norm_eps"), kUsualEpsilon); }

 private:
  static constexpr int64_t kUsualHeads = 8;
  static constexpr double kUsualEpsilon = 1e-5;

  const ConfigFile& model_;
  ConfigFile side_;
};

/// The name of a tensor in kEoleNames; empty for numbers that have no effect in these models.
std::string eole_name(const std::string& name) {
  if (name == "src_emb.pe.weight") return kEoleNames.source_positions;
  if (name == "tgt_emb.pe.weight") return kEoleNames.target_positions;
  return name.ends_with(".layer_scalar") ? "" : name;
}

class EoleImport {
 public:
  explicit EoleImport(std::string folder)
      : folder_(std::move(folder)), config_(folder_ + "/config.json"), vocab_(folder_ + "/vocab.json") {
    if (!is_eole(folder_)) fail<ModelError>(folder_, kEoleWeights, ": does not exist");
    if (files::exists(folder_ + "/model.01.safetensors")) {
      fail<ModelError>(folder_, "/model.01.safetensors: expected all weights in one file, ", kEoleWeights);
    }
    tensors_ = renamed(open_safetensors(folder_ + kEoleWeights), eole_name);
  }

  Imported run(const std::vector<std::string>& tokenizers) {
    read_options();
    const OpennmtPositions positions = positions_of_model();
    set_sizes(*tensors_, kEoleNames, positions, options_);
    for (const auto& [side, options] :
         {std::pair(&encoder_, options_.encoder_side()), std::pair(&decoder_, options_.decoder_side())}) {
      check_heads(side->with("heads"), "heads", options);
      side->check_head_width(options.heads, options.key_width());
    }
    take_vocabularies(tokenizers);
    const Order features = unchanged(options_.d_model);
    BundleWeights weights(*tensors_, options_, features);
    take_opennmt(*tensors_, kEoleNames, positions, sides_, options_, weights, imported_.notes);
    imported_.weights = weights.finish();
    configure(imported_.package, options_, sides_, folder_);
    imported_.package.config.tokenizer.source_eos = false;
    imported_.what = "a Transformer of Eole";
    if (!encoder_.with("norm_eps").contains("norm_eps")) {
      imported_.notes.emplace_back(
          "config.json has no norm_eps; it is 1e-5, as in Eole 0.6, while the first versions of Eole had 1e-6");
    }
    return std::move(imported_);
  }

 private:
  void read_options() {
    const std::string others = "other models cannot be imported";
    for (const auto& [side, key] : {std::pair(&encoder_, "encoder_type"), std::pair(&decoder_, "decoder_type")}) {
      expect_text(side->own(), key, "transformer", others);
      if (!side->own().contains(key)) side->own().refuse(key, "'transformer'");
      side->refuse_other_kinds();
    }
    expect_text(model_, "generator_function", "softmax", others);
    model_.expect_flag("add_estimator", false, "a model with an estimator of quality cannot be imported");
    options_.heads = encoder_.heads();
    options_.decoder_heads = architecture::decoder_setting(options_.heads, decoder_.heads());
    options_.activation = encoder_.activation();
    options_.norm_kind = encoder_.norm();
    options_.norm_epsilon = encoder_.epsilon();
    const bool same = decoder_.activation() == options_.activation && decoder_.norm() == options_.norm_kind &&
                      decoder_.epsilon() == options_.norm_epsilon;
    if (!same) {
      fail<ModelError>(config_.path(), ": model.decoder: expected mlp_activation_fn, layer_norm and norm_eps as in ",
                       "model.encoder, found others");
    }
    const ConfigFile training = config_.section("training");
    options_.dropout = dropout_of(training, "dropout", 0.1);
    options_.attention_dropout = dropout_of(training, "attention_dropout", options_.dropout);
  }
  OpennmtPositions positions_of_model() const {
    const ConfigFile embeddings = model_.section("embeddings");
    const char* key = "position_encoding_type";
    const ConfigFile& place = embeddings.contains(key) ? embeddings : model_;
    const std::string type = place.text(key, "SinusoidalInterleaved");
    expect_text(embeddings, "embedding_type", "standard", "other embeddings cannot be imported");
    expect_number(embeddings, "position_shift", 0, "positions from the first row");
    embeddings.expect_flag("normalize", false, "embeddings with another factor cannot be imported");
    if (type == "SinusoidalInterleaved") return OpennmtPositions::kInterleaved;
    if (type == "SinusoidalConcat") return OpennmtPositions::kHalved;
    if (type == "Learned") return OpennmtPositions::kLearned;
    if (type == "Rotary") return rotary_positions();
    place.refuse(key, "SinusoidalInterleaved, SinusoidalConcat, Learned or Rotary");
  }
  OpennmtPositions rotary_positions() const {
    bool neighbours = true;
    for (const EoleSide* side : {&encoder_, &decoder_}) {
      const ConfigFile rope = side->with("rope_config").section("rope_config");
      expect_number(rope, "rotary_theta", 10000, "the base of ours");
      for (const char* key : {"rotary_dim", "interleave_local", "tmax_index", "partial_rotary_factor"}) {
        expect_number(rope, key, 0, "rotation of all features of a head by its position");
      }
      for (const char* key : {"scaling_type", "xdrope_section"}) {
        if (rope.contains(key)) rope.refuse(key, "none");
      }
      const bool found = rope.flag("rotary_interleave", true);
      if (side == &decoder_ && found != neighbours) rope.refuse("rotary_interleave", "the same as in the encoder");
      neighbours = found;
    }
    return neighbours ? OpennmtPositions::kRotary : OpennmtPositions::kRotaryHalves;
  }

  void take_vocabularies(std::vector<std::string> tokenizers) {
    const std::string start = vocab_.text("decoder_start_token", "<s>");
    const ConfigFile specials = vocab_.section("specials");
    const TokenList source = opennmt_tokens(vocab_.texts("src"), specials, specials.text("bos_token", "<s>"),
                                            vocab_.path() + ": src"),
                    target = opennmt_tokens(vocab_.texts("tgt"), specials, start, vocab_.path() + ": tgt");
    check_row_count(source, *tensors_, kEoleNames.source_table);
    const bool shared = !tensors_->contains(kEoleNames.target_table);
    check_row_count(target, *tensors_, shared ? kEoleNames.source_table : kEoleNames.target_table);
    if (tokenizers.empty()) tokenizers = tokenizers_of_transforms();
    take_token_lists(source, target, tokenizers, MissingPieces::kUnknown, sides_, imported_.package, imported_.notes);
  }
  /// The SentencePiece models that the settings name, if they are in the folder.
  std::vector<std::string> tokenizers_of_transforms() const {
    const ConfigFile found = config_.section("transforms_configs").section("sentencepiece");
    std::vector<std::string> paths;
    for (const char* key : {"src_subword_model", "tgt_subword_model"}) {
      const std::string file = std::filesystem::path(found.text(key, "")).filename();
      if (!file.empty() && files::exists(folder_ + "/" + file)) paths.push_back(folder_ + "/" + file);
    }
    return paths;
  }

  std::string folder_;
  ConfigFile config_, vocab_, model_ = config_.section("model");
  EoleSide encoder_{model_, "encoder"}, decoder_{model_, "decoder"};
  std::unique_ptr<TensorSource> tensors_;
  TransformerOptions options_;
  Sides sides_;
  Imported imported_;
};

}  // namespace

bool is_eole(const std::string& path) { return files::exists(path + kEoleWeights); }

Imported from_eole(const std::string& folder, const std::vector<std::string>& tokenizers) {
  return EoleImport(folder).run(tokenizers);
}

}  // namespace ventris::imports
