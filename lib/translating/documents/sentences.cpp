#include "documents/sentences.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "core/process.h"
#include "documents/sentence_characters.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::after_character;
using markup::character_at;
using markup::character_before;
using markup::is_space;

constexpr size_t kShown = 64;     // bytes of the next sentence that a decision needs
constexpr size_t kLongestMark = 16;  // bytes of "12.", "(a)." and other marks of lists

/// Punctuation where a sentence may end, and what follows it.
struct Ending {
  size_t begin;          // of the punctuation
  size_t full_stop = 0;  // where the text before closing punctuation ends
  size_t end = 0;        // where the sentence would end: after closing punctuation and emoji
  size_t next = 0;       // the next character that is no space
  UChar32 last = 0;      // terminator
  size_t terminators = 0;
  bool closes_quotation = false;
};

/// Divides a text. Each character is looked at a bounded number of times.
class Sentences {
 public:
  Sentences(std::string_view text, const Abbreviations& abbreviations, bool subject_first)
      : text_(text), abbreviations_(abbreviations), subject_first_(subject_first) {}

  std::vector<ByteRange> all() {
    begin_at(after_spaces(0));
    for (size_t at = begin_; at < text_.size();) {
      if (++steps_ % 4096 == 0) core::throw_if_stopped("splitting into sentences");
      const UChar32 character = character_at(text_, at);
      if (is_separator(character)) {
        end_at(at);
        at = begin_at(after_spaces(at));
      } else if (is_terminator(character) && !is_inside_number(at)) {
        const Ending ending = ending_at(at);
        at = ending.end;
        if (!ends(ending)) {
          quoted_ = quoted_ && !ending.closes_quotation;
          continue;
        }
        end_at(ending.end);
        quoted_ = quoted_ && !ending.closes_quotation;
        at = begin_at(ending.next);
      } else {
        note(character, at);
        at = after_character(text_, at);
      }
    }
    end_at(text_.size());
    return std::move(sentences_);
  }

 private:
  size_t after_spaces(size_t at) const {
    while (at < text_.size() && is_space(character_at(text_, at))) at = after_character(text_, at);
    return at;
  }

  /// Begins a sentence.
  size_t begin_at(size_t at) {
    begin_ = at;
    const UChar32 first = character_at(text_, at);
    quoted_ = quoted_ || is_quotation_mark(first);
    begins_with_pictograph_ = is_pictograph(first);
    has_word_ = false;
    return at;
  }

  void end_at(size_t end) {
    const ByteRange found = trimmed(text_, {begin_, end});
    if (found.end > found.begin) sentences_.push_back(found);
    begin_ = end;
  }

  /// Remembers what the sentence has.
  void note(UChar32 character, size_t at) {
    has_word_ = has_word_ || u_isalnum(character) != 0;
    if (!is_quotation_mark(character)) return;
    if (is_opening_bracket(character) || character == 0x201C) introduced_ = goes_on(character_before(text_, at));
    if (at == begin_ || !quoted_) return;
    const bool apostrophe =
        u_isalpha(character_before(text_, at)) != 0 && u_isalpha(character_at(text_, after_character(text_, at))) != 0;
    quoted_ = apostrophe;
  }

  /// "3.14", also in wide characters: a full stop between two digits.
  bool is_inside_number(size_t at) const {
    return is_full_stop(character_at(text_, at)) && u_isdigit(character_before(text_, at)) != 0 &&
           u_isdigit(character_at(text_, after_character(text_, at))) != 0;
  }

  Ending ending_at(size_t at) const;
  void take_terminators(Ending& ending) const;
  bool take_closing(Ending& ending) const;
  size_t after_pictographs(size_t at) const;
  size_t after_emoticon(size_t at) const;
  size_t after_reference(size_t at) const;
  bool ends(const Ending& ending) const;
  bool is_before_description(size_t at) const;
  bool goes_on_in_small_letters(const Ending& ending) const;
  bool is_list_mark(const Ending& ending) const;
  bool is_attribution(const Ending& ending) const;
  size_t after_opening(size_t at) const;

  std::string_view text_;
  const Abbreviations& abbreviations_;
  bool subject_first_;  // as in SentenceSplitter
  std::vector<ByteRange> sentences_;
  size_t begin_ = 0;   // of the sentence
  bool quoted_ = false;  // a quotation began with this sentence or one before it, and has not ended
  bool introduced_ = true;  // the last quotation follows a comma or a colon
  bool begins_with_pictograph_ = false;
  bool has_word_ = false;
  size_t steps_ = 0;
};

/// Takes terminators, also with spaces between them: "?!", ". . .", "? !".
void Sentences::take_terminators(Ending& ending) const {
  for (size_t at = ending.end; at < text_.size(); at = after_spaces(ending.end)) {
    const UChar32 character = character_at(text_, at);
    const size_t after = after_character(text_, at);
    if (!is_terminator(character)) return;
    if (at > ending.end && u_isalnum(character_at(text_, after)) != 0) return;  // ".NET"
    ending.last = character;
    ending.end = after;
    ++ending.terminators;
  }
}

/// Takes closing punctuation. Returns whether there was any.
bool Sentences::take_closing(Ending& ending) const {
  const size_t before = ending.end;
  while (ending.end < text_.size()) {
    const UChar32 character = character_at(text_, ending.end);
    const size_t reference = after_reference(ending.end);
    // After "。", a mark such as “ begins a quotation; in German, it ends one.
    const bool opens = !wants_space(ending.last) && (character == 0x201C || character == 0x2018);
    if (reference > ending.end) {
      ending.end = reference;
    } else if (is_closing(character) && !opens) {
      ending.closes_quotation = ending.closes_quotation || is_quotation_mark(character);
      ending.end = after_character(text_, ending.end);
    } else {
      break;
    }
  }
  const size_t next = after_spaces(ending.end);  // French: "! »"
  const size_t after = next < text_.size() ? after_character(text_, next) : next;
  const UChar32 follows = character_at(text_, after);
  if (next > ending.end && character_at(text_, next) == 0xBB && u_isalnum(follows) == 0) {
    ending.closes_quotation = true;
    ending.end = after;
  }
  return ending.end > before;
}

/// "[12]"
size_t Sentences::after_reference(size_t at) const {
  const std::string_view rest = text_.substr(at, 5);
  if (!rest.starts_with('[')) return at;
  const size_t end = rest.find_first_not_of("0123456789", 1);
  return end != std::string_view::npos && end > 1 && rest[end] == ']' ? at + end + 1 : at;
}

/// The end of emoji, which spaces or the end of the text must follow.
size_t Sentences::after_pictographs(size_t at) const {
  size_t end = at;
  for (size_t next = at; next < text_.size() && is_pictograph(character_at(text_, next)); next = after_spaces(end)) {
    for (end = next; end < text_.size(); end = after_character(text_, end)) {
      const UChar32 character = character_at(text_, end);
      if (!is_pictograph(character) && !continues_pictograph(character)) break;
    }
  }
  return end;
}

/// ":-)"
size_t Sentences::after_emoticon(size_t at) const {
  const std::string_view rest = text_.substr(at, 4);
  if (rest.empty() || std::string_view(":;=").find(rest[0]) == std::string_view::npos) return at;
  const size_t mouth = rest.substr(1).starts_with('-') ? 2 : 1;
  if (mouth >= rest.size() || std::string_view("()DPp/|*").find(rest[mouth]) == std::string_view::npos) return at;
  const size_t end = at + mouth + 1;
  return end == text_.size() || is_space(character_at(text_, end)) ? end : at;
}

Ending Sentences::ending_at(size_t at) const {
  Ending ending{.begin = at, .end = at};
  take_terminators(ending);
  ending.full_stop = ending.end;
  while (take_closing(ending) && is_terminator(character_at(text_, ending.end))) take_terminators(ending);
  ending.next = after_spaces(ending.end);
  if (ending.next == ending.end || !begins_with_pictograph_) {
    const size_t end = std::max(after_pictographs(ending.next), after_emoticon(ending.next));
    const size_t next = after_spaces(end);
    if (end > ending.next && (next > end || next == text_.size() || is_unspaced(character_at(text_, next)))) {
      ending.end = end;
      ending.next = next;
    }
  }
  return ending;
}

/// Whether a description in brackets follows, and then a capital letter or nothing: "[music] She sings."
bool Sentences::is_before_description(size_t at) const {
  const std::string_view shown = text_.substr(at, kShown);
  if (!shown.starts_with('[') && !shown.starts_with('(')) return false;
  const size_t end = shown.find_first_of("[]().!?", 1);
  if (end == std::string_view::npos || shown[end] != (shown[0] == '[' ? ']' : ')')) return false;
  const size_t next = after_spaces(at + end + 1);
  return next == text_.size() || (next > at + end + 1 && u_isupper(character_at(text_, next)) != 0);
}

/// Whether the next letter is a small one. After "." and "…", it may follow any punctuation, and after "…" also digits;
/// after "?" and "!", only opening punctuation.
bool Sentences::goes_on_in_small_letters(const Ending& ending) const {
  if (!wants_space(ending.last)) return false;
  const bool starts = is_start_without_letter(character_at(text_, ending.next)) ||
                      text_.substr(ending.next).starts_with("http://") ||
                      text_.substr(ending.next).starts_with("https://");
  if (starts && is_full_stop(ending.last)) return false;
  if (is_before_description(ending.next)) return false;
  const bool looks_far = is_full_stop(ending.last) || is_ellipsis(ending.last);
  for (size_t at = ending.next; at < text_.size(); at = after_character(text_, at)) {
    const UChar32 character = character_at(text_, at);
    if (u_isalpha(character) != 0) {
      return u_islower(character) != 0 && character_at(text_, after_character(text_, at)) != ')';  // "b)" of a list
    }
    const bool opens = is_space(character) || is_closing(character) || is_opening_bracket(character) ||
                       character == 0xBF || character == 0xA1;
    if (is_terminator(character) || is_separator(character) || !(opens || looks_far)) return false;
  }
  return false;
}

/// The first letter or digit of the next sentence.
size_t Sentences::after_opening(size_t at) const {
  const size_t most = std::min(text_.size(), at + kShown);
  while (at < most && u_isalnum(character_at(text_, at)) == 0) at = after_character(text_, at);
  return at;
}

/// Whether the sentence is only the number of something: "1.", "(a).", "IV.", "2.1."
bool Sentences::is_list_mark(const Ending& ending) const {
  const std::string_view mark = text_.substr(begin_, ending.begin - begin_);
  if (mark.empty() || mark.size() > kLongestMark || !is_full_stop(ending.last)) return false;
  const std::string_view bare = mark.substr(mark.find_first_not_of("(["));
  if (bare.size() == 1) return u_isalnum(static_cast<UChar32>(static_cast<unsigned char>(bare[0]))) != 0;
  const auto only = [&](std::string_view characters) {
    return bare.find_first_not_of(characters) == std::string_view::npos;
  };
  const size_t part = bare.find('.');
  return (only("0123456789.") && (part != std::string_view::npos || bare.size() <= 3)) || only("IVX") || only("ivx");
}

/// Whether a quotation ends here that the sentence began with, so that who said it may follow: "“Why?” John asked." In
/// most languages that have small letters, this begins with a verb, in small letters.
bool Sentences::is_attribution(const Ending& ending) const {
  const UChar32 next = character_at(text_, ending.next);
  if (!ending.closes_quotation || u_isalpha(next) == 0) return false;
  if (!wants_space(ending.last) && ending.next == ending.end) {  // in Japanese, "と" after a quotation is "that"
    return quoted_ || !introduced_ || next == 0x3068;
  }
  const bool has_case = u_isupper(next) != 0 || u_istitle(next) != 0;
  return (subject_first_ || !has_case) && quoted_ && !(is_full_stop(ending.last) && ending.terminators == 1);
}

bool Sentences::ends(const Ending& ending) const {
  if (ending.next == text_.size()) return true;
  const UChar32 next = character_at(text_, ending.next), before = character_before(text_, ending.begin);
  if (!has_word_ || is_list_mark(ending)) return false;
  if (is_opening_bracket(before) || goes_on(next)) return false;  // "[...]", "(!)"
  if (ending.next == ending.end && wants_space(ending.last)) {    // "example.com", "Node.js", "?a=b"
    const bool letter = u_isalpha(next) != 0 || is_opening_bracket(next);
    if (!letter || !is_unspaced(next) || !is_unspaced(before) || is_ellipsis(ending.last)) return false;
  }
  if (goes_on_in_small_letters(ending) || is_attribution(ending)) return false;
  if (!is_full_stop(ending.last) || ending.terminators > 1) return true;
  const std::string_view sentence = text_.substr(begin_, ending.full_stop - begin_);
  return !abbreviations_.ends(sentence, text_.substr(after_opening(ending.next), kShown));
}

}  // namespace

SentenceSplitter::SentenceSplitter(const std::string& language)
    : abbreviations_(language), subject_first_(language.empty() || code_of(language) == "en") {}

std::vector<ByteRange> SentenceSplitter::split(std::string_view document) const {
  return Sentences(document, abbreviations_, subject_first_).all();
}

ByteRange trimmed(std::string_view text, ByteRange range) {
  UChar32 character = 0;
  const auto end = static_cast<int32_t>(range.end);
  for (auto at = static_cast<int32_t>(range.begin); at < end;) {
    U8_NEXT(text.data(), at, end, character);
    if (!is_space(character)) break;
    range.begin = static_cast<size_t>(at);
  }
  const auto begin = static_cast<int32_t>(range.begin);
  for (auto at = end; at > begin;) {
    U8_PREV(text.data(), begin, at, character);
    if (!is_space(character)) break;
    range.end = static_cast<size_t>(at);
  }
  return range;
}

}  // namespace ventris::documents
