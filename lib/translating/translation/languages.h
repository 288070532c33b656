#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/model_config.h"
#include "text/tokenizer.h"

namespace ventris::translation {

/// What tells a multilingual model the languages of a pair, as ids.
struct LanguageMarks {
  std::vector<int32_t> before, after;  ///< around the tokens of a source; `after` follows eos
  std::vector<int32_t> target;         ///< with which the model starts a translation; they are not part of it

  int64_t of_source() const { return static_cast<int64_t>(before.size() + after.size()); }
};

/// A text names a language that the model does not have. The message does not have the place of the text.
struct LanguageError : DataError {
  using DataError::DataError;
};

/// A model must be told a language, and nothing names it.
struct UntoldLanguage : ConfigError {
  using ConfigError::ConfigError;
};

/// The languages of a model (model::LanguageTokens).
class Languages {
 public:
  /// None.
  Languages() = default;
  /// Throws ModelError for a piece that its tokenizer does not have or that cannot be a mark.
  Languages(const model::TokenizerPolicy& policy, const text::Tokenizer& source, const text::Tokenizer& target);

  /// Whether it may be told the language of the sources, or of the translations.
  bool told_source() const { return !sources_.empty(); }
  bool told_target() const { return !targets_.empty(); }
  /// The most tokens that marks add to a source.
  int64_t most_of_source() const;
  /// The same for the start of a translation.
  int64_t most_of_target() const;
  /// Whether translations begin with tokens of their language, which a model must write token by token.
  bool start_translations() const;

  /// The marks of a pair. An empty name is that of the only language that can be meant. Throws ConfigError for a
  /// language that the model does not have, and UntoldLanguage for one that must be given; both list the languages.
  /// Throws ConfigError for any name if the model has no languages.
  LanguageMarks marks(const std::string& source, const std::string& target) const;
  /// Throws ConfigError as marks() does, but not for an empty name.
  void check(const std::string& source, const std::string& target) const;

 private:
  struct Side {
    std::vector<int32_t> before, after, target;
  };
  using Sides = std::map<std::string, Side>;
  static const Side* choose(const Sides& sides, const std::string& name, const char* setting);

  Sides sources_, targets_;  // by language; empty if the model need not be told
};

/// Throws ModelError if so many marks leave no room for a token and eos in a sentence of `longest` tokens. `where`
/// names the model.
void check_room(int64_t of_source, int64_t of_target, int64_t longest, const std::string& where);

}  // namespace ventris::translation
