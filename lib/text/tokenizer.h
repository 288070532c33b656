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

using core::SpecialIds;

enum class TokenizerKind { kUnigram, kBpe };

/// Settings for learning a tokenizer.
struct TokenizerTraining {
  TokenizerKind kind = TokenizerKind::kUnigram;
  int32_t vocab_size = 8000;          ///< pieces, special ids included; an upper bound unless `exact_size`
  bool exact_size = false;  ///< true: too little text for vocab_size is a ConfigError; false: fewer pieces then
  bool byte_fallback = false;  ///< spell unknown characters as bytes (adds 256 pieces) instead of <unk>
  double character_coverage = 1.0;  ///< share of the characters that get a piece, in (0.9, 1]
  int64_t max_sentences = 2'000'000;  ///< more text than this is sampled, uniformly
  std::vector<std::string> user_pieces = {};  ///< always pieces of their own, even if the text does not have them; none
                                              ///< with a comma, none longer than kLongestPiece (model_check.h)
  uint64_t seed = 1;  ///< decides that sample, and nothing else
  int threads = 16;  ///< a setting, not a matter of the machine: another number rounds a unigram's scores otherwise
};

/// Hands out the text to learn from, line by line; false at the end.
using LineSource = std::function<bool(std::string& line)>;

/// Learns a SentencePiece model with our special ids and returns its serialised form. Blank lines are left out; a line
/// over 16 KiB is learnt from in parts. Deterministic for the same text, settings and thread count. Throws DataError on
/// empty text, ConfigError if `vocab_size` does not fit it (naming the largest, or smallest, that does), or for
/// any other setting that cannot be.
std::string learn_tokenizer(const LineSource& lines, const TokenizerTraining& training);

/// Where a piece stands in a text: bytes [begin, end); empty for a piece that has none of its own.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
};

/// A text and the place in it of each id it was made of.
struct PlacedText {
  std::string text;
  std::vector<ByteRange> places;
};

/// Bytes of a text whose segmentation is drawn at random; a longer one has that of encode(). Drawing takes memory for
/// every piece at every place.
inline constexpr size_t kLongestSampledText = size_t{1} << 16;

/// A SentencePiece model. Thread-safe once made.
class Tokenizer {
 public:
  /// From serialised bytes; `where` names them in messages. Throws ModelError if they are no such model, if they do not
  /// pass check_model (model_check.h), or if its special ids are not SpecialIds{} (both expected and found are named).
  Tokenizer(std::string bytes, const std::string& where);
  static Tokenizer from_file(const std::string& path);

  /// Ids of the text, without bos and eos; "</s>" is ordinary text. Over 16 KiB it is taken in blocks (utf8.h).
  std::vector<int32_t> encode(std::string_view text) const;

  /// The text of each id of encode(text), with U+2581 for a space; unknown characters as they are.
  std::vector<std::string> pieces(std::string_view text) const;

  /// Where each id of encode(text) stands in the text.
  std::vector<ByteRange> places(std::string_view text) const;

  /// A random segmentation, decided by `seed` alone. Unigram models (Kudo 2018, section 3.3): any segmentation, with
  /// probability proportional to its probability^alpha; 0 = all alike, 0.1 to 0.5 usual. BPE models (BPE-dropout,
  /// Provilkov et al. 2020): each possible merge is left out of a step with probability alpha; 0 = encode(), 0.1 usual,
  /// 1 = characters.
  std::vector<int32_t> sample(std::string_view text, double alpha, uint64_t seed) const;

  /// Text of the ids; special ids are left out. Ids outside the vocabulary throw std::invalid_argument.
  std::string decode(std::span<const int32_t> ids) const;

  /// The same with a place for each id. Where `unknowns` (empty, or one text an id) has a text for an unknown id, that
  /// text stands for it, also one that is written like a special piece ("</s>").
  PlacedText decode_placed(std::span<const int32_t> ids, const std::vector<std::string>& unknowns = {}) const;

  int32_t size() const;  ///< number of pieces
  const std::string& piece(int32_t id) const;  ///< how a piece is written, with U+2581 for a space
  TokenizerKind kind() const;
  const std::string& bytes() const;  ///< the serialised model

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace ventris::text
