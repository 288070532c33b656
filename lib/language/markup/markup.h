#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "markup/marked_text.h"

namespace ventris::markup {

/// How texts are marked up, or in what kind of file they are (formats/format_table.h has the names).
enum class Markup {
  kNone,
  kHtml,
  kMarkdown,
  kXml,
  kDocx,
  kOdt,
  kEpub,
  kSrt,
  kVtt,
  kPo,
  kJson,
  kXliff,
  kAndroid,
  kProperties,
  kStrings,
  kYaml
};

/// Whether it is XML, of any kind.
inline bool is_xml(Markup markup) {
  return markup == Markup::kXml || markup == Markup::kXliff || markup == Markup::kAndroid;
}

/// Whether it is a zip file of parts in XML (office/document_package.h), and so no text.
inline bool is_package(Markup markup) {
  return markup == Markup::kDocx || markup == Markup::kOdt || markup == Markup::kEpub;
}

/// Whether a translation has every byte of its document but those of the texts, also line ends and a byte-order mark.
inline bool keeps_bytes(Markup markup) { return markup >= Markup::kDocx && !is_xml(markup); }

/// Whether the texts are messages of a program, in which placeholders must stay.
inline bool has_messages(Markup markup) { return markup >= Markup::kPo; }

/// Whether a document has translations beside their sources.
inline bool has_both_sides(Markup markup) { return markup == Markup::kPo || markup == Markup::kXliff; }

/// Whether the texts are subtitles, whose sentences go on in the next one.
inline bool is_subtitles(Markup markup) { return markup == Markup::kSrt || markup == Markup::kVtt; }

/// How the characters of a text that would be markup are written.
enum class Escaping {
  kDocument,  ///< as in the rest of the document
  kHtml,      ///< as in HTML: in a block of HTML in Markdown, in HTML in a CDATA section
  kCdata,     ///< in a CDATA section that is a text
  kBeside,    ///< not at all: what writes the text does it (BesideTexts)
  // As in the rest of a document in Markdown whose texts escape more than CommonMark needs (also these signs):
  kLess,      ///< "<"
  kDollars,   ///< "<" and "$", for pages with formulas
  kBraces     ///< "<", "$", "{" and "}", for MDX
};

/// Whether a text is one of the document, and not inside of HTML or CDATA or beside its blocks.
inline bool is_of_document(Escaping escaping) { return escaping == Escaping::kDocument || escaping >= Escaping::kLess; }

/// A run of text between block tags.
struct Block {
  std::string before;  ///< what is kept in front of it, as it is written
  MarkedText text;  ///< with the tags and code inside; entities are characters
  int64_t line = 1;  ///< in the document, from 1
  text::ByteRange range = {};  ///< in the document, without `before`
  std::vector<int64_t> lines = {};  ///< in the document, of each line of `text`; empty: all are in `line`
  std::vector<text::ByteRange> placeholders = {};  ///< in `text`, in order: those of the format of the message
  Escaping escaping = Escaping::kDocument;
};

/// Writes the translation of a document in which a text is written in another way than it stands in its block: cut into
/// subtitles, with escapes, or at another place. Several threads may use it.
class DocumentWriter {
 public:
  virtual ~DocumentWriter() = default;
  /// `translations`: of each block, with marks and objects as they are written, and with as many line feeds as the
  /// block has. Texts that are those of the block stay as they are in the document. Returns the whole document.
  virtual std::string write(const std::vector<std::string>& translations) const = 0;

  /// The lines of texts that write() leaves without a translation, because their placeholders cannot have its order.
  virtual std::vector<int64_t> lines_left(const std::vector<std::string>& /*translations*/) const { return {}; }
};

/// Texts of a Markdown document that are no part of its blocks, such as descriptions of images.
struct BesideTexts {
  size_t blocks = 0;  ///< how many: each is a block at the end of MarkedDocument::blocks
  /// Puts their translations into the translation of the document, which has them as in the source.
  std::function<std::string(const std::string& written, const std::vector<std::string>& translations)> put;
};

/// A document in its blocks.
struct MarkedDocument {
  std::vector<Block> blocks;
  std::string after = {};
  std::shared_ptr<const DocumentWriter> writer = {};  ///< null: the translation of a block stands in its place
  std::vector<BesideTexts> beside = {};  ///< of Markdown: what the last blocks are, in their order
  bool has_dollars = false;  ///< "$" begins a formula, as far as it can (TexSigns)
};

/// A document is not well formed. The message has the line in the document, not the file.
struct MarkupError : DataError {
  using DataError::DataError;
};

/// The longest document that users may give, in bytes.
inline constexpr size_t kLongestDocument = 64 << 20;

/// The largest zip file of is_package(), in bytes. Its texts may have kLongestDocument when they are unpacked.
inline constexpr size_t kLargestPackage = 256 << 20;

/// The deepest nesting of tags or marks. It bounds the stack that placing them in a translation takes.
inline constexpr int64_t kDeepestNesting = 1000;

/// Most tags, signs of Markdown and texts between them in a document. They need about 250 bytes each.
inline constexpr size_t kMostParts = 4'000'000;

/// Throws MarkupError: in this line, `what` ("tags") are nested deeper than kDeepestNesting.
[[noreturn]] void fail_nesting(int64_t line, const char* what);

/// What else is done with a document in HTML or XML, or with a file of messages in JSON.
struct DocumentChanges {
  bool attributes = false;  ///< translate attributes that have text, such as alt and title; also in Markdown
  std::string language = {};  ///< of the translation: becomes that of the document; "" = it is not changed

  bool any() const { return attributes || !language.empty(); }
};

/// Parses a document in a time that grows with its size. Any HTML can be read; tags that are not nested stay as they
/// are. Throws MarkupError for XML that is not well formed, for tags or marks that are nested deeper than
/// kDeepestNesting, and for more than kMostParts parts; Interrupted after a stop signal.
MarkedDocument parse_markup(const std::string& document, Markup markup, const DocumentChanges& changes = {});

/// `written` is the translation of all blocks, with all that is kept. Returns the document in which the texts that are
/// inside of others, such as attributes (with DocumentChanges::attributes) and notes in XML, are in their places.
std::string put_apart_texts(std::string_view written);

/// Characters of text that would be markup, as entities or, in Markdown, behind a backslash.
std::string escape(std::string_view text, Markup markup, Escaping escaping = Escaping::kDocument);

/// `text`, which is marked up and is written behind `before`, such that it does not begin a list, heading or quotation
/// of Markdown.
std::string escape_start(std::string text, std::string_view before, Markup markup);

}  // namespace ventris::markup
