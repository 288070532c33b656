#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ventris::alignment {

enum class WordKind : uint8_t { kSign, kNumber, kWord };

/// What the estimation knows about a word, besides its translations.
struct Word {
  std::string text;            ///< in small letters
  int64_t count = 0;           ///< how often it occurs
  int32_t prefix = 0;          ///< number of its class: words with the same first letters
  WordKind kind = WordKind::kSign;
  std::u16string letters = {};  ///< at most 64; the lower 16 bits of each code point
};

/// The words of one side, numbered from 0 in the order in which they are first added. Upper and lower case are the same
/// word.
class WordTable {
 public:
  /// Classes have words with the same first `prefix` characters; 0 = each word is a class of its own.
  explicit WordTable(int prefix) : prefix_(prefix) {}

  /// The number of a word, which occurs `times` more; 0 = only its number is needed.
  int32_t add(std::string_view word, int64_t times = 1);

  const Word& operator[](int32_t word) const { return words_[static_cast<size_t>(word)]; }
  int64_t size() const { return static_cast<int64_t>(words_.size()); }
  int64_t classes() const { return static_cast<int64_t>(class_counts_.size()); }
  int64_t class_count(int32_t word) const { return class_counts_[static_cast<size_t>((*this)[word].prefix)]; }
  int prefix() const { return prefix_; }        ///< as given to the constructor
  int64_t tokens() const { return tokens_; }  ///< the sum of all counts

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Numbers = std::unordered_map<std::string, int32_t, Hash, std::equal_to<>>;

  int32_t number_of(const std::string& lower);

  int prefix_;
  std::vector<Word> words_;
  std::vector<int64_t> class_counts_;
  Numbers numbers_, class_numbers_;  // of words in small letters, and of prefixes
  Numbers cased_;                    // of words with capital letters
  int64_t tokens_ = 0;
};

}  // namespace ventris::alignment
