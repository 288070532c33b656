#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "markup/edits.h"
#include "markup/html_token.h"
#include "markup/markup.h"

namespace ventris::markup {

/// A part of a document.
struct Part {
  enum class Kind { kText, kMark, kHidden, kKept };  // kHidden: an object
  text::ByteRange range;
  Kind kind = Kind::kKept;
  Mark::Kind mark = Mark::Kind::kAlone;  ///< of kMark
  std::string text = {};  ///< of kText, without entities and backslashes; of kMark, how it is written in
                          ///< a translation ("" = as in the document)
  bool never_empty = false;  ///< of kMark; see Mark
  uint64_t link = 0;         ///< see Mark
  size_t pair = 0;           ///< see Mark
  bool start_tag = false;    ///< it begins with the start tag of an element of HTML whose attributes may be texts
  Escaping escaping = Escaping::kDocument;
};

/// Puts the parts, which are sorted and do not overlap, into blocks. What is between them is kept, and ends a block.
/// Each link of a row is a block of its own (with_divided_rows). The edits apply to what is kept, to marks and to
/// objects. Throws MarkupError for marks that are nested deeper than kDeepestNesting, in one block or across blocks.
MarkedDocument in_blocks(std::string_view document, std::vector<Part> parts, const Edits& edits = {});

/// The same for the parts of these bytes of the document. `line`: in which they begin.
MarkedDocument in_blocks(std::string_view document, std::vector<Part> parts, const Edits& edits, text::ByteRange inside,
                         int64_t line);

/// Whether an element of HTML ("a": also a link of Markdown) whose content is this text is a sign, and no word of the
/// sentence:
/// - in <sup> all without letters (a power, the sign of a note), single small letters (notes: "a,b"), one capital,
///   trade marks ("TM"), and all in brackets ("[note 1]");
/// - in "moved", which is no element but a citation or text that stands a little higher, all without letters;
/// - in <sub> all without letters, or with a small one or a usual word (an index: "i", "max");
/// - in a link a reference such as "#83", "[1]" and the number of a commit, or a text without letters and digits, such
///   as an arrow. Other letters, and numbers alone in a link, are words, also with spaces, dashes and signs of units
///   and currencies: "2019–2020", "1 000 €".
bool is_only_sign(std::string_view element, std::string_view text);

/// Whether the content of a <sup> (or of a <sub>, if `lowered`) is an index or an exponent of what it touches, and no
/// word of the sentence: behind a single letter ("x<sub>i,j</sub>", "k<sub>cat</sub>", "A<sup>T</sup>"), behind two if
/// it is lowered and short ("Cl<sub>aq</sub>"), and behind a number ("2<sup>n+1</sup>"); but not "1<sup>st</sup>".
/// `before`: the text in front of it.
bool is_index(bool lowered, std::string_view before, std::string_view text);

/// is_only_sign(), or is_index() in <sup> and <sub>.
bool is_sign_or_index(std::string_view element, std::string_view before, std::string_view text);

/// Whether the content of a <sup> or <sub> is the end of the word before it, and no sign: "19<sup>th</sup>",
/// "M<sup>lle</sup>". `before`: the text in front of it.
bool ends_word(std::string_view before, std::string_view text);

/// The text in front of the part with this number, or behind the last one, if it touches what follows, maybe with marks
/// between; otherwise nothing.
std::string_view text_before(const std::vector<Part>& parts, size_t number);

/// Whether a number in the link that begins with this tag, behind these parts, is the sign of a note: the tag says so
/// (is_note_reference), or it links to an anchor and touches the text before it, or begins its block.
bool refers_to_note(std::string_view document, const HtmlToken& tag, const std::vector<Part>& parts);

/// Puts the parts of a document, in their order, into blocks. A block without letters (has_letters) is kept as it is
/// written.
class BlockBuilder {
 public:
  /// `raw`: as it is written; `text`: with characters in the place of entities.
  void add_text(std::string_view raw, std::string_view text);
  /// `mark`: as it is written in a translation; its place is set here.
  void add_mark(std::string_view raw, Mark mark);
  void add_object(std::string_view raw);
  /// Ends the block.
  void add_kept(std::string_view raw);
  /// A part of the document, with the edits inside.
  void add(std::string_view document, const Part& part, const Edits& edits);

  /// The line of the document that comes next. It is counted from what is added, unless that has other line ends.
  int64_t line() const { return line_; }
  void set_line(int64_t line) { line_ = line; }

  MarkedDocument finish();

 private:
  void add_raw(std::string_view raw);
  void end_block();

  MarkedDocument document_;
  std::string kept_;  // before the block
  std::string raw_;  // of the block
  MarkedText text_;
  bool begun_ = false;        // text_ is more than white space
  bool has_letters_ = false;  // text_ has a letter
  Escaping escaping_ = Escaping::kDocument;
  size_t done_ = 0;  // bytes of the document
  int64_t line_ = 1, block_line_ = 1;
  int64_t depth_ = 0;  // of open marks
};

}  // namespace ventris::markup
