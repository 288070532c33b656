#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "markup/markup.h"

namespace ventris::office {

using markup::kNoPartner;
using text::ByteRange;

/// A part of a paragraph in XML, in the order of the document.
struct Item {
  enum class Kind {
    kText,
    kAlone,   ///< no part of the sentence: a note, a picture, one end of a bookmark, a break inside a link
    kObject,  ///< stands for a word of the sentence, and comes back as it is: a page number, a formula
    kOpen,    ///< the tags before and behind other items, such as a link
    kClose,
    kBreak  ///< ends a text: a tab, a line end
  };
  static constexpr size_t kNoFormat = static_cast<size_t>(-1);

  Kind kind = Kind::kAlone;
  ByteRange range = {};       ///< in the document; of kText nothing
  std::string text = {};      ///< of kText, without entities
  size_t format = kNoFormat;  ///< of kText; of others that of the run in which they must be
  /// Of kObject: a power or the sign of a note, or an index. They stand directly behind their word.
  enum class Script { kNone, kRaised, kLowered };
  Script script = Script::kNone;
  /// Of text that would be in this element of HTML.
  static Script script_of(std::string_view element) { return element == "sub" ? Script::kLowered : Script::kRaised; }
  bool divides = false;       ///< of kAlone: a break, which has texts of their own in front and behind
  size_t pair = 0;            ///< of both halves of a pair: a number of their own in the paragraph; 0 = no pair
  std::vector<Item> inside = {};  ///< if not empty, it is all of these, and has no range
};

/// Numbers the pairs of a paragraph (Item::pair).
class PairNumbers {
 public:
  size_t next() { return ++last_; }
  /// The number of a pair whose ends are elements of their own, such as those of a bookmark. `key` is the same at both.
  size_t begin(const std::string& key) { return open_[key] = next(); }
  /// The number that begin() gave; 0 if it gave none.
  size_t end(const std::string& key) {
    const auto found = open_.extract(key);
    return found ? found.mapped() : 0;
  }

 private:
  std::map<std::string, size_t> open_;
  size_t last_ = 0;
};

/// A paragraph, from its first item to its last.
struct Paragraph {
  ByteRange range = {};  ///< in the document; what is not in the items is left out if a text of it changes
  std::vector<Item> items = {};
};

/// How a kind of document writes the items of paragraphs.
class Notation {
 public:
  virtual ~Notation() = default;
  /// Text with entities, as an element or as text. `after_space`: it is behind white space, or begins the paragraph.
  virtual std::string text(std::string_view escaped, size_t format, bool after_space) const = 0;
  /// An item that has its own bytes. `raw`: those.
  virtual std::string item(const Item& item, std::string_view raw) const = 0;
};

/// Writes a document in XML whose paragraphs are translated. A text with several formats is one block, with pairs of
/// marks around what has another format than most of it. A paragraph may be inside an item of another one, as in a
/// text box. Paragraphs whose texts do not change keep their bytes.
class ParagraphWriter : public markup::DocumentWriter {
 public:
  ParagraphWriter(std::string document, std::shared_ptr<const Notation> notation)
      : document_(std::move(document)), notation_(std::move(notation)) {}

  /// The next paragraph of the document, by the beginnings of their elements. Its texts become blocks.
  void add(Paragraph paragraph, markup::MarkedDocument& blocks);

  std::string write(const std::vector<std::string>& translations) const override;

 private:
  /// The items [first, last] that are a block.
  struct Text {
    size_t first = 0, last = 0, block = 0;
    size_t format = Item::kNoFormat;  // of most of it
    std::string source = {};          // as it is written in a translation
  };
  struct Entry {
    Paragraph paragraph;
    std::vector<Text> texts;
  };
  class Output;

  const std::string document_;
  const std::shared_ptr<const Notation> notation_;
  std::vector<Entry> entries_;  // those with texts, by the beginnings of their ranges
};

}  // namespace ventris::office
