#include "imports/huggingface_t5.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "architecture/relative_buckets.h"
#include "core/error.h"
#include "core/human.h"
#include "files/paths.h"
#include "imports/huggingface_folder.h"
#include "imports/huggingface_seq2seq.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::TransformerOptions;

constexpr const char* kT5Spm = "spiece.model";
constexpr int64_t kT5Positions = 1024;  // T5 has no limit
constexpr int64_t kSentinels = 100;     // of a tokenizer that does not say how many it adds

Activation t5_activation(const ConfigFile& config, const std::string& given, const std::string& name) {
  if (given == "gated-gelu" || name == "gelu_new" || name == "gelu_pytorch_tanh") return Activation::kGeluTanh;
  if (name == "relu") return Activation::kRelu;
  if (name == "gelu") return Activation::kGelu;
  if (name == "silu" || name == "swish") return Activation::kSilu;
  fail<ModelError>(config.path(), ": feed_forward_proj: expected relu, gelu, gelu_new, gelu_pytorch_tanh, silu or ",
                   "swish, or one of them after 'gated-', found '", given, "'");
}

/// The kind of feed-forward parts; other keys that say it, too, must agree.
void set_feed_forward(const ConfigFile& config, TransformerOptions& options) {
  const std::string usual = config.text("model_type", "") == "mt5" ? "gated-gelu" : "relu", gate = "gated-";
  const std::string given = config.text("feed_forward_proj", usual);
  options.gated_feed_forward = given.starts_with(gate);
  const std::string name = options.gated_feed_forward ? given.substr(gate.size()) : given;
  options.activation = t5_activation(config, given, name);
  config.expect_flag("is_gated_act", options.gated_feed_forward, "feed_forward_proj says so");
  const std::string dense = given == "gated-gelu" ? "gelu_new" : name, found = config.text("dense_act_fn", dense);
  if (found == dense) return;
  fail<ModelError>(config.path(), ": dense_act_fn: expected '", dense, "' as in feed_forward_proj, found '", found,
                   "'");
}

void set_buckets(const ConfigFile& config, TransformerOptions& options) {
  const char *buckets = "relative_attention_num_buckets", *distance = "relative_attention_max_distance";
  options.positions = architecture::Positions::kRelativeBias;
  options.relative_buckets = config.integer(buckets, TransformerOptions::kUsualBuckets, 1);
  options.relative_max_distance = config.integer(distance, TransformerOptions::kUsualDistance, 1);
  const int64_t least = architecture::RelativeBuckets::kLeast, most = kT5Positions;
  if (options.relative_buckets < least || options.relative_buckets > most || options.relative_buckets % 2 != 0) {
    fail<ModelError>(config.path(), ": ", buckets, ": expected an even number from ", least, " to ", most, ", found ",
                     options.relative_buckets);
  }
  if (options.relative_max_distance > options.relative_buckets / 2 && options.relative_max_distance <= most) return;
  fail<ModelError>(config.path(), ": ", distance, ": expected a number over ", options.relative_buckets / 2,
                   " and up to ", most, ", found ", options.relative_max_distance);
}

void refuse_other_t5(const ConfigFile& config) {
  config.expect_flag("is_encoder_decoder", true, "a model that has only an encoder cannot be imported");
  config.expect_flag("is_decoder", false, "a model that has only a decoder cannot be imported");
}

TransformerOptions t5_options(const ConfigFile& config) {
  refuse_other_t5(config);
  TransformerOptions options;
  options.d_model = config.required("d_model", 1);
  options.d_ff = config.required("d_ff", 1);
  options.heads = config.required("num_heads", 1);
  options.encoder_layers = config.required("num_layers", 1);
  options.decoder_layers = config.integer("num_decoder_layers", options.encoder_layers, 1);
  options.d_k = options.d_v = config.required("d_kv", 1);
  options.max_positions = kT5Positions;
  options.dropout = config.number("dropout_rate", 0.1);
  options.norm_epsilon = config.number("layer_norm_epsilon", 1e-6);
  if (!(options.norm_epsilon > 0)) fail<ModelError>(config.path(), ": layer_norm_epsilon: expected a number over 0");
  options.norm_kind = architecture::NormKind::kRms;
  options.attention_bias = options.scale_embeddings = false;
  set_feed_forward(config, options);
  set_buckets(config, options);
  return options;
}

/// What the states of the decoder are multiplied with before the output layer. Whether a T5 does so at all, its
/// config.json says with a key whose name is about something else, or, since transformers 5, with one of its own.
float output_factor(const ConfigFile& config, const TransformerOptions& options) {
  const bool scales = config.text("model_type", "") == "t5" &&
                      config.flag("scale_decoder_outputs", config.flag("tie_word_embeddings", true));
  return scales ? 1 / std::sqrt(static_cast<float>(options.d_model)) : 1;
}

void multiply(std::vector<float>& values, float factor) {
  for (float& value : values) value *= factor;
}

/// Takes the layers of both sides. T5 has no biases: those that ours has are zeros.
class T5Layers {
 public:
  T5Layers(const TransformerOptions& options, BundleWeights& weights) : options_(options), weights_(weights) {}

  void encoder() {
    for (int64_t i = 0; i < options_.encoder_layers; ++i) {
      const auto [ours, theirs] = layer("encoder", i, 1);
      feed_forward(ours + ".feed_forward", theirs + "1.DenseReluDense");
    }
    side("encoder", 1);
  }
  /// `factor`: of what the output layer gets.
  void decoder(float factor) {
    for (int64_t i = 0; i < options_.decoder_layers; ++i) {
      const auto [ours, theirs] = layer("decoder", i, 2);
      attention(ours + ".src_attn", theirs + "1.EncDecAttention");
      feed_forward(ours + ".feed_forward", theirs + "2.DenseReluDense");
    }
    side("decoder", factor);
    weights_.ignore("decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight");  // of old files, unused
  }

 private:
  /// Self-attention, and the norms up to number `last`. Returns our name of the layer, and the beginning of theirs.
  std::pair<std::string, std::string> layer(const std::string& side, int64_t i, int last) {
    const std::string number = std::to_string(i), ours = side + ".layers." + number;
    const std::string theirs = side + ".block." + number + ".layer.";
    attention(ours + ".self_attn", theirs + "0.SelfAttention");
    for (int norm = 0; norm <= last; ++norm) {
      const std::string of = std::to_string(norm);
      take(ours + ".sublayer." + of + ".norm.weight", theirs + of + ".layer_norm.weight", {options_.d_model});
    }
    return {ours, theirs};
  }
  /// T5 does not divide scores by the root of the width of a head.
  void attention(const std::string& ours, const std::string& theirs) {
    const int64_t width = options_.d_model, inner = options_.heads * options_.key_width();
    std::vector<float> queries = weights_.take(theirs + ".q.weight", {inner, width});
    multiply(queries, std::sqrt(static_cast<float>(options_.key_width())));
    weights_.set(ours + ".linears.0.weight", std::move(queries));
    take(ours + ".linears.1.weight", theirs + ".k.weight", {inner, width});
    take(ours + ".linears.2.weight", theirs + ".v.weight", {inner, width});
    take(ours + ".linears.3.weight", theirs + ".o.weight", {width, inner});
  }
  void feed_forward(const std::string& ours, const std::string& theirs) {
    const bool gated = options_.gated_feed_forward;
    matrix(ours + ".w_1", theirs + (gated ? ".wi_0" : ".wi"), options_.d_ff, options_.d_model);
    if (gated) matrix(ours + ".w_3", theirs + ".wi_1", options_.d_ff, options_.d_model);
    matrix(ours + ".w_2", theirs + ".wo", options_.d_model, options_.d_ff);
  }
  void side(const std::string& side, float factor) {
    take(side + ".relative_bias.weight", side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
         {options_.relative_buckets, options_.heads});
    std::vector<float> norm = weights_.take(side + ".final_layer_norm.weight", {options_.d_model});
    multiply(norm, factor);
    weights_.set(side + ".norm.weight", std::move(norm));
  }
  void matrix(const std::string& ours, const std::string& theirs, int64_t out, int64_t in) {
    take(ours + ".weight", theirs + ".weight", {out, in});
    weights_.set(ours + ".bias", std::vector<float>(static_cast<size_t>(out), 0.0F));
  }
  void take(const std::string& ours, const std::string& theirs, const std::vector<int64_t>& shape) {
    weights_.set(ours, weights_.take(theirs, shape));
  }

  const TransformerOptions& options_;
  BundleWeights& weights_;
};

/// The tokenizer of a folder.
class T5Tokens {
 public:
  T5Tokens(const std::string& folder, const ConfigFile& config)
      : folder_(folder), config_(config), spm_(huggingface_spm(folder, kT5Spm)) {
    sides_.source_rows = sides_.target_rows = huggingface_rows(config, "vocab_size");
    sides_.source = new_vocabulary(vocabulary(), {spm_}, folder);
    find_languages();
    mark_control();
    sides_.target = sides_.source;
  }

  const Sides& sides() const { return sides_; }
  std::string new_model() const { return new_spm(spm_, sides_.source); }
  const model::LanguageMap& languages() const { return languages_; }

 private:
  /// A row is that of the SentencePiece model. Sentinels follow, the last one first, and then rows without tokens.
  Vocabulary vocabulary() const {
    const auto model = text::parse_model_proto(spm_);
    const auto rows = static_cast<size_t>(sides_.source_rows);
    if (model->pieces.size() > rows) {
      fail<ModelError>(folder_, "/", kT5Spm, ": expected at most ", rows, " pieces as in config.json, found ",
                       model->pieces.size());
    }
    Vocabulary found;
    for (const text::ModelPiece& piece : model->pieces) {
      if (piece.type == text::PieceType::kUnknown) found.unk = static_cast<int64_t>(found.texts.size());
      found.texts.emplace_back(piece.text);
    }
    for (int64_t i = sentinels() - 1; i >= 0 && found.texts.size() < rows; --i) {
      found.texts.push_back("<extra_id_" + std::to_string(i) + ">");
    }
    found.texts.resize(rows);
    found.eos = config_.required("eos_token_id");
    found.pad = config_.required("pad_token_id");
    found.start = config_.integer("decoder_start_token_id", found.pad);
    return found;
  }
  int64_t sentinels() const {
    const std::string name = "tokenizer_config.json";
    if (!files::exists(folder_ + "/" + name)) return kSentinels;
    return ConfigFile(folder_ + "/" + name).integer("extra_ids", kSentinels);
  }

  /// The code of a tag such as "<2de>"; empty = it is none.
  static std::string code_of(const std::string& piece) {
    const std::string before = "<2";
    const bool tag = piece.size() > before.size() + 2 && piece.starts_with(before) && piece.ends_with('>') &&
                     piece.find_first_of("<> ", 1) == piece.size() - 1;
    return tag ? piece.substr(before.size(), piece.size() - before.size() - 1) : "";
  }
  /// While tags can still be found in texts: the pieces before a source are those of the text before it.
  void find_languages() {
    const text::Tokenizer tokenizer(new_model(), folder_ + "/" + kT5Spm);
    for (const std::string& piece : sides_.source.texts) {
      if (const std::string code = code_of(piece); !code.empty()) add_language(tokenizer, code, piece, piece);
    }
    if (languages_.empty()) add_tasks(tokenizer);
  }
  void add_language(const text::Tokenizer& tokenizer, const std::string& code, const std::string& before,
                    const std::string& tag) {
    constexpr size_t kMostPieces = 8;
    std::vector<std::string> pieces;
    for (const int32_t id : tokenizer.encode(before)) pieces.push_back(tokenizer.piece(id));
    if (!tag.empty() && (pieces.empty() || pieces.back() != tag)) pieces = {tag};  // it is not found in texts
    if (!pieces.empty() && pieces.size() <= kMostPieces) languages_[code].to_prefix = std::move(pieces);
  }
  /// {"translation_en_to_de": {"prefix": "translate English to German: "}}
  void add_tasks(const text::Tokenizer& tokenizer) {
    const nlohmann::json config = huggingface_json(folder_, "config.json");
    const auto tasks = config.find("task_specific_params");
    if (tasks == config.end() || !tasks->is_object()) return;
    for (const auto& [name, task] : tasks->items()) {
      const std::string before = "translation_en_to_";
      const nlohmann::json prefix = task.is_object() ? task.value("prefix", nlohmann::json()) : nlohmann::json();
      if (!name.starts_with(before) || name.size() == before.size() || !prefix.is_string()) continue;
      add_language(tokenizer, name.substr(before.size()), prefix.get<std::string>(), "");
    }
  }
  /// Rows without tokens, sentinels and tags of languages are no text.
  void mark_control() {
    NewVocabulary& made = sides_.source;
    for (size_t id = 0; id < made.texts.size(); ++id) {
      const std::string& text = made.texts[id];
      const bool filler = text.starts_with("<row ") && static_cast<int64_t>(id) < made.own_rows;
      if (filler || text.starts_with("<extra_id_") || !code_of(text).empty()) made.control.insert(text);
    }
  }

  const std::string& folder_;
  const ConfigFile& config_;
  std::string spm_;
  Sides sides_;
  model::LanguageMap languages_;
};

std::vector<std::string> t5_notes(const T5Tokens& tokens) {
  std::vector<std::string> notes{
      fmt::format("it has no limit of positions; the longest sentence here has {} tokens", kT5Positions)};
  if (const auto count = static_cast<int64_t>(tokens.languages().size()); count > 0) {
    notes.push_back(
        fmt::format("it translates into {}; --target-language says into which", core::count_of(count, "language")));
  }
  return notes;
}

}  // namespace

Imported from_t5_folder(const std::string& path) {
  const ConfigFile config(path + "/config.json");
  TransformerOptions options = t5_options(config);
  const T5Tokens tokens(path, config);
  Imported imported;
  model::Package& package = imported.package;
  package.source_spm = package.target_spm = tokens.new_model();
  const auto tensors = huggingface_weights(path);
  const Order features = unchanged(options.d_model);
  BundleWeights weights(*tensors, options, features);
  take_tokens(*tensors, tokens.sides(), "", options, weights);
  T5Layers layers(options, weights);
  layers.encoder();
  layers.decoder(output_factor(config, options));
  imported.weights = weights.finish();
  configure(package, options, tokens.sides(), path);
  package.config.decoding = huggingface_decoding(path, config);
  package.config.tokenizer.languages = tokens.languages();
  imported.what =
      std::string(config.text("model_type", "") == "mt5" ? "an mT5" : "a T5") + " of Hugging Face's transformers";
  imported.notes = t5_notes(tokens);
  return imported;
}

}  // namespace ventris::imports
