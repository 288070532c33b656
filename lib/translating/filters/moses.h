#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// N-best lists in Moses format: ID ||| text ||| features ||| score.
namespace ventris::filters {

/// The values of features, or their weights, by name.
using Features = std::map<std::string, std::vector<double>>;

/// Reads "LM0= -1.2 TM0= -3 -4" ("LM0=-1.2" means the same). No result if a value is not a finite number or has no
/// name, if a feature has no value, or if a name comes twice.
std::optional<Features> parse_features(std::string_view text);

/// A line of an n-best list.
struct MosesLine {
  int64_t id = 0;                   ///< number of the sentence, from 0
  std::vector<std::string> fields;  ///< the ID first, then the text
  double other_features = 0;        ///< weighted() without the new feature, kept from reading until writing

  const std::string& text() const { return fields[1]; }

  /// Throws DataError, beginning with `where`, unless there are an ID and a text.
  static MosesLine parse(std::string_view line, const std::string& where);

  /// Whether a field after the text has a feature with this name.
  bool has_feature(const std::string& name) const;

  /// Adds "name= value" to the features: to the last field that has some, or as a new field after the text and
  /// what word scores there are.
  void add_feature(const std::string& name, const std::string& value);

  /// The features of these weights, each multiplied by its weight, except `left_out`. Throws DataError, beginning with
  /// `where`, if one is missing, has another number of values, or is not a number. Fields that are no features are left
  /// out.
  double weighted(const Features& weights, const std::string& left_out, const std::string& where) const;

  /// Makes the field behind the features this number, in the place of a number that is there.
  void set_total(const std::string& value);

  /// The line without a line end.
  std::string to_text() const;
};

/// A text as a field of a line: "|||" becomes "| | |", because it would end the field.
std::string as_field(std::string text);

/// "WordScores= -0.1 -0.25": the log-probability of each token.
std::string format_word_scores(const std::vector<float>& log_probs);

}  // namespace ventris::filters
