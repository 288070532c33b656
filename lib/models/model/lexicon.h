#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::model {

struct Package;

/// The tokenizers whose ids a lexicon has.
struct LexiconTokenizers {
  uint32_t source_vocab = 0, target_vocab = 0;
  uint32_t source_crc = 0, target_crc = 0;  ///< crc32 of the serialised tokenizers

  bool operator==(const LexiconTokenizers&) const = default;
};

/// For each source piece, the target pieces that translate it most often (lexicon/learning.h), and the target pieces by
/// their frequency. The engine takes shortlists from it (engine/shortlist.h).
///
/// The file: kMagic; version, LexiconTokenizers, the number of frequent ids and the number of pieces (32 bits
/// each); the frequent ids; for each source id, the number of its pieces; all pieces; the crc32 of all this.
/// Numbers after the sizes have 16 bits if the target vocabulary has at most 65,536 pieces, otherwise 32. All are in
/// the machine's byte order.
class Lexicon {
 public:
  static constexpr std::string_view kMagic = "VENTRISLEXICON1\n";
  static constexpr uint32_t kVersion = 1;
  static constexpr size_t kMostPieces = 1000;  ///< of a source piece

  /// `pieces`: target ids of each source id, best first, at most kMostPieces. `frequent`: target ids that occur, the
  /// most frequent first; of a shortlist of Bergamot, in the order of its model, which does not say. Throws
  /// std::invalid_argument for other sizes, and for ids outside the vocabulary.
  Lexicon(const LexiconTokenizers& tokenizers, std::vector<int32_t> frequent,
          const std::vector<std::vector<int32_t>>& pieces);

  /// Throws ModelError if the bytes are not a lexicon, are damaged, or of a newer version; `where` names them.
  static Lexicon parse(std::string_view bytes, const std::string& where);
  /// Reads a file. Throws DataError if it cannot be read; otherwise as parse().
  static Lexicon from_file(const std::string& path);
  std::string bytes() const;

  const LexiconTokenizers& tokenizers() const { return tokenizers_; }
  std::span<const int32_t> frequent() const { return frequent_; }
  /// The target ids that translate a source id of the vocabulary, best first; may be empty.
  std::span<const int32_t> pieces(int32_t source) const;

  /// Throws ModelError if the lexicon is for other tokenizers; `where` names the lexicon, and `model` the model.
  void check_tokenizers(const LexiconTokenizers& of_model, const std::string& where, const std::string& model) const;

 private:
  Lexicon() = default;
  std::string problem() const;

  LexiconTokenizers tokenizers_;
  std::vector<int32_t> frequent_;
  std::vector<int32_t> pieces_;  // of all source ids
  std::vector<size_t> ends_;  // [source vocabulary]: where the pieces of an id end
};

/// `source` and `target` are serialised tokenizers (the same if shared) with so many pieces.
LexiconTokenizers lexicon_tokenizers(std::string_view source, int64_t source_vocab, std::string_view target,
                                     int64_t target_vocab);

/// The lexicon in a file, which must be for the tokenizers of the model. Throws as Lexicon::from_file() and
/// Lexicon::check_tokenizers() do.
Lexicon lexicon_of(const Package& package, const std::string& path);

}  // namespace ventris::model
