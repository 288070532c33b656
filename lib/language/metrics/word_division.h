#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::metrics {

/// What counts as a word of a line. Links count these words.
enum class Division {
  kText,     ///< runs of letters, digits and marks; each other sign alone. Scripts without spaces: see WordDivider
  kTokenized  ///< what is between white space
};

/// Divides lines into words. A run of letters of a script without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese)
/// is divided by ICU's dictionaries. For use by one thread.
class WordDivider {
 public:
  explicit WordDivider(Division division);
  ~WordDivider();
  WordDivider(WordDivider&&) noexcept;
  WordDivider& operator=(WordDivider&&) noexcept;

  /// The words, as views into `line`, which is valid UTF-8.
  std::vector<std::string_view> divide(std::string_view line);

 private:
  class Dictionary;
  Division division_;
  std::unique_ptr<Dictionary> dictionary_;
};

/// The words of a line, by a divider that the calling thread keeps.
std::vector<std::string_view> divided(std::string_view line, Division division);

}  // namespace ventris::metrics
