#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "markup/xml_events.h"

namespace ventris::office {

using markup::XmlDocument;

/// A vocabulary of XML: the prefix that its names have here, and its namespace.
struct Vocabulary {
  std::string_view prefix, name_space;
};

/// The names in a document with the usual prefixes, whatever prefixes it declares: "text:p" for <t:p xmlns:t="...">.
/// Prefixes that it does not declare, and those of other vocabularies, stay as they are written. A declaration counts
/// in the whole document, wherever it is.
class UsualNames {
 public:
  /// `xml` must outlive this.
  UsualNames(const XmlDocument& xml, std::vector<Vocabulary> vocabularies);

  std::string name(size_t element) const;
  /// As it is written; empty if there is none.
  std::string_view attribute(size_t element, std::string_view usual_name) const;
  /// What a name of this vocabulary begins with in the document, with its colon; empty: it is written without a prefix.
  std::string written_prefix(std::string_view prefix) const;

 private:
  void read_declarations(std::string_view tag);
  void declare(std::string_view prefix, std::string_view name_space);

  const XmlDocument& xml_;
  const std::vector<Vocabulary> vocabularies_;
  std::map<std::string, std::string_view, std::less<>> usual_;                // by declared prefixes
  std::map<std::string_view, std::vector<std::string>> declared_;  // by usual prefixes, in the order of the document
};

}  // namespace ventris::office
