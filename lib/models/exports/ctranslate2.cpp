#include "exports/ctranslate2.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "architecture/sinusoids.h"
#include "exports/ctranslate2_file.h"
#include "exports/transformer_settings.h"
#include "model/floats.h"
#include "text/tokenizer.h"

namespace ventris::exports {
namespace {

using architecture::Activation;
using architecture::NormPlace;
using architecture::Positions;
using architecture::Tying;
using nlohmann::json;

constexpr const char* kSourceTokens = "encoder/embeddings_0/weight";
constexpr const char* kTargetTokens = "decoder/embeddings/weight";
constexpr const char* kOutputTokens = "decoder/projection/weight";

const OtherProgram kCTranslate2{"CTranslate2",
                                {{"norm", {"post"}},
                                 {"final_norm", {true}},
                                 {"norm_kind", {"rms"}},
                                 {"activation", {"gelu", "silu", "gelu_tanh", "gelu_sigmoid"}},
                                 {"scale_embeddings", {false}},
                                 {"gated_feed_forward", {true}},
                                 {"positions", {"learned", "sinusoidal_halves"}},
                                 {"zero_start", {true}},
                                 {"embedding_norm", {true}}},
                                {"decoder_heads", "decoder_d_ff"}};

/// Numbers of CTranslate2.
int8_t number_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return 0;
    case Activation::kGeluTanh: return 1;
    case Activation::kSilu: return 2;
    case Activation::kGelu: return 3;
    case Activation::kGeluSigmoid: return 4;
  }
  throw std::logic_error("CTranslate2: an activation without a number");
}

/// Writes the parts of a model under the names of CTranslate2. It has scopes ("encoder/layer_0/ffn") where a bundle has
/// modules ("encoder.layers.0.feed_forward").
class Writer {
 public:
  Writer(const model::Bundle& bundle, const architecture::TransformerOptions& options)
      : weights_(bundle.weights), options_(options), guided_(bundle.package.config.guided_attention) {}

  std::string file() {
    side("encoder", "src_embed", options_.encoder_layers, {"self_attn"});
    side("decoder", "tgt_embed", options_.decoder_layers, {"self_attn", "src_attn"});
    file_.number("encoder/num_heads", static_cast<int16_t>(options_.heads));
    file_.number("decoder/num_heads", static_cast<int16_t>(options_.decoder_side().heads));
    file_.flag("encoder/embeddings_merge", 0);
    file_.number("decoder/alignment_heads", 1);
    const bool learnt = guided_.layer > 0 && guided_.head == 1 && !guided_.reading;  // there: the first heads
    file_.number("decoder/alignment_layer", learnt ? static_cast<int16_t>(guided_.layer - 1) : -1);  // -1 = the last
    embeddings();
    positions();
    return file_.bytes();
  }

 private:
  std::vector<float> values(const std::string& name) const { return model::floats_of(weights_, weights_.at(name)); }

  void tensor(const std::string& to, const std::string& from) {
    file_.tensor(to, weights_.at(from).shape, values(from));
  }

  /// Linear layers side by side. They have a bias if the first one has.
  void linear(const std::string& to, const std::vector<std::string>& from) {
    std::vector<float> weight, bias;
    const auto append = [](std::vector<float>& all, const std::vector<float>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    int64_t rows = 0;
    for (const std::string& layer : from) {
      append(weight, values(layer + ".weight"));
      rows += weights_.at(layer + ".weight").shape.front();
      if (weights_.contains(layer + ".bias")) append(bias, values(layer + ".bias"));
    }
    file_.tensor(to + "/weight", {rows, weights_.at(from.front() + ".weight").shape.back()}, weight);
    if (!bias.empty()) file_.tensor(to + "/bias", {rows}, bias);
  }

  void norm(const std::string& to, const std::string& from) {
    tensor(to + "/gamma", from + ".weight");
    if (weights_.contains(from + ".bias")) tensor(to + "/beta", from + ".bias");  // without, it is an RMSNorm
  }

  /// Self-attention has queries, keys and values in one layer; attention to the source has queries in one layer, and
  /// keys and values in the next.
  void attention(const std::string& to, const std::string& from) {
    const auto projection = [&](int i) { return from + ".linears." + std::to_string(i); };
    if (from.ends_with(".self_attn")) {
      linear(to + "/linear_0", {projection(0), projection(1), projection(2)});
      linear(to + "/linear_1", {projection(3)});
    } else {
      linear(to + "/linear_0", {projection(0)});
      linear(to + "/linear_1", {projection(1), projection(2)});
      linear(to + "/linear_2", {projection(3)});
    }
  }

  void layer(const std::string& to, const std::string& from, const std::vector<std::string>& blocks) {
    const auto block_norm = [&](size_t i) { return from + ".sublayer." + std::to_string(i) + ".norm"; };
    for (size_t i = 0; i < blocks.size(); ++i) {
      const std::string scope = to + (blocks[i] == "self_attn" ? "/self_attention" : "/attention");
      attention(scope, from + "." + blocks[i]);
      norm(scope + "/layer_norm", block_norm(i));
    }
    linear(to + "/ffn/linear_0", {from + ".feed_forward.w_1"});
    if (options_.gated_feed_forward) linear(to + "/ffn/linear_0_noact", {from + ".feed_forward.w_3"});
    linear(to + "/ffn/linear_1", {from + ".feed_forward.w_2"});
    norm(to + "/ffn/layer_norm", block_norm(blocks.size()));
  }

  void side(const std::string& name, const std::string& embedding, int64_t layers,
            const std::vector<std::string>& blocks) {
    for (int64_t i = 0; i < layers; ++i) {
      const std::string number = std::to_string(i);
      layer(name + "/layer_" + number, name + ".layers." + number, blocks);
    }
    if (options_.has_final_norm()) norm(name + "/layer_norm", name + ".norm");
    if (options_.embedding_norm) norm(name + "/layernorm_embedding", embedding + ".1.norm");
    file_.flag(name + "/pre_norm", options_.norm == NormPlace::kPre ? 1 : 0);
    file_.flag(name + "/activation", number_of(options_.activation));
    file_.flag(name + "/scale_embeddings", options_.scale_embeddings ? 1 : 0);
  }

  /// Tied matrices are stored once.
  void embeddings() {
    tensor(kSourceTokens, "src_embed.0.lut.weight");
    if (options_.tying == Tying::kAll) {
      file_.alias(kTargetTokens, kSourceTokens);
      file_.alias(kOutputTokens, kSourceTokens);
    } else {
      tensor(kTargetTokens, "tgt_embed.0.lut.weight");
      if (options_.tying == Tying::kDecoder) file_.alias(kOutputTokens, kTargetTokens);
    }
    if (options_.tying == Tying::kNone) tensor(kOutputTokens, "generator.proj.weight");
    tensor("decoder/projection/bias", "generator.proj.bias");
  }

  /// Also sinusoids, because those of CTranslate2 begin with position 1, and have all sines before the cosines.
  void positions() {
    const std::string source = "encoder/position_encodings/encodings", target = "decoder/position_encodings/encodings";
    const std::vector<int64_t> shape{options_.max_positions, options_.d_model};
    if (options_.positions == Positions::kLearned) {
      file_.tensor(source, shape, values("src_embed.1.pe"));
      file_.tensor(target, shape, values("tgt_embed.1.pe"));
    } else {
      const auto rows =
          options_.positions == Positions::kHalvedSinusoidal ? architecture::halved_sinusoids : architecture::sinusoids;
      file_.tensor(source, shape, architecture::sinusoid_table(options_.max_positions, options_.d_model, rows));
      file_.alias(target, source);
    }
  }

  const model::Safetensors& weights_;
  const architecture::TransformerOptions& options_;
  model::GuidedAttention guided_;
  CTranslate2File file_;
};

/// The tokens that CTranslate2 takes and gives: the pieces, or the words of a tokenizer of words.
json tokens_of(const text::Tokenizer& tokenizer) {
  constexpr std::string_view kSpace = "\u2581";
  json tokens = json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    std::string token = tokenizer.piece(id);
    if (tokenizer.kind() == text::TokenizerKind::kPieces && token.starts_with(kSpace)) token.erase(0, kSpace.size());
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace

std::vector<files::NamedBytes> to_ctranslate2(const model::Bundle& bundle) {
  const model::Package& package = bundle.package;
  const auto& options = transformer_for(kCTranslate2, package);
  const model::TokenizerPolicy& policy = package.config.tokenizer;
  const text::Tokenizer of_target(package.target_spm, package.path + ": target.spm");
  const json target = tokens_of(of_target);
  const auto token = [&](int32_t id) { return target.at(static_cast<size_t>(id)); };
  const json config{{"add_source_bos", false},
                    {"add_source_eos", policy.source_eos},
                    {"bos_token", token(policy.ids.bos)},
                    {"decoder_start_token", token(policy.ids.bos)},
                    {"eos_token", token(policy.ids.eos)},
                    {"layer_norm_epsilon", options.norm_epsilon},
                    {"unk_token", token(policy.ids.unk)}};
  std::vector<files::NamedBytes> files{{"config.json", config.dump(2) + "\n"},
                                       {"model.bin", Writer(bundle, options).file()}};
  const bool is_spm = of_target.kind() != text::TokenizerKind::kPieces;  // words need no tokenizer
  if (is_spm) files.emplace_back("source.spm", package.source_spm);
  if (policy.shared) {
    files.emplace_back("shared_vocabulary.json", target.dump(0) + "\n");
  } else {
    const json source = tokens_of({package.source_spm, package.path + ": source.spm"});
    files.emplace_back("source_vocabulary.json", source.dump(0) + "\n");
    files.emplace_back("target_vocabulary.json", target.dump(0) + "\n");
    if (is_spm) files.emplace_back("target.spm", package.target_spm);
  }
  return files;
}

}  // namespace ventris::exports
