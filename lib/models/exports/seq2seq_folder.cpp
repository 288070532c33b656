#include "exports/seq2seq_folder.h"

#include <array>
#include <list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "exports/transformer_settings.h"
#include "model/floats.h"
#include "text/model_proto.h"
#include "text/tokenizer.h"

namespace ventris::exports {
namespace {

using architecture::Activation;
using architecture::NormPlace;
using architecture::TransformerOptions;
using architecture::Tying;
using nlohmann::json;

constexpr double kNormEpsilon = 1e-5;  // of both architectures; no setting changes it

/// The program, with the settings that both architectures have.
const OtherProgram& program() {
  static const OtherProgram kTransformers{"transformers",
                                          {{"norm", {"post"}},
                                           {"activation", {"gelu", "silu", "gelu_tanh", "gelu_sigmoid"}},
                                           {"scale_embeddings", {false}}},
                                          {"decoder_heads", "decoder_d_ff"}};
  return kTransformers;
}

const char* activation_name(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return "relu";
    case Activation::kGelu: return "gelu";
    case Activation::kSilu: return "swish";
    case Activation::kGeluTanh: return "gelu_pytorch_tanh";
    case Activation::kGeluSigmoid: return "quick_gelu";
  }
  throw std::logic_error("transformers: an activation without a name");
}

bool is_marian(const TransformerOptions& options) { return options.norm == NormPlace::kPost; }

void check_shape(const TransformerOptions& options, const std::string& path) {
  const auto refuse = [&](const char* key, const std::string& why) {
    fail<ModelError>(path, "/config.json: model.", key, ": ", why);
  };
  if (options.norm_epsilon != kNormEpsilon) {
    refuse("norm_epsilon", "transformers has only 1e-05 here, found " + json(options.norm_epsilon).dump() +
                               "; train a model without this setting");
  }
  if (options.d_model % 2 != 0) refuse("d_model", "expected an even number for transformers");
  if (is_marian(options) || options.tying == Tying::kAll) return;
  refuse(
      "tying",
      "a model with norms before its blocks (\"norm\": \"pre\") becomes a Pegasus of transformers, which has one table "
      "for both sides; train with \"tying\": \"all\" or \"norm\": \"post\"");
}

/// A user can write a token before a source, as ">>por<<" of MarianMT; other tokens of languages have no place.
void check_languages(const model::LanguageMap& languages, const std::string& path) {
  for (const auto& [name, tokens] : languages) {
    if (!tokens.marks_sources() && tokens.target_prefix.empty()) continue;
    fail<ModelError>(path, "/config.json: tokenizer.languages.", name,
                     ": the tokenizer of MarianMT has no place for the tokens of source languages and the start of a ",
                     "translation; use --format ctranslate2, whose callers give them");
  }
}

json config_of(const TransformerOptions& options, const core::SpecialIds& ids) {
  json config{{"architectures", {is_marian(options) ? "MarianMTModel" : "PegasusForConditionalGeneration"}},
              {"model_type", is_marian(options) ? "marian" : "pegasus"},
              {"d_model", options.d_model},
              {"num_hidden_layers", options.encoder_layers},
              {"activation_function", activation_name(options.activation)},
              {"dropout", options.dropout},
              {"attention_dropout", options.attention_dropout.value_or(options.dropout)},
              {"activation_dropout", options.activation_dropout.value_or(options.dropout)},
              {"max_position_embeddings", options.max_positions},
              {"scale_embedding", options.scale_embeddings},
              {"vocab_size", options.src_vocab},
              {"is_encoder_decoder", true},
              {"pad_token_id", ids.pad},
              {"bos_token_id", ids.bos},
              {"eos_token_id", ids.eos},
              {"forced_eos_token_id", ids.eos},
              {"decoder_start_token_id", ids.bos},
              {"tie_word_embeddings", options.tying != Tying::kNone},
              {"torch_dtype", "float32"}};
  config["encoder_layers"] = options.encoder_layers;
  config["decoder_layers"] = options.decoder_layers;
  for (const auto& [name, side] : {std::pair("encoder", options.encoder_side()), {"decoder", options.decoder_side()}}) {
    config[std::string(name) + "_attention_heads"] = side.heads;
    config[std::string(name) + "_ffn_dim"] = side.d_ff;
  }
  if (is_marian(options)) {
    config["share_encoder_decoder_embeddings"] = options.tying == Tying::kAll;
    config["decoder_vocab_size"] = options.tgt_vocab;
  }
  return config;
}

json generation_of(const model::Package& package, const TransformerOptions& options) {
  const core::SpecialIds& ids = package.config.tokenizer.ids;
  return {{"num_beams", package.config.decoding.beam_size},
          {"length_penalty", package.config.decoding.length_alpha},
          {"max_length", options.max_positions},
          {"bad_words_ids", {{ids.pad}, {ids.unk}, {ids.bos}}},
          {"pad_token_id", ids.pad},
          {"bos_token_id", ids.bos},
          {"eos_token_id", ids.eos},
          {"forced_eos_token_id", ids.eos},
          {"decoder_start_token_id", ids.bos}};
}

/// The tensors under the names of transformers.
class Seq2SeqWriter {
 public:
  Seq2SeqWriter(const model::Safetensors& weights, const TransformerOptions& options)
      : weights_(weights), options_(options) {}

  std::string file() {
    stack("encoder", options_.encoder_layers, options_.d_ff, {"self_attn_layer_norm", "final_layer_norm"});
    stack("decoder", options_.decoder_layers, options_.decoder_side().d_ff,
          {"self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"});
    tables();
    std::vector<float> bias = model::floats_of(weights_, weights_.at("generator.proj.bias"));
    bias.resize(static_cast<size_t>(options_.tgt_vocab));
    add("final_logits_bias", {1, options_.tgt_vocab}, std::move(bias));
    return model::write_safetensors(views_, {{"format", "pt"}});
  }

 private:
  enum class Features { kInputs, kOutputs };

  /// The elements of a tensor; 0 if the model does not have it.
  std::vector<float> values(const std::string& name, int64_t count) const {
    if (!weights_.contains(name)) return std::vector<float>(static_cast<size_t>(count), 0.0F);
    return model::floats_of(weights_, weights_.at(name));
  }
  void add(const std::string& name, const std::vector<int64_t>& shape, std::vector<float> elements) {
    const std::vector<float>& kept = kept_.emplace_back(std::move(elements));
    views_.push_back(
        {name, model::DType::kF32, shape, {reinterpret_cast<const char*>(kept.data()), kept.size() * sizeof(float)}});
  }
  /// Our feature that is number i there.
  int64_t feature(int64_t i) const {
    const int64_t half = options_.d_model / 2;
    return i < half ? 2 * i : 2 * (i - half) + 1;
  }
  /// [rows, d_model] with the features in the order of transformers.
  std::vector<float> columns(const std::vector<float>& ours) const {
    std::vector<float> theirs(ours.size());
    const auto width = static_cast<size_t>(options_.d_model);
    for (size_t row = 0; row < ours.size(); row += width) {
      for (size_t i = 0; i < width; ++i)
        theirs[row + i] = ours[row + static_cast<size_t>(feature(static_cast<int64_t>(i)))];
    }
    return theirs;
  }
  /// [d_model, count], the same for rows.
  std::vector<float> rows(const std::vector<float>& ours, int64_t count) const {
    std::vector<float> theirs;
    for (int64_t i = 0; i < options_.d_model; ++i) {
      const auto first = ours.begin() + feature(i) * count;
      theirs.insert(theirs.end(), first, first + count);
    }
    return theirs;
  }

  void linear(const std::string& theirs, const std::string& ours, int64_t out, int64_t in, Features features) {
    const std::vector<float> weight = values(ours + ".weight", out * in), bias = values(ours + ".bias", out);
    const bool outputs = features == Features::kOutputs;
    add(theirs + ".weight", {out, in}, outputs ? rows(weight, in) : columns(weight));
    add(theirs + ".bias", {out}, outputs ? columns(bias) : bias);
  }
  void norm(const std::string& theirs, const std::string& ours) {
    for (const char* part : {".weight", ".bias"}) {
      add(theirs + part, {options_.d_model}, columns(values(ours + part, options_.d_model)));
    }
  }
  void attention(const std::string& theirs, const std::string& ours) {
    constexpr std::array<const char*, 4> kNames{"q_proj", "k_proj", "v_proj", "out_proj"};
    for (size_t i = 0; i < kNames.size(); ++i) {
      const Features features = i + 1 == kNames.size() ? Features::kOutputs : Features::kInputs;
      linear(theirs + "." + kNames[i], ours + ".linears." + std::to_string(i), options_.d_model, options_.d_model,
             features);
    }
  }
  void stack(const std::string& side, int64_t layers, int64_t inner, const std::vector<std::string>& norms) {
    for (int64_t i = 0; i < layers; ++i) {
      const std::string ours = side + ".layers." + std::to_string(i), theirs = "model." + ours;
      attention(theirs + ".self_attn", ours + ".self_attn");
      if (norms.size() > 2) attention(theirs + ".encoder_attn", ours + ".src_attn");
      linear(theirs + ".fc1", ours + ".feed_forward.w_1", inner, options_.d_model, Features::kInputs);
      linear(theirs + ".fc2", ours + ".feed_forward.w_2", options_.d_model, inner, Features::kOutputs);
      for (size_t n = 0; n < norms.size(); ++n) {
        norm(theirs + "." + norms[n], ours + ".sublayer." + std::to_string(n) + ".norm");
      }
    }
    if (options_.has_final_norm()) norm("model." + side + ".layer_norm", side + ".norm");
  }

  /// `vocab`: its first rows.
  void table(const std::string& theirs, const std::string& ours, int64_t vocab) {
    std::vector<float> rows = model::floats_of(weights_, weights_.at(ours));
    rows.resize(static_cast<size_t>(vocab * options_.d_model));
    add(theirs, {vocab, options_.d_model}, columns(rows));
  }
  /// A tied table is stored once.
  void tables() {
    if (options_.tying == Tying::kAll)
      return table("model.shared.weight", "src_embed.0.lut.weight", options_.src_vocab);
    table("model.encoder.embed_tokens.weight", "src_embed.0.lut.weight", options_.src_vocab);
    table("model.decoder.embed_tokens.weight", "tgt_embed.0.lut.weight", options_.tgt_vocab);
    if (options_.tying == Tying::kNone) table("lm_head.weight", "generator.proj.weight", options_.tgt_vocab);
  }

  const model::Safetensors& weights_;
  const TransformerOptions& options_;
  std::list<std::vector<float>> kept_;
  std::vector<model::TensorView> views_;
};

/// How many pieces the model knows. Those behind them are unk, and have no row in transformers.
int64_t known_pieces(const std::string& spm) {
  const auto proto = text::parse_model_proto(spm);
  return static_cast<int64_t>(proto->foreign.unknown_from > 0 ? proto->foreign.unknown_from : proto->pieces.size());
}

/// The ids of the first `count` pieces by their text.
std::string vocabulary_file(const std::string& spm, int64_t count) {
  const auto proto = text::parse_model_proto(spm);
  json ids = json::object();
  for (int64_t id = 0; id < count; ++id) ids[std::string(proto->pieces[static_cast<size_t>(id)].text)] = id;
  return ids.dump() + "\n";
}

std::string tokenizer_config(const TransformerOptions& options, bool separate) {
  const json config{{"tokenizer_class", "MarianTokenizer"},
                    {"source_lang", "source"},
                    {"target_lang", "target"},
                    {"eos_token", "</s>"},
                    {"unk_token", "<unk>"},
                    {"pad_token", "<pad>"},
                    {"model_max_length", options.max_positions},
                    {"separate_vocabs", separate}};
  return config.dump(2) + "\n";
}

}  // namespace

std::vector<files::NamedBytes> to_seq2seq_folder(const model::Bundle& bundle) {
  const model::Package& package = bundle.package;
  TransformerOptions options = transformer_for(program(), package);
  check_shape(options, package.path);
  options.src_vocab = known_pieces(package.source_spm);
  options.tgt_vocab = known_pieces(package.target_spm);
  const model::TokenizerPolicy& policy = package.config.tokenizer;
  check_languages(policy.languages, package.path);
  if (!policy.source_eos) {
    fail<ModelError>(package.path,
                     "/config.json: tokenizer.source_eos: the tokenizer of transformers always adds </s> to ",
                     "a source, found false");
  }
  for (const std::string* spm : {&package.source_spm, &package.target_spm}) {
    if (!text::parse_model_proto(*spm)->foreign.whole_words) continue;
    fail<ModelError>(package.path,
                     ": its tokenizer takes words between spaces as they are, which that of transformers ",
                     "cannot; use --format ctranslate2");
  }
  const bool separate = !policy.shared && !policy.common_ids;
  std::vector<files::NamedBytes> files{{"config.json", config_of(options, policy.ids).dump(2) + "\n"},
                                       {"generation_config.json", generation_of(package, options).dump(2) + "\n"},
                                       {"model.safetensors", Seq2SeqWriter(bundle.weights, options).file()},
                                       {"source.spm", package.source_spm},
                                       {"target.spm", package.target_spm},
                                       {"tokenizer_config.json", tokenizer_config(options, separate)},
                                       {"vocab.json", vocabulary_file(package.source_spm, options.src_vocab)}};
  if (separate) files.emplace_back("target_vocab.json", vocabulary_file(package.target_spm, options.tgt_vocab));
  return files;
}

}  // namespace ventris::exports
