#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "text/tokenizer.h"

namespace ventris::documents {

using text::ByteRange;

/// A regular expression of a file takes too long for a text. The message has the expression, and the line of a
/// document, but not the file of the text.
struct SlowExpression : DataError {
  using DataError::DataError;
};

/// The files that a choice of placeholders names (see Placeholders). Throws ConfigError for an empty name.
std::vector<std::string> placeholder_files(const std::string& choice);

/// Finds the parts of a text that a translation must have as they are. Several threads may use it.
class Placeholders {
 public:
  /// `choice`: names separated by commas. "builtin": builtin_placeholders() and markup::tex_formulas(); "numbers":
  /// number_placeholders(); any other name: a file with a text, or a regular expression between two slashes, on each
  /// line. Throws ConfigError for an empty name or a bad expression, and DataError for a file that cannot be read.
  explicit Placeholders(const std::string& choice);
  ~Placeholders();
  Placeholders(Placeholders&&) noexcept;

  /// The placeholders of a text, in order, without overlaps: the one that begins first, and the longest of these.
  /// `formulas`: others that were found in it. Throws SlowExpression.
  std::vector<ByteRange> find(std::string_view text, const std::vector<ByteRange>& formulas = {}) const;

  /// Whether those of builtin_placeholders() are among them.
  bool has_builtin() const;

  /// The placeholders that one of both texts has more often than the other, each once, sorted. If a regular expression
  /// takes too long, this is said instead.
  std::vector<std::string> missing(std::string_view source, std::string_view target) const;

 private:
  struct Patterns;
  std::unique_ptr<const Patterns> patterns_;
};

}  // namespace ventris::documents
