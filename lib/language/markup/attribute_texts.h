#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "markup/apart_texts.h"
#include "markup/edits.h"
#include "markup/html_token.h"
#include "markup/markup.h"

namespace ventris::markup {

/// Takes the texts out of the attributes of a document (alt, title...), so that they are translated as blocks of their
/// own (ApartTexts).
class AttributeTexts {
 public:
  /// `tags`, if given, is the document with_hidden_templates(), in which tags are read. Templates in a text stay.
  AttributeTexts(std::string_view document, Markup markup, std::string_view tags = {})
      : document_(document), tags_(tags.empty() ? document : tags), markup_(markup) {}

  /// Takes the texts of this start tag, which is behind those of earlier calls. Adds what is written instead to
  /// `edits`.
  void take(const HtmlToken& tag, Edits& edits);

  /// The texts that were taken, to which others may be added.
  ApartTexts& texts() { return texts_; }

 private:
  void take(ByteRange value, Edits& edits);

  std::string_view document_, tags_;
  Markup markup_;
  ApartTexts texts_;
  size_t done_ = 0;  // bytes whose lines were counted
  int64_t line_ = 1;
};

/// Changes the attribute of this name in a start tag, or adds it.
void set_attribute(std::string_view document, const HtmlToken& tag, std::string_view name, const std::string& value,
                   Edits& edits);

}  // namespace ventris::markup
