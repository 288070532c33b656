#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::text {

/// Any SentencePiece model as a splitter of text. Unlike Tokenizer it asks for no special ids, so it also takes models
/// that others have learnt. Thread-safe once made.
class PieceEncoder {
 public:
  /// From serialised bytes; `where` names them in messages. Throws ModelError if they are no SentencePiece model.
  PieceEncoder(const std::string& bytes, const std::string& where);
  static PieceEncoder from_file(const std::string& path);

  /// The pieces of a text, with U+2581 for a space; unknown characters as they are. Throws ModelError if the model has
  /// none for it: a control piece of a word model is written in the text.
  std::vector<std::string> encode(std::string_view text) const;

  uint32_t checksum() const;  ///< crc32 of the serialised model

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace ventris::text
