#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"
#include "markup/markup.h"

namespace ventris::formats {

/// The parts of a message that are texts of their own: its lines, without the white space around them and the sign of a
/// list item ("* ", "1. ") at their beginning, and in a line its forms for several numbers ("one | several",
/// "one|several", "{0} none|[1,*] some", without the numbers). A long line whose sentence goes on in small letters on
/// the next one is a part together with it. What has no letters is no text. `code`: code_in(message), in which nothing
/// ends.
std::vector<ByteRange> paragraphs_of(std::string_view message, const std::vector<ByteRange>& code = {});

/// The forms for several numbers of a text of one line ("one|several"), without the white space and the numbers around
/// them; the whole text if it is no such one.
std::vector<ByteRange> number_forms_of(std::string_view text);

/// Adds to the placeholders of a block. What overlaps becomes one.
void add_placeholders(markup::Block& block, const std::vector<ByteRange>& ranges);

/// The messages of a program in a file: their texts become blocks, and the translations of these become messages again.
class MessageList {
 public:
  /// `java`: the messages may be patterns of Java's MessageFormat (has_doubled_apostrophes()).
  explicit MessageList(bool java = false) : java_(java) {}

  /// Adds the texts of a message to the blocks of the document, and returns the number of the message: its paragraphs,
  /// and in their place the forms of their patterns of ICU (take_forms()) and of MediaWiki (take_wiki_forms()). What
  /// programs read (markup::is_technical_value) has no texts. Doubled apostrophes are single ones in the texts, and
  /// entities in words are characters (with_letters()). `line`: of the document. Throws MarkupError for a document with
  /// too many texts.
  size_t add(const std::string& message, int64_t line, markup::MarkedDocument& document);

  /// The message with the translations of its texts. `translations`: of all blocks. If a message of the list is a
  /// pattern of ICU, no apostrophe of a translation begins a quoted part.
  std::string translated(size_t message, const std::vector<std::string>& translations) const;

  const std::string& source(size_t message) const { return messages_[message].text; }
  bool has_texts(size_t message) const { return !messages_[message].parts.empty(); }

 private:
  struct Message {
    std::string text;
    std::vector<ByteRange> parts;
    size_t first_block = 0;
    bool doubled = false;  // its apostrophes
  };
  static void add_text(Message& message, ByteRange part, std::vector<ByteRange> placeholders, int64_t line,
                       markup::MarkedDocument& document);

  const bool java_;
  bool has_patterns_ = false;
  std::vector<Message> messages_;
};

}  // namespace ventris::formats
