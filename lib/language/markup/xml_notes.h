#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "markup/apart_texts.h"
#include "markup/edits.h"
#include "markup/xml_parts.h"

namespace ventris::markup {

/// Finds the elements of a document that stand inside a sentence, and are no words of it: notes, index terms, comments
/// and descriptions of DITA, DocBook, TEI and JATS.
class NotesInSentences {
 public:
  explicit NotesInSentences(const XmlDocument& xml);
  /// Whether the element is one of them, and not empty.
  bool has(size_t element) const { return notes_[element]; }

 private:
  std::vector<bool> notes_;
};

/// Takes the texts out of notes, which are marks in the sentence around them, so that they are texts of their own. All
/// elements must be told in their order.
class XmlNotes {
 public:
  /// All must outlive this. Edits of a note and of its inside become one edit.
  XmlNotes(const XmlDocument& xml, const XmlRoles& roles, ApartTexts& texts, Edits& edits)
      : xml_(xml), roles_(roles), texts_(texts), edits_(edits) {}

  /// Takes the notes that end before this element.
  void end_before(size_t element);
  /// A note begins with this element.
  void begin(size_t element);
  void end_all();

 private:
  struct OpenNote {
    size_t element;
    int64_t line;  // of its start tag
  };
  void take(const OpenNote& note);

  const XmlDocument& xml_;
  const XmlRoles& roles_;
  ApartTexts& texts_;
  Edits& edits_;
  std::vector<OpenNote> open_;
  size_t counted_ = 0;  // bytes whose lines were counted
  int64_t line_ = 1;
};

}  // namespace ventris::markup
