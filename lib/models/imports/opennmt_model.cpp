#include "imports/opennmt_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/opennmt_parts.h"
#include "imports/saved_checkpoint.h"
#include "imports/toolkit_settings.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::TransformerOptions;
using nlohmann::json;

const OpennmtNames kOpennmtNames{
    .layers = {{"linear_query", "linear_keys", "linear_values", "final_linear"}, "w_1", "w_2", "w_3"},
    .encoder = "encoder.transformer.",
    .decoder = "decoder.transformer_layers.",
    .source_table = "encoder.embeddings.make_embedding.emb_luts.0.weight",
    .target_table = "decoder.embeddings.make_embedding.emb_luts.0.weight",
    .source_positions = "encoder.embeddings.make_embedding.pe.pe",
    .target_positions = "decoder.embeddings.make_embedding.pe.pe",
    .encoder_norms = {"layer_norm", "feed_forward.layer_norm"},
    .decoder_norms = {"layer_norm_1", "layer_norm_2", "feed_forward.layer_norm"},
    .feed_forward = "feed_forward"};

void replace_end(std::string& text, const std::string& old_end, const char* new_end) {
  if (text.ends_with(old_end)) text.replace(text.size() - old_end.size(), old_end.size(), new_end);
}

/// The names of OpenNMT-py 3, whatever the version is.
std::string name_in_version_3(std::string name) {
  if (name.starts_with("model.")) name.erase(0, std::string("model.").size());
  if (name.starts_with("generator.0.")) name.erase(std::string("generator.").size(), 2);
  replace_end(name, ".a_2", ".weight");
  replace_end(name, ".b_2", ".bias");
  return name.ends_with(".mask") ? "" : name;
}

/// The settings that have an effect on what is computed.
class OpennmtSettings {
 public:
  explicit OpennmtSettings(const ConfigFile& opt) : opt_(opt) {}

  /// Throws for a setting that a model of ours cannot have.
  void check() const {
    const std::string others = "other models cannot be imported";
    for (const char* side : {"encoder_type", "decoder_type"}) expect_text(opt_, side, "transformer", others);
    if (!opt_.contains("encoder_type")) opt_.refuse("encoder_type", "'transformer'");
    expect_text(opt_, "model_task", "seq2seq", others);
    expect_text(opt_, "model_type", "text", others);
    expect_text(opt_, "generator_function", "softmax", others);
    opt_.expect_flag("copy_attn", false, "a model that copies from the source cannot be imported");
    opt_.expect_flag("parallel_residual", false, "a model with blocks side by side cannot be imported");
    expect_number(opt_, "num_experts", 0, "no mixture of experts");
    expect_number(opt_, "sliding_window", 0, "no attention within a window");
    const std::string attention = opt_.text("self_attn_type", "scaled-dot");
    if (attention != "scaled-dot" && attention != "scaled-dot-flash") opt_.refuse("self_attn_type", "'scaled-dot'");
    for (const char* key : {"lora_layers", "quant_layers"}) {
      if (!opt_.texts(key).empty()) opt_.refuse(key, "an empty list; merge the layers with the model first");
    }
    opt_.expect_flag("lora_embedding", false, "merge it with the model first");
  }
  OpennmtPositions positions(const TensorSource& tensors, int64_t head_width) const {
    const int64_t relative = opt_.integer("max_relative_positions", 0, -2), buckets = bucket_count();
    if (tensors.contains(kOpennmtNames.source_positions)) {
      if (relative != 0) opt_.refuse("max_relative_positions", "0, as the model has sinusoids");
      const std::string type = opt_.text("position_encoding_type", "SinusoidalInterleaved");
      if (type == "SinusoidalInterleaved") return OpennmtPositions::kInterleaved;
      if (type == "SinusoidalConcat") return OpennmtPositions::kHalved;
      opt_.refuse("position_encoding_type", "SinusoidalInterleaved or SinusoidalConcat");
    }
    if (buckets > 0) return OpennmtPositions::kBuckets;
    if (relative != -1) {
      opt_.refuse("max_relative_positions",
                  "-1 (rotary positions) in a model without sinusoids; those of Shaw et al. "
                  "2018 and ALiBi cannot be imported");
    }
    expect_number(opt_, "rotary_theta", 10000, "the base of ours");
    const int64_t width = opt_.integer("rotary_dim", 0);
    if (width != 0 && width != head_width) opt_.refuse("rotary_dim", "0, or all features of a head");
    return opt_.flag("rotary_interleave", true) ? OpennmtPositions::kRotary : OpennmtPositions::kRotaryHalves;
  }
  void set(TransformerOptions& options) const {
    options.heads = opt_.integer("heads", kUsualHeads, 1);
    const int64_t of_keys = opt_.integer("num_kv", 0);
    if (of_keys != 0 && of_keys != options.heads) opt_.refuse("num_kv", "0, or as many as heads");
    options.activation = activation_named(opt_, "pos_ffn_activation_fn", "relu",
                                          {{"relu", Activation::kRelu},
                                           {"gelu", Activation::kGelu},
                                           {"silu", Activation::kSilu},
                                           {"gated-gelu", Activation::kGelu}});
    const std::string norm = opt_.text("layer_norm", "standard");
    if (norm != "standard" && norm != "rms") opt_.refuse("layer_norm", "'standard' or 'rms'");
    options.norm_kind = norm == "rms" ? architecture::NormKind::kRms : architecture::NormKind::kLayer;
    options.norm_epsilon = norm_epsilon_of(opt_, kUsualEpsilon);
    options.dropout = dropout_of(opt_, "dropout", 0.1);
    options.attention_dropout = dropout_of(opt_, "attention_dropout", options.dropout);
  }
  void set_buckets(TransformerOptions& options) const {
    options.relative_buckets = bucket_count();
    options.relative_max_distance = opt_.integer("max_relative_positions", 0, 1);
  }
  const ConfigFile& opt() const { return opt_; }

 private:
  static constexpr int64_t kUsualHeads = 8;
  static constexpr double kUsualEpsilon = 1e-6;

  int64_t bucket_count() const { return opt_.integer("relative_positions_buckets", 0); }

  const ConfigFile& opt_;
};

/// The tokens of a side: a list, or, in OpenNMT-py 2, an object of torchtext that has one.
std::vector<std::string> opennmt_texts(const json& vocab, const char* side, const std::string& where) {
  const json* found = vocab.is_object() && vocab.contains(side) ? &vocab.at(side) : nullptr;
  if (found != nullptr && found->is_object()) {
    const json::json_pointer list("/fields/0/1/vocab/itos");
    found = found->contains(list) ? &found->at(list) : nullptr;
    if (vocab.at(side).contains(json::json_pointer("/fields/1"))) {
      fail<ModelError>(where, ": vocab.", side, ": expected tokens only, found several features of each");
    }
  }
  const bool list = found != nullptr && found->is_array() &&
                    std::ranges::all_of(*found, [](const json& one) { return one.is_string(); });
  if (!list) fail<ModelError>(where, ": vocab.", side, ": expected a list of tokens, found none");
  return found->get<std::vector<std::string>>();
}

/// The vocabularies of a checkpoint; makes the tokenizers of `imported`.
Sides opennmt_sides(const json& vocab, const TensorSource& tensors, const std::vector<std::string>& tokenizers,
                    const std::string& path, Imported& imported) {
  if (vocab.is_object() && vocab.contains("src_feats")) {
    fail<ModelError>(path, ": vocab.src_feats: a model with features of tokens cannot be imported");
  }
  const ConfigFile usual(json::object(), path), settings(vocab.is_object() ? vocab : json::object(), path + ": vocab");
  const std::string bos = "<s>", start = settings.text("decoder_start_token", bos);
  const TokenList source = opennmt_tokens(opennmt_texts(vocab, "src", path), usual, bos, path + ": vocab.src"),
                  target = opennmt_tokens(opennmt_texts(vocab, "tgt", path), usual, start, path + ": vocab.tgt");
  check_row_count(source, tensors, kOpennmtNames.source_table);
  check_row_count(target, tensors, kOpennmtNames.target_table);
  Sides sides;
  take_token_lists(source, target, tokenizers, MissingPieces::kUnknown, sides, imported.package, imported.notes);
  return sides;
}

std::unique_ptr<TensorSource> opennmt_tensors(Checkpoint& checkpoint, const std::string& path) {
  if (!checkpoint.tensors->names().empty()) return renamed(std::move(checkpoint.tensors), name_in_version_3);
  const std::string other = path.substr(0, path.rfind(".pt")) + ".safetensors";
  if (!files::exists(other)) {
    fail<ModelError>(path, ": has no weights, and ", other, " does not exist; expected one of both");
  }
  return renamed(open_safetensors(other), name_in_version_3);
}

}  // namespace

bool is_opennmt(const std::string& path) {
  const std::vector<std::string> keys = checkpoint_keys(path);
  const auto has = [&](const char* key) { return std::ranges::find(keys, key) != keys.end(); };
  return has("opt") && has("vocab");
}

Imported from_opennmt(const std::string& path, const std::vector<std::string>& tokenizers) {
  Checkpoint checkpoint = open_checkpoint(path, {{"model", "generator"}, {"opt", "vocab"}});
  for (const char* key : {"opt", "vocab"}) {
    if (!checkpoint.values.contains(key)) {
      fail<ModelError>(path, ": expected a checkpoint of OpenNMT-py with '", key, "', found none");
    }
  }
  const ConfigFile opt(checkpoint.values.at("opt"), path + ": opt");
  const OpennmtSettings settings(opt);
  settings.check();
  const auto tensors = opennmt_tensors(checkpoint, path);
  TransformerOptions options;
  settings.set(options);
  const int64_t width = matrix_shape(*tensors, kOpennmtNames.source_table).second;
  const OpennmtPositions positions = settings.positions(*tensors, width / options.heads);
  set_sizes(*tensors, kOpennmtNames, positions, options);
  check_heads(opt, "heads", options);
  if (positions == OpennmtPositions::kBuckets) settings.set_buckets(options);
  Imported imported;
  const Sides sides = opennmt_sides(checkpoint.values.at("vocab"), *tensors, tokenizers, path, imported);
  const Order features = unchanged(options.d_model);
  BundleWeights weights(*tensors, options, features);
  take_opennmt(*tensors, kOpennmtNames, positions, sides, options, weights, imported.notes);
  imported.weights = weights.finish();
  configure(imported.package, options, sides, path);
  imported.package.config.tokenizer.source_eos = false;
  imported.what = "a Transformer of OpenNMT-py";
  return imported;
}

}  // namespace ventris::imports
