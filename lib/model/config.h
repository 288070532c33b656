#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/json_reader.h"
#include "text/tokenizer.h"

namespace ventris::model {

enum class NormPlace { kPre, kPost };  ///< layer norm before each block (and a final one), or after each
enum class Activation { kRelu, kGelu };
enum class Positions { kSinusoidal, kLearned };
enum class Tying { kNone, kDecoder, kAll };  ///< generator = target embedding; kAll: source embedding too

/// Shape of a Transformer; defaults are the sizes of the base model of Vaswani et al. 2017, with pre-norm.
struct TransformerConfig {
  int64_t d_model = 512;
  int64_t d_ff = 2048;
  int64_t heads = 8;
  int64_t encoder_layers = 6;
  int64_t decoder_layers = 6;
  double dropout = 0.1;  ///< in [0, 1); after each block, as in the paper, and of the three below unless they are set
  std::optional<double> attention_dropout;  ///< of attention weights (the paper: 0); none = as dropout
  std::optional<double> activation_dropout;  ///< inside feed-forward blocks (the paper: 0); none = as dropout
  std::optional<double> embedding_dropout;  ///< of embedding + position, as in the paper; none = as dropout
  NormPlace norm = NormPlace::kPre;
  Activation activation = Activation::kRelu;
  Positions positions = Positions::kSinusoidal;
  int64_t max_positions = 1024;  ///< longest sequence with its bos or eos, in tokens
  Tying tying = Tying::kAll;
  int64_t src_vocab = 0;  ///< filled in from the tokenizers
  int64_t tgt_vocab = 0;

  /// Reads the keys above except the vocabularies. Throws ConfigError.
  static TransformerConfig parse(core::JsonReader reader);
  nlohmann::json to_json() const;  ///< what parse() reads: without the vocabularies
};

/// How text becomes ids.
struct TokenizerPolicy {
  text::SpecialIds ids;  ///< SpecialIds{} in every model; parse() refuses others
  bool shared = true;  ///< one tokenizer for both sides (source.spm only)
  bool source_eos = true;  ///< the source ends with eos
};

/// What `ventris-translate` does unless told otherwise.
struct DecodingDefaults {
  int64_t beam_size = 5;
  double length_alpha = 1.0;  ///< score = log-probability / length^alpha; 0 = no normalisation
  double max_length_factor = 3.0;  ///< at most this many target tokens a source token, plus 10
};

/// Everything config.json of a bundle says.
struct ModelConfig {
  static constexpr int64_t kFormatVersion = 1;
  std::string architecture = "transformer";
  TransformerConfig transformer;
  TokenizerPolicy tokenizer;
  DecodingDefaults decoding;
  std::string provenance = "{}";  ///< JSON object: program version, corpora, update, scores; informative only

  /// Throws ModelError (`where` names the file): unknown key, wrong type, impossible sizes, other special ids, or a
  /// newer format version.
  static ModelConfig parse(const nlohmann::json& json, const std::string& where);
  nlohmann::json to_json() const;
};

}  // namespace ventris::model
