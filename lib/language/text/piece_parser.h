#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::text {

/// How the ids of a text are written on a line, separated by spaces.
enum class Notation {
  kPieces,  ///< "▁two ▁dogs"
  kIds      ///< "17 204"
};

/// Writes the ids as a line.
std::string write_ids(const Tokenizer& tokenizer, const std::vector<int32_t>& ids, Notation notation);

/// Reads such lines.
class PieceParser {
 public:
  PieceParser(const Tokenizer& tokenizer, Notation notation);

  /// The ids of a line. Throws DataError for a word that is not a piece (or not an id) of the tokenizer; its message
  /// begins with `where` ("file:3").
  std::vector<int32_t> parse(const std::string& line, const std::string& where) const;

 private:
  int32_t id_of(const std::string& word, const std::string& where) const;

  Notation notation_;
  int32_t size_;
  std::unordered_map<std::string, int32_t> pieces_;  // empty for Notation::kIds
};

}  // namespace ventris::text
