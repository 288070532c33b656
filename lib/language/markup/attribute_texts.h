#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "markup/edits.h"
#include "markup/html_token.h"
#include "markup/markup.h"

namespace ventris::markup {

/// Takes the texts out of the attributes of a document (alt, title...), so that they are translated as blocks of their
/// own. What is written in their place has signs for them; put_attributes() puts the translations there. The signs are
/// bytes that UTF-8 does not have.
class AttributeTexts {
 public:
  /// `tags`, if given, is the document with_hidden_templates(), in which tags are read. Templates in a text stay.
  AttributeTexts(std::string_view document, Markup markup, std::string_view tags = {})
      : document_(document), tags_(tags.empty() ? document : tags), markup_(markup) {}

  /// Takes the texts of this start tag, which is behind those of earlier calls. Adds what is written instead to
  /// `edits`.
  void take(const HtmlToken& tag, Edits& edits);

  /// Adds the texts to the blocks of the document.
  void append_to(MarkedDocument& document);

 private:
  void take(ByteRange value, Edits& edits);

  std::string_view document_, tags_;
  Markup markup_;
  std::vector<Block> texts_;
  size_t done_ = 0;  // bytes whose lines were counted
  int64_t line_ = 1;
};

/// Changes the attribute of this name in a start tag, or adds it.
void set_attribute(std::string_view document, const HtmlToken& tag, std::string_view name, const std::string& value,
                   Edits& edits);

}  // namespace ventris::markup
