#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"
#include "markup/xml_events.h"

namespace ventris::markup {

/// What elements of XML are for the text around them.
enum class XmlRole {
  kBlock,
  kInline,  ///< tags inside a sentence
  kHidden,  ///< it comes back as it is, with its content
  kOpens,   ///< the same, but it is the first half of a pair
  kCloses,  ///< the second half of one
  kAlone    ///< the same, but a mark without content
};

/// Decides the role of an element that is translated, or has no content.
class XmlRoles {
 public:
  virtual ~XmlRoles() = default;
  virtual XmlRole of(size_t element) const = 0;
  /// The name of the pair to which an element with the role kOpens or kCloses belongs.
  virtual std::string_view pair(size_t /*element*/) const { return {}; }
  /// Whether all texts are messages of a program.
  virtual bool are_messages() const { return false; }
  /// Whether what is between the halves of the pair that this element begins comes back as it is, too.
  virtual bool hides(size_t /*first_half*/) const { return false; }
};

/// The parts of the document that are its events [first, last). An element that is not translated is one part, unless
/// it has elements inside that are.
std::vector<Part> xml_parts(const XmlDocument& xml, const XmlRoles& roles, size_t first, size_t last);

}  // namespace ventris::markup
