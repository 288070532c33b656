#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "architecture/architecture.h"
#include "model/language_tokens.h"
#include "text/tokenizer.h"

namespace ventris::model {

/// How text becomes ids.
struct TokenizerPolicy {
  core::SpecialIds ids;  ///< SpecialIds{} in every model; parse() refuses other ids
  bool shared = true;  ///< one tokenizer for both sides (source.spm only)
  bool source_eos = true;  ///< the source ends with eos
  bool common_ids = false;  ///< of two tokenizers: both give a piece of the same text the same id, so that the
                            ///< embeddings of both sides can be shared
  LanguageMap languages = {};  ///< by language code; empty = the model has one pair
};

/// The defaults of `ventris-translate` for this model.
struct DecodingDefaults {
  int64_t beam_size = 5;
  double length_alpha = 1.0;  ///< score = log-probability / length^alpha; 0 = no normalisation
  double max_length_factor = 3.0;  ///< maximum target tokens: this factor x source tokens + 10
  int64_t iterations = 1;         ///< of models that refine a translation (architecture::Writing); otherwise 1
  int64_t length_candidates = 1;  ///< of models that predict the length; otherwise 1
};

/// The attention that has learnt links between words (training.guided_alignment).
struct GuidedAttention {
  int64_t layer = 0;     ///< decoder layer, from 1; 0 = none has
  int64_t head = 1;      ///< from 1
  bool reading = false;  ///< the links of a token are those of the step that reads it, which follows the one that
                         ///< writes it

  bool operator==(const GuidedAttention&) const = default;
};

/// What the model has learnt of the sentences before a sentence (data.context).
struct ContextPolicy {
  int64_t sentences = 0;   ///< most sentences before it; 0 = the model translates single sentences only
  bool both = false;       ///< it also writes their translations, each with a separator behind it
  std::string separator = {};  ///< the piece of both tokenizers behind each sentence before

  bool operator==(const ContextPolicy&) const = default;
};

constexpr int64_t kMostContext = 1000;  ///< greatest ContextPolicy::sentences

/// The content of a bundle's config.json.
struct ModelConfig {
  static constexpr int64_t kFormatVersion = 1;
  /// The model family and its settings, including vocabulary sizes.
  architecture::ArchitecturePtr architecture = architecture::defaults();
  TokenizerPolicy tokenizer;
  DecodingDefaults decoding;
  GuidedAttention guided_attention;
  ContextPolicy context;
  std::string provenance = "{}";  ///< JSON object: program version, corpora, update, scores; only for information

  /// Throws ModelError for an unknown key, a wrong type, impossible sizes, other special ids, or a newer format
  /// version. `where` names the file in messages.
  static ModelConfig parse(const nlohmann::json& source, const std::string& where);
  nlohmann::json to_json() const;
};

}  // namespace ventris::model
