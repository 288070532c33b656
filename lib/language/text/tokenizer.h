#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/special_ids.h"

namespace ventris::text {

/// kPieces: the words between spaces are the pieces. It is for texts that another program has divided already.
enum class TokenizerKind { kUnigram, kBpe, kPieces };

/// Settings for learning a tokenizer.
struct TokenizerTraining {
  TokenizerKind kind = TokenizerKind::kUnigram;
  int32_t vocab_size = 8000;          ///< pieces, including special tokens; a maximum unless `exact_size`
  bool exact_size = false;  ///< if the text gives fewer pieces: true = throw ConfigError, false = accept them
  bool drop_invisible = false;  ///< ignore characters without meaning, such as soft hyphens (normalisation_rules.h);
                                ///< stored in the model as one of its rules, which take 0.5 s to compile
  bool byte_fallback = false;  ///< encode unknown characters as bytes (256 more pieces) instead of <unk>; not for
                               ///< kPieces, which uses neither this nor drop_invisible, character_coverage and
                               ///< max_sentences
  double character_coverage = 1.0;  ///< share of the text's characters that get a piece, in (0.9, 1]
  int64_t max_sentences = 2'000'000;  ///< if there are more, a uniform sample of this size is used
  std::vector<std::string> user_pieces = {};  ///< always become pieces, even if they are not in the text; without
                                              ///< commas, and at most kLongestPiece bytes (model_check.h)
  uint64_t seed = 1;  ///< of the sample of sentences; nothing else is random
  int threads = 16;  ///< independent of the machine, because another number rounds unigram scores differently
};

/// Returns the next line of the text to learn from in `line`; false at the end.
using LineSource = std::function<bool(std::string& line)>;

/// Learns a SentencePiece model with our special ids and returns its serialised form. Blank lines are skipped; a line
/// over 16 KiB is divided into parts. Deterministic for the same text, settings and thread count. Throws DataError if
/// the text is empty, and ConfigError if `vocab_size` does not fit the text (with the largest or smallest size that
/// does) or another setting is not allowed.
std::string learn_tokenizer(const LineSource& lines, const TokenizerTraining& training);

/// The place of a piece in a text: bytes [begin, end); empty for a piece without text of its own.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
};

/// A text, and the place of each of its ids in it.
struct PlacedText {
  std::string text;
  std::vector<ByteRange> places;
};

/// The maximum length in bytes of a text whose segmentation is drawn at random; a longer one gets that of encode().
/// Drawing takes memory for every piece at every position.
inline constexpr size_t kLongestSampledText = size_t{1} << 16;

/// A SentencePiece model. Thread-safe after construction.
class Tokenizer {
 public:
  /// From serialised bytes; `where` names them in messages. Throws ModelError if they are not a SentencePiece model, do
  /// not pass check_model (model_check.h), or have special ids other than core::SpecialIds{} (the message has both).
  Tokenizer(std::string bytes, const std::string& where);
  static Tokenizer from_file(const std::string& path);

  /// The ids of the text, without bos and eos; "</s>" is ordinary text. More than 16 KiB are taken in blocks (utf8.h).
  /// With `most`, the rest of a long text may be left out, but at least this many ids are returned.
  std::vector<int32_t> encode(std::string_view text, size_t most = SIZE_MAX) const;

  /// The text of each id of encode(text), with U+2581 for a space; unknown characters stay as they are.
  std::vector<std::string> pieces(std::string_view text) const;

  /// The place of each id of encode(text) in the text. `most`: as for encode().
  std::vector<ByteRange> places(std::string_view text, size_t most = SIZE_MAX) const;

  /// A random segmentation; the same seed gives the same one. Unigram models (Kudo 2018, section 3.3): any segmentation
  /// with probability proportional to its probability^alpha; 0 = all equally likely, 0.1 to 0.5 usual. BPE models
  /// (BPE-dropout, Provilkov et al. 2020): each possible merge is skipped in a step with probability alpha; 0 =
  /// encode(), 0.1 usual, 1 = characters.
  std::vector<int32_t> sample(std::string_view text, double alpha, uint64_t seed) const;

  /// The text of the ids, without special ids. Throws std::invalid_argument for ids outside the vocabulary.
  std::string decode(std::span<const int32_t> ids) const;

  /// The same with a place for each id. `unknowns` is empty or has one text per id; an unknown id becomes its text if
  /// that is not empty, even if it looks like a special piece ("</s>").
  PlacedText decode_placed(std::span<const int32_t> ids, const std::vector<std::string>& unknowns = {}) const;

  int32_t size() const;  ///< number of pieces
  const std::string& piece(int32_t id) const;  ///< the text of a piece, with U+2581 for a space
  /// Of a piece, in its model: the log-probability of a unigram model; in BPE, later merges have less; 0 for byte
  /// pieces.
  float score(int32_t id) const;
  int32_t id_of(std::string_view text) const;  ///< of a piece, with U+2581 for a space; -1 = there is none
  TokenizerKind kind() const;
  bool has_foreign_rules() const;  ///< whether it has any of ForeignRules (model_proto.h)
  const std::string& bytes() const;  ///< the serialised model

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace ventris::text
