#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "architecture/architecture.h"
#include "text/tokenizer.h"

namespace ventris::model {

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
  /// The family and its settings, vocabularies included.
  architecture::ArchitecturePtr architecture = architecture::defaults();
  TokenizerPolicy tokenizer;
  DecodingDefaults decoding;
  std::string provenance = "{}";  ///< JSON object: program version, corpora, update, scores; informative only

  /// Throws ModelError (`where` names the file): unknown key, wrong type, impossible sizes, other special ids, or a
  /// newer format version.
  static ModelConfig parse(const nlohmann::json& json, const std::string& where);
  nlohmann::json to_json() const;
};

}  // namespace ventris::model
