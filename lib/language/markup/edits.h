#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// Changes of a document, such as another value of an attribute.
class Edits {
 public:
  /// Writes `text` in the place of these bytes, which no other change has. It is fast if they are behind those of
  /// earlier calls.
  void add(ByteRange range, std::string text);

  /// The same in the place of all changes inside these bytes. No change is behind them.
  void replace(ByteRange range, std::string text);

  /// These bytes of the document, with the changes that are wholly inside.
  std::string apply(std::string_view document, ByteRange range) const;

 private:
  struct Edit {
    ByteRange range;
    std::string text;
  };
  std::vector<Edit> all_;  // sorted
};

}  // namespace ventris::markup
