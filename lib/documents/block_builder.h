#pragma once
#include <string>
#include <string_view>

#include "documents/markup.h"

namespace ventris::documents {

/// Puts the parts of a document, in their order, into blocks. A block without letters and digits is kept as it is
/// written.
class BlockBuilder {
 public:
  /// `raw`: as it is written; `text`: with characters in the place of entities.
  void add_text(std::string_view raw, std::string_view text);
  void add_mark(Mark::Kind kind, std::string_view raw);
  void add_object(std::string_view raw);
  /// Ends the block.
  void add_kept(std::string_view raw);

  MarkedDocument finish();

 private:
  void end_block();

  MarkedDocument document_;
  std::string kept_;    // before the block
  std::string raw_;     // of the block
  MarkedText text_;
  int64_t line_ = 1, block_line_ = 1;
};

}  // namespace ventris::documents
