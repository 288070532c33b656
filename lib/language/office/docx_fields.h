#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "office/paragraphs.h"

/// Fields of DOCX: a code such as "PAGE", and its result, between characters of the field in runs of their own
/// (ECMA-376 part 1, section 17.16).
namespace ventris::office {

/// A field whose beginning was read.
struct Field {
  size_t begin = 0;            ///< the item that begins it
  size_t separator = 0;        ///< the item between its code and its result; 0 = not yet
  std::string code = {};       ///< "HYPERLINK \"https://example.org\""
};

/// Whether the result of a field with this code is text of the document that is translated, such as that of a link.
/// All others, such as page numbers and dates, come back as they are.
bool is_translated_field(std::string_view code);

/// Ends a field at the last item. If its result is translated, all before the result becomes one item, and is a pair
/// with the last one; otherwise the whole field becomes one.
void end_field(const Field& field, size_t pair, std::vector<Item>& items);

/// The same for fields that have no end in the paragraph: what is before their results becomes one item.
void end_fields(const std::vector<Field>& fields, std::vector<Item>& items);

}  // namespace ventris::office
