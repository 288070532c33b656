#include "text/piece_parser.h"

#include <charconv>
#include <sstream>

#include "core/error.h"

namespace ventris::text {

std::string write_ids(const Tokenizer& tokenizer, const std::vector<int32_t>& ids, Notation notation) {
  std::string line;
  for (const int32_t id : ids) {
    if (!line.empty()) line += ' ';
    line += notation == Notation::kIds ? std::to_string(id) : tokenizer.piece(id);
  }
  return line;
}

PieceParser::PieceParser(const Tokenizer& tokenizer, Notation notation) : notation_(notation), size_(tokenizer.size()) {
  if (notation == Notation::kIds) return;
  for (int32_t id = 0; id < size_; ++id) pieces_.emplace(tokenizer.piece(id), id);
}

std::vector<int32_t> PieceParser::parse(const std::string& line, const std::string& where) const {
  std::vector<int32_t> ids;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, ' ');) {
    if (!word.empty()) ids.push_back(id_of(word, where));
  }
  return ids;
}

int32_t PieceParser::id_of(const std::string& word, const std::string& where) const {
  if (notation_ == Notation::kPieces) {
    const auto found = pieces_.find(word);
    if (found == pieces_.end()) fail<DataError>(where, ": '", word, "' is not a piece of the tokenizer");
    return found->second;
  }
  int32_t id = -1;
  const char* end = word.data() + word.size();
  if (std::from_chars(word.data(), end, id).ptr != end || id < 0 || id >= size_) {
    fail<DataError>(where, ": expected ids from 0 to ", size_ - 1, ", found '", word, "'");
  }
  return id;
}

}  // namespace ventris::text
