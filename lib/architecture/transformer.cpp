#include "architecture/transformer.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "architecture/reading.h"
#include "core/error.h"

namespace ventris::architecture {
namespace {

using core::Choices;
using core::JsonReader;
using core::name_of;
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
const Choices<Tying>& tyings() {
  static const Choices<Tying> all{{"none", Tying::kNone}, {"decoder", Tying::kDecoder}, {"all", Tying::kAll}};
  return all;
}

constexpr int64_t kMostPositions = 1 << 16;  // each takes memory, even if no stored tensor has this size

/// The settings that may override the general dropout.
template <typename Options>
auto dropout_places(Options& options) {
  return std::vector{std::pair{"attention_dropout", &options.attention_dropout},
                     std::pair{"activation_dropout", &options.activation_dropout},
                     std::pair{"embedding_dropout", &options.embedding_dropout}};
}

TransformerOptions read_options(JsonReader& reader) {
  TransformerOptions options;
  read_size(reader, "d_model", options.d_model);
  read_size(reader, "d_ff", options.d_ff);
  read_size(reader, "heads", options.heads);
  read_size(reader, "encoder_layers", options.encoder_layers);
  read_size(reader, "decoder_layers", options.decoder_layers);
  read_size(reader, "max_positions", options.max_positions, 8, kMostPositions);
  read_dropout(reader, "dropout", options.dropout);
  for (const auto& [key, place] : dropout_places(options)) {
    if (!reader.has(key)) continue;
    double value = 0;
    read_dropout(reader, key, value);
    *place = value;
  }
  reader.choice("norm", options.norm, norms());
  reader.choice("activation", options.activation, activations());
  reader.choice("positions", options.positions, positions());
  reader.choice("tying", options.tying, tyings());
  if (options.d_model % options.heads != 0) {
    fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", options.heads, "), got ",
                      options.d_model);
  }
  return options;
}

/// Names and shapes of the parameters, in the order in which the modules of nn/transformer.h register them.
class TensorList {
 public:
  TensorList(const TransformerOptions& options, const Architecture::TensorVisitor& visit)
      : options_(options), visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out) const {
    visit_(name + ".weight", {out, in});
    visit_(name + ".bias", {out});
  }
  void norm(const std::string& name) const {
    visit_(name + ".weight", {options_.d_model});
    visit_(name + ".bias", {options_.d_model});
  }
  void attention(const std::string& name) const {
    for (int i = 0; i < 4; ++i) linear(name + ".linears." + std::to_string(i), options_.d_model, options_.d_model);
  }
  void layer(const std::string& name, bool decoder) const {
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
  }

 private:
  const TransformerOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace

ArchitecturePtr parse_transformer(JsonReader& reader) {
  return std::make_shared<const TransformerArchitecture>(read_options(reader));
}

json TransformerArchitecture::to_json() const {
  json out{{"d_model", options.d_model},
           {"d_ff", options.d_ff},
           {"heads", options.heads},
           {"encoder_layers", options.encoder_layers},
           {"decoder_layers", options.decoder_layers},
           {"max_positions", options.max_positions},
           {"dropout", options.dropout},
           {"norm", name_of(options.norm, norms())},
           {"activation", name_of(options.activation, activations())},
           {"positions", name_of(options.positions, positions())},
           {"tying", name_of(options.tying, tyings())}};
  for (const auto& [key, place] : dropout_places(options)) {
    if (place->has_value()) out[key] = **place;
  }
  return out;
}

ArchitecturePtr TransformerArchitecture::with_vocabularies(int64_t src_vocab, int64_t tgt_vocab) const {
  TransformerOptions changed = options;
  changed.src_vocab = src_vocab;
  changed.tgt_vocab = tgt_vocab;
  return std::make_shared<const TransformerArchitecture>(changed);
}

void TransformerArchitecture::check_tokenizers(bool shared) const {
  if (options.tying != Tying::kAll || shared) return;
  fail<ConfigError>(
      "model.tying: 'all' shares the embeddings of both sides, which needs one tokenizer (\"tokenizer\": "
      "{\"shared\": true}); use 'decoder' or 'none', or one tokenizer");
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
