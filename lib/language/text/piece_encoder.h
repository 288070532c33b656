#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::text {

/// Splits text with any SentencePiece model. Unlike Tokenizer, it does not require our special ids, so it also accepts
/// models of other programs. Thread-safe after construction.
class PieceEncoder {
 public:
  /// From serialised bytes; `where` names them in messages. Throws ModelError if they are not a SentencePiece model.
  PieceEncoder(const std::string& bytes, const std::string& where);
  static PieceEncoder from_file(const std::string& path);

  /// The pieces of a text, with U+2581 for a space; unknown characters stay as they are. Throws ModelError if the model
  /// cannot encode it: the text contains a control piece of a word model.
  std::vector<std::string> encode(std::string_view text) const;

  uint32_t checksum() const;  ///< crc32 of the serialised model

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace ventris::text
