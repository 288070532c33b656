#include "imports/fairseq_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "core/utf8.h"
#include "files/files.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/fairseq_tensors.h"
#include "imports/halved_sinusoids.h"
#include "imports/layer_weights.h"
#include "imports/saved_checkpoint.h"
#include "imports/toolkit_settings.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::NormPlace;
using architecture::TransformerOptions;
using nlohmann::json;

constexpr int64_t kFairseqPad = 1, kFairseqEos = 2, kFairseqUnk = 3;  // rows
constexpr int64_t kFirstOfFairseq = kFairseqPad + 1;                  // position
constexpr int64_t kMostOfFairseq = 1024;  // positions, unless the settings say it
const LayerNames kFairseqNames{{"q_proj", "k_proj", "v_proj", "out_proj"}, "fc1", "fc2", nullptr};

/// The settings of the model and of the task: "args" of older versions has both, "cfg" has objects in it.
json settings_in(const json& values, const char* part) {
  const json args = values.value("args", json());
  if (args.is_object()) return args;
  const json cfg = values.value("cfg", json());
  const json found = cfg.is_object() ? cfg.value(part, json()) : json();
  return found.is_object() ? found : json::object();
}

/// Settings of a side: "encoder_layers", or "layers" in the object "encoder".
class FairseqSide {
 public:
  FairseqSide(const ConfigFile& model, std::string side)
      : model_(model), nested_(model.section_or_empty(side)), side_(std::move(side)) {}

  const ConfigFile& place(const std::string& key) const { return nested_.contains(key) ? nested_ : model_; }
  std::string name(const std::string& key) const { return nested_.contains(key) ? key : side_ + "_" + key; }
  int64_t required(const std::string& key) const { return place(key).required(name(key), 1); }
  bool flag(const std::string& key) const { return place(key).flag(name(key), false); }
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    place(key).refuse(name(key), expected);
  }
  void expect_none(const std::string& key) const {
    if (place(key).contains(name(key))) refuse(key, "none");
  }

 private:
  const ConfigFile& model_;
  ConfigFile nested_;
  std::string side_;
};

class FairseqImport {
 public:
  FairseqImport(const std::string& path, const ToolkitFiles& given, Checkpoint checkpoint)
      : path_(path),
        given_(given),
        model_(settings_in(checkpoint.values, "model"), path),
        task_(settings_in(checkpoint.values, "task"), path),
        tensors_(fairseq_tensors(std::move(checkpoint.tensors))) {}

  Imported run() {
    refuse_other_kinds();
    read_options();
    take_vocabularies();
    const Order features = unchanged(options_.d_model);
    BundleWeights weights(*tensors_, options_, features);
    const bool scales = !model_.flag("no_scale_embedding", false);
    const double factor = scales ? std::sqrt(static_cast<double>(options_.d_model)) : 1;
    take_tables(*tensors_, {kSourceTable, kTargetTable, "decoder.output_projection.weight", "", factor, factor}, sides_,
                options_, weights);
    take_layers(weights);
    take_positions(weights);
    imported_.weights = weights.finish();
    configure(imported_.package, options_, sides_, path_);
    imported_.what = "a Transformer of fairseq";
    imported_.notes.push_back(
        fmt::format("the positions are a table; the longest sentence has {} tokens", options_.max_positions));
    return std::move(imported_);
  }

 private:
  static constexpr const char* kSourceTable = "encoder.embed_tokens.weight";
  static constexpr const char* kTargetTable = "decoder.embed_tokens.weight";

  void refuse_other_kinds() const {
    const std::string arch = model_.text("arch", model_.text("_name", "transformer"));
    if (!arch.starts_with("transformer") || arch.starts_with("transformer_lm")) {
      model_.refuse(model_.contains("arch") ? "arch" : "_name", "transformer, or one of its sizes");
    }
    const char* const reason = "a model of ours has no such part";
    for (const char* key : {"adaptive_input", "cross_self_attention", "no_cross_attention", "char_inputs",
                            "no_token_positional_embeddings"}) {
      model_.expect_flag(key, false, reason);
    }
    for (const char* key : {"adaptive_softmax_cutoff"}) {
      if (model_.contains(key)) model_.refuse(key, "none");
    }
    expect_number(model_, "base_layers", 0, reason);
    task_.expect_flag("append_source_id", false, "a source of ours does not end with a language");
    for (const FairseqSide* side : {&encoder_, &decoder_}) side->expect_none("layers_to_keep");
  }

  void read_options() {
    options_.heads = encoder_.required("attention_heads");
    options_.decoder_heads = architecture::decoder_setting(options_.heads, decoder_.required("attention_heads"));
    options_.d_model = matrix_shape(*tensors_, kSourceTable).second;
    for (const auto& [side, heads] :
         {std::pair(&encoder_, options_.heads), std::pair(&decoder_, options_.decoder_side().heads)}) {
      if (options_.d_model % heads == 0 && options_.d_model % 2 == 0 && options_.d_model >= 4) continue;
      side->refuse("attention_heads", fmt::format("a number of heads of which the width of the model, {}, is an even "
                                                  "multiple",
                                                  options_.d_model));
    }
    options_.encoder_layers = layers_of(*tensors_, "encoder.layers.");
    options_.decoder_layers = layers_of(*tensors_, "decoder.layers.");
    set_inner_widths(*tensors_, "encoder.layers.0.fc1.weight", "decoder.layers.0.fc1.weight", options_);
    options_.activation = activation_named(model_, "activation_fn", "relu",
                                           {{"relu", Activation::kRelu},
                                            {"gelu", Activation::kGelu},
                                            {"gelu_accurate", Activation::kGeluTanh},
                                            {"gelu_fast", Activation::kGeluTanh},
                                            {"swish", Activation::kSilu}});
    options_.dropout = dropout_of(model_, "dropout", 0.1);
    options_.attention_dropout = dropout_of(model_, "attention_dropout", 0);
    options_.activation_dropout = dropout_of(model_, "activation_dropout", 0);
    options_.embedding_norm = model_.flag("layernorm_embedding", false);
    options_.positions = architecture::Positions::kLearned;
    read_norms();
    read_positions();
  }
  /// Norms before blocks need one after the last layer, which old versions do not have.
  void read_norms() {
    const bool before = encoder_.flag("normalize_before");
    if (decoder_.flag("normalize_before") != before) {
      decoder_.refuse("normalize_before", before ? "true as in the encoder" : "false as in the encoder");
    }
    options_.norm = before ? NormPlace::kPre : NormPlace::kPost;
    if (!before) return;
    model_.expect_flag("no_decoder_final_norm", false, "a model of ours has a norm after the last layer");
    for (const auto& [name, least] : {std::pair("encoder", 2), std::pair("decoder", 3)}) {
      const std::string version = std::string(name) + ".version", norm = std::string(name) + ".layer_norm.weight";
      const std::vector<float> found = tensors_->contains(version) ? tensors_->floats(version) : std::vector<float>{1};
      if (!found.empty() && found[0] >= static_cast<float>(least) && tensors_->contains(norm)) continue;
      fail<ModelError>(path_, ": ", name, ": expected a norm after the last layer, as models of ours have with norms ",
                       "before blocks; an old version of fairseq, which had none, made this model");
    }
  }
  void read_positions() {
    const bool learned = encoder_.flag("learned_pos");
    if (decoder_.flag("learned_pos") != learned) {
      decoder_.refuse("learned_pos", learned ? "true as in the encoder" : "false as in the encoder");
    }
    options_.max_positions = architecture::kMostPositions;
    for (const auto& [key, table] : {std::pair("max_source_positions", source_positions()),
                                     std::pair("max_target_positions", target_positions())}) {
      const int64_t most = model_.integer(key, kMostOfFairseq, 8);
      const int64_t stored = learned ? matrix_shape(*tensors_, table).first - kFirstOfFairseq : most;
      options_.max_positions = std::min({options_.max_positions, most, stored});
    }
    if (options_.max_positions < 8) fail<ModelError>(path_, ": has a table of fewer than 8 positions");
  }
  static std::string source_positions() { return "encoder.embed_positions.weight"; }
  static std::string target_positions() { return "decoder.embed_positions.weight"; }

  std::string dictionary_path(size_t side, const char* key) const {
    if (!given_.vocabularies.empty()) return given_.vocabularies[std::min(side, given_.vocabularies.size() - 1)];
    const std::string language = task_.text(key, ""), folder = std::filesystem::path(path_).parent_path();
    std::string path = (folder.empty() ? "" : folder + "/") + "dict." + language + ".txt";
    const bool plain = !language.empty() && language.find('/') == std::string::npos;
    if (plain && files::exists(path)) return path;
    fail<ConfigError>("--vocabulary: ", plain ? path : path_ + " does not say its languages, and dict.LANGUAGE.txt",
                      " does not exist; give the dictionaries of source and target (dict.LANGUAGE.txt)");
  }
  TokenList tokens_in(const std::string& path) const {
    TokenList list{{parse_fairseq_dictionary(files::read_plain_file(path), path)}, path};
    list.tokens.pad = kFairseqPad;
    list.tokens.unk = kFairseqUnk;
    list.tokens.eos = list.tokens.start = kFairseqEos;
    return list;
  }
  void take_vocabularies() {
    const TokenList source = tokens_in(dictionary_path(0, "source_lang")),
                    target = tokens_in(dictionary_path(1, "target_lang"));
    check_row_count(source, *tensors_, kSourceTable);
    check_row_count(target, *tensors_, kTargetTable);
    take_token_lists(source, target, given_.tokenizers, MissingPieces::kUnknown, sides_, imported_.package,
                     imported_.notes);
  }

  void take_layers(BundleWeights& weights) const {
    LayerWeights layers(*tensors_, options_, weights, kFairseqNames);
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      const std::string name = "encoder.layers." + std::to_string(i);
      layers.attention(name + ".self_attn", name + ".self_attn");
      layers.feed_forward(name + ".feed_forward", name);
      layers.norm(name + ".sublayer.0.norm", name + ".self_attn_layer_norm");
      layers.norm(name + ".sublayer.1.norm", name + ".final_layer_norm");
    }
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      const std::string name = "decoder.layers." + std::to_string(i);
      layers.attention(name + ".self_attn", name + ".self_attn");
      layers.attention(name + ".src_attn", name + ".encoder_attn");
      layers.feed_forward(name + ".feed_forward", name);
      layers.norm(name + ".sublayer.0.norm", name + ".self_attn_layer_norm");
      layers.norm(name + ".sublayer.1.norm", name + ".encoder_attn_layer_norm");
      layers.norm(name + ".sublayer.2.norm", name + ".final_layer_norm");
    }
    for (const auto& [theirs, ours] : {std::pair<std::string, std::string>("encoder", "src_embed"),
                                       std::pair<std::string, std::string>("decoder", "tgt_embed")}) {
      weights.ignore(theirs + ".version");
      if (options_.has_final_norm()) layers.norm(theirs + ".norm", theirs + ".layer_norm");
      if (options_.embedding_norm) layers.norm(ours + ".1.norm", theirs + ".layernorm_embedding");
    }
  }
  void take_positions(BundleWeights& weights) const {
    const int64_t width = options_.d_model, count = options_.max_positions;
    for (const auto& [ours, theirs] : {std::pair<std::string, std::string>("src_embed.1.pe", source_positions()),
                                       std::pair<std::string, std::string>("tgt_embed.1.pe", target_positions())}) {
      if (!encoder_.flag("learned_pos")) {
        weights.set(ours, halved_sinusoids(kFirstOfFairseq, count, width, step_in_64_bits(width)));
        continue;
      }
      std::vector<float> table = weights.take(theirs, {matrix_shape(*tensors_, theirs).first, width});
      table.erase(table.begin(), table.begin() + kFirstOfFairseq * width);
      table.resize(static_cast<size_t>(count * width));
      weights.set(ours, std::move(table));
    }
  }

  const std::string& path_;
  const ToolkitFiles& given_;
  ConfigFile model_, task_;
  FairseqSide encoder_{model_, "encoder"}, decoder_{model_, "decoder"};
  std::unique_ptr<TensorSource> tensors_;
  TransformerOptions options_;
  Sides sides_;
  Imported imported_;
};

}  // namespace

std::vector<std::string> parse_fairseq_dictionary(const std::string& text, const std::string& where) {
  const std::string overwrite = " #fairseq:overwrite";
  std::vector<std::string> tokens{"<s>", "<pad>", "</s>", "<unk>"};
  std::set<std::string> known(tokens.begin(), tokens.end());
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find_last_not_of(" \r\t") + 1);
    const bool again = line.ends_with(overwrite);
    if (again) line.remove_suffix(overwrite.size());
    const size_t space = std::min(line.rfind(' '), line.size());
    const std::string_view digits = line.substr(std::min(space + 1, line.size()));
    int64_t count = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || stop != digits.data() + digits.size()) {
      fail<ModelError>(where, ":", number, ": expected TOKEN COUNT, as in a dictionary of fairseq");
    }
    std::string token(line.substr(0, space));
    if (!known.insert(token).second && !again) {
      fail<ModelError>(where, ":", number, ": the token '", core::cut_utf8(token, 60), "' is there twice");
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool is_fairseq(const std::string& path) {
  const std::vector<std::string> keys = checkpoint_keys(path);
  const auto has = [&](const char* key) { return std::ranges::find(keys, key) != keys.end(); };
  return has("model") && (has("args") || has("cfg"));
}

Imported from_fairseq(const std::string& path, const ToolkitFiles& files) {
  Checkpoint checkpoint = open_checkpoint(path, {{"model"}, {"args", "cfg"}});
  if (settings_in(checkpoint.values, "model").empty()) {
    fail<ModelError>(path, ": expected a checkpoint of fairseq with 'args' or 'cfg', found none");
  }
  return FairseqImport(path, files, std::move(checkpoint)).run();
}

}  // namespace ventris::imports
