#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup.h"

namespace ventris::markup {

/// Texts inside of other texts, such as those of attributes and of notes in a sentence. They are translated as blocks
/// of their own, behind all others. In their places are signs, which are bytes that UTF-8 does not have;
/// put_apart_texts() puts the translations there.
class ApartTexts {
 public:
  enum class Place {
    kAttribute,  ///< in quotation marks, which are directly before the sign
    kContent     ///< its translation may have signs, too
  };

  /// Returns the sign for the text.
  std::string add(Block text, Place place);

  /// Adds the texts to the blocks of the document.
  void append_to(MarkedDocument& document);

 private:
  std::vector<Block> texts_;
};

}  // namespace ventris::markup
