#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ventris::markup {

/// Finds out which elements of an XML document say that they are, or are not, translated.
class XmlTranslation {
 public:
  explicit XmlTranslation(std::string_view document = {});

  /// The next element of the document: its name, and names and values of its attributes in turns, with a null at the
  /// end, as expat has them. Nothing if it says nothing, so that what holds for its parent holds for it.
  std::optional<bool> of(std::string_view name, const char* const* attributes);

  /// Whether the line ends inside this element count: xml:space="preserve", and elements of DocBook and DITA for poems
  /// and addresses. Nothing: as for its parent. To be called after of().
  std::optional<bool> keeps_lines(std::string_view name, const char* const* attributes) const;

  bool is_xliff() const { return kind_ == Kind::kXliff; }

  /// Whether an element with this text and nothing else stays as it is: a value that programs read
  /// (is_technical_value), in resources of Android a reference to another one ("@string/name", "@null", "?attr/name"),
  /// and in a quiz of Moodle the place of a category ("$course$/top") or a formula ("{a} + {b}").
  bool keeps(std::string_view text) const;

 private:
  enum class Kind { kNone, kXliff, kAndroid, kFeed, kQuiz, kFictionBook, kOther };  // kNone: the root was not seen

  std::optional<bool> of_attribute(std::string_view name, std::string_view value) const;

  /// Whether the elements of this name have no text for readers, such as code and commands.
  bool is_code(std::string_view name) const;

  Kind kind_ = Kind::kNone;
  bool of_manuals_ = false;  // DocBook or DITA
  std::set<std::string, std::less<>> its_prefixes_{"its"};
};

/// The part of a name behind its prefix.
std::string_view local_part(std::string_view name);

}  // namespace ventris::markup
