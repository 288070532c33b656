#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// Makes text a part of its document: "&" becomes "&amp;" in HTML.
using Escape = std::function<std::string(std::string_view text)>;

/// U+FFFC, the sign in MarkedText::text in whose place an object stands.
inline constexpr std::string_view kObject = "\uFFFC";

/// A tag inside a text, or a sign of Markdown.
struct Mark {
  enum class Kind {
    kOpen,
    kClose,
    kAlone  ///< without content, such as an image; or half of a pair that overlaps others
  };
  size_t at = 0;  ///< the byte of the text before which it stands
  Kind kind = Kind::kAlone;
  std::string raw = {};      ///< as it is written
  bool never_empty = false;  ///< a pair without content would be text, as in Markdown
  uint64_t link = 0;         ///< of a link of Markdown, which is left out if it has no content: number_of_link()
  size_t pair = 0;  ///< of kAlone: both halves of a pair, the first one in front, have the same number; 0 = none
  bool divides = false;  ///< what is in front of it and what is behind are texts of their own: a tab, a line end
};

/// What comes back as it is, such as code or a placeholder.
struct Object {
  size_t at = 0;  ///< the byte of the text at which its sign (kObject) stands
  std::string raw = {};  ///< as it is written
};

/// A text to translate, with what the model does not see. A U+FFFC in the text for which there is no object is a
/// character like any other. All functions take a time that grows with the text, its marks and its objects, or with
/// the part that they return.
struct MarkedText {
  std::string text;
  std::vector<Mark> marks = {};  ///< sorted by place
  std::vector<Object> objects = {};  ///< sorted by place

  /// Bytes [begin, end) with their objects and with the marks inside, not those at the ends.
  MarkedText slice(ByteRange range) const;

  /// Bytes [begin, end] as they are written: with the objects, and with the marks inside and at both ends. `escape`, if
  /// given, is applied to all other text.
  std::string raw(ByteRange range, const Escape& escape = {}) const;

  /// Replaces each range by an object: its text with `escape`, its objects, and its marks. A pair of marks of which a
  /// part is inside the range becomes a part of the object if no more than the range is between them. If there is more,
  /// the pair ends before the object, or begins behind it. So no object has half of a pair. The ranges are sorted, do
  /// not overlap, are not empty, and do not begin or end inside a character.
  void hide(const std::vector<ByteRange>& ranges, const Escape& escape = {});

  /// Makes one object of each pair of marks that has objects, but no letters and digits between them, such as a link
  /// whose text is code: with its text, `escape` applied, its objects and its marks.
  void hide_pairs_of_objects(const Escape& escape = {});

  /// Makes one mark alone of each pair of marks that is empty, or has only signs that are no words and no punctuation
  /// of a sentence, such as an icon, an arrow or "*", or the number of a list at the beginning ("1."). The mark has the
  /// text of the pair, `escape` applied.
  void hide_pairs_of_signs(const Escape& escape = {});

  /// Makes one mark alone of the signs in front of the first word, such as a bullet, an arrow, an emoji, or a dash or
  /// comma with a space behind it, `escape` applied. What touches the first word stays.
  void hide_leading_signs(const Escape& escape = {});
};

/// Divides a text into parts, in their order. A mark at an end of a part belongs to the part if its other half is
/// inside the part, and otherwise to what is beside it.
class PartCutter {
 public:
  /// The text must outlive this.
  explicit PartCutter(const MarkedText& text);

  /// The part with these bytes, which are behind those of the last part that was taken.
  MarkedText part(ByteRange range) const;

  /// Takes this part. Returns what is between it and the part taken before, as it is written (MarkedText::raw).
  std::string take(ByteRange range, const Escape& escape = {});

  /// What is behind the last part that was taken, as it is written.
  std::string rest(const Escape& escape = {}) const;

 private:
  std::string written_until(size_t end, size_t mark, const Escape& escape) const;

  const MarkedText& text_;
  const std::vector<size_t> partners_;
  size_t done_ = 0, mark_ = 0;  // the next byte, and the number of the next mark
};

/// For each mark the number of its other half, by the order of opening and closing marks, or by Mark::pair; kNoPartner
/// if it has none.
inline constexpr size_t kNoPartner = static_cast<size_t>(-1);
std::vector<size_t> partners(const std::vector<Mark>& marks);

/// Appends a mark. "!" before a link of Markdown would make it an image, so it gets a backslash, unless it has one.
void append_mark(std::string& text, std::string_view raw);

}  // namespace ventris::markup
