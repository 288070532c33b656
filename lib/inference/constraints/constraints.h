#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "constraints/forbidden.h"
#include "constraints/phrase.h"

/// What a translation must have and must not have, as tokens. It has no text.
namespace ventris::constraints {

/// What the tokens of a vocabulary do at the borders of words, by id.
struct Borders {
  std::vector<uint8_t> continues;  ///< 1 = begins with a letter or a digit, without a space: it continues a word
  std::vector<uint8_t> closes;     ///< 1 = does not end in a letter or a digit: a word may follow without a space
};

/// Phrases of which a translation must have one, such as the forms of a word.
using Alternatives = std::vector<Phrase>;

/// The maximum number of required phrases of a sentence; alternatives count as one.
inline constexpr size_t kMostRequired = 64;

/// How far a hypothesis is with the constraints of its sentence. A new one has no tokens yet.
struct Progress {
  struct Begun {
    size_t phrase;  ///< its number among all required phrases, each alternative counted
    int32_t place;  ///< in the phrase
    bool operator==(const Begun&) const = default;
    bool operator<(const Begun& other) const {
      return phrase != other.phrase ? phrase < other.phrase : place < other.place;
    }
  };
  uint64_t met = 0;    ///< a bit for each required phrase, or alternatives
  uint64_t fresh = 0;  ///< those of `met` that the next token undoes if it continues the word
  bool closed = true;  ///< whether a word may follow without a space
  std::vector<Begun> required;  ///< the required phrases that the newest tokens begin
  Forbidden::States forbidden;  ///< what they begin of forbidden ones
};

/// The constraints of a sentence: phrases that its translation must have (lexically constrained decoding, Post and
/// Vilar 2018), and phrases that it must not have. A phrase begins at the beginning of a word. Phrases may overlap, and
/// one may contain another.
class Constraints {
 public:
  /// Throws std::invalid_argument for more than kMostRequired phrases.
  Constraints(std::vector<Phrase> required, const std::vector<Phrase>& forbidden,
              std::shared_ptr<const Borders> borders);

  /// These forbidden phrases, with others that are required: of each list, one. Throws as the constructor, and for an
  /// empty list.
  Constraints with_required(std::vector<Alternatives> required) const;

  bool requires_any() const { return !required_.empty(); }
  bool forbids_any() const { return forbidden_->any(); }
  /// The tokens of all required phrases; of alternatives, those of the shortest one.
  int32_t tokens() const { return tokens_; }

  /// What becomes of a hypothesis with one more token.
  Progress after(const Progress& progress, int32_t id) const;

  /// How many tokens of required phrases are left to write, at most tokens(); 0 = all phrases are there.
  int32_t missing(const Progress& progress) const;

  /// The tokens that bring a hypothesis nearer to its required phrases, ascending: those that go on with the phrases
  /// that it has begun, otherwise those that begin one (a word with a space before it).
  std::vector<int32_t> wanted(const Progress& progress) const;

  /// The tokens that would complete a forbidden phrase, ascending.
  std::vector<int32_t> forbidden(const Progress& progress) const;
  /// Whether this token would complete one.
  bool is_forbidden(const Progress& progress, int32_t id) const;

 private:
  Constraints(std::shared_ptr<const Forbidden> forbidden, std::shared_ptr<const Borders> borders,
              std::vector<Alternatives> required);

  bool is_met(const Progress& progress, size_t phrase) const;

  std::vector<Phrase> required_;  // all alternatives
  std::vector<size_t> wish_;      // of each of them: to which list it belongs
  std::vector<int32_t> least_;    // of each list: the tokens of its shortest phrase
  std::shared_ptr<const Forbidden> forbidden_;
  std::shared_ptr<const Borders> borders_;
  int32_t tokens_ = 0;
};

}  // namespace ventris::constraints
