#include "metrics/word_division.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

enum class Character { kSpace, kSign, kLetter, kUnspacedLetter };

Character kind_of(char32_t character) {
  if (is_space(character)) return Character::kSpace;
  const auto c = static_cast<UChar32>(character);
  const auto category = static_cast<uint32_t>(U_GET_GC_MASK(c));
  if ((category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) == 0) return Character::kSign;
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  const bool cjk = script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
  const bool complex = u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
  return cjk || complex ? Character::kUnspacedLetter : Character::kLetter;
}

bool is_mark(char32_t character) {
  return (static_cast<uint32_t>(U_GET_GC_MASK(static_cast<UChar32>(character))) & U_GC_M_MASK) != 0;
}

/// Whether a character continues the word that ends with one of this kind. Marks and prolonged sound marks belong to
/// the letter before.
bool continues(Character before, Character kind, char32_t character) {
  if (before == Character::kSpace || before == Character::kSign) return false;
  if (kind == before) return true;
  return is_mark(character) || (before == Character::kUnspacedLetter && character == U'\u30FC');
}

}  // namespace

/// ICU's word boundaries, opened when they are first needed.
class WordDivider::Dictionary {
 public:
  ~Dictionary() {
    if (iterator_ != nullptr) ubrk_close(iterator_);
    if (text_ != nullptr) utext_close(text_);
  }

  /// Appends the words of a run of letters to `words`; without a dictionary, the run is one word.
  void divide(std::string_view run, std::vector<std::string_view>& words) {
    UErrorCode error = U_ZERO_ERROR;
    if (iterator_ == nullptr) iterator_ = ubrk_open(UBRK_WORD, "", nullptr, 0, &error);
    text_ = utext_openUTF8(text_, run.data(), static_cast<int64_t>(run.size()), &error);
    ubrk_setUText(iterator_, text_, &error);
    if (U_FAILURE(error) != 0) {
      words.push_back(run);
      return;
    }
    int32_t start = ubrk_first(iterator_);
    for (int32_t end = ubrk_next(iterator_); end != UBRK_DONE; end = ubrk_next(iterator_)) {
      words.push_back(run.substr(static_cast<size_t>(start), static_cast<size_t>(end - start)));
      start = end;
    }
  }

  Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

 private:
  UBreakIterator* iterator_ = nullptr;
  UText* text_ = nullptr;
};

WordDivider::WordDivider(Division division) : division_(division), dictionary_(std::make_unique<Dictionary>()) {}
WordDivider::~WordDivider() = default;
WordDivider::WordDivider(WordDivider&&) noexcept = default;
WordDivider& WordDivider::operator=(WordDivider&&) noexcept = default;

std::vector<std::string_view> WordDivider::divide(std::string_view line) {
  if (division_ == Division::kTokenized) return split_words(line);
  std::vector<std::string_view> words;
  Character last = Character::kSpace;
  size_t begin = 0;
  const auto finish = [&](size_t end) {
    const std::string_view run = line.substr(begin, end - begin);
    if (last == Character::kUnspacedLetter) {
      dictionary_->divide(run, words);
    } else if (last != Character::kSpace) {
      words.push_back(run);
    }
  };
  for_each_character(line, [&](char32_t character, std::string_view bytes) {
    const Character kind = kind_of(character);
    if (continues(last, kind, character)) return;
    const auto at = static_cast<size_t>(bytes.data() - line.data());
    finish(at);
    begin = at;
    last = kind;
  });
  finish(line.size());
  return words;
}

std::vector<std::string_view> divided(std::string_view line, Division division) {
  if (division == Division::kTokenized) return split_words(line);
  thread_local WordDivider divider(Division::kText);
  return divider.divide(line);
}

}  // namespace ventris::metrics
