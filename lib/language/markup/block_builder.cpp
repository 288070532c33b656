#include "markup/block_builder.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "markup/characters.h"
#include "markup/link_rows.h"
#include "markup/text_cursor.h"

namespace ventris::markup {

namespace {

/// Whether the character, which is no digit, may be a part of a number with its unit or currency, or of a range: "1
/// 000", "5 €", "2019–2020".
bool is_of_number(UChar32 character) {
  constexpr std::u32string_view kOthers =
      U".,:%+-/'~=<>\u00B0\u00B1\u00B7\u00D7\u00F7\u066A\u066B\u066C\u2019\u2030\u2032\u2033\u2044\u2248\u2212\u2236";
  switch (u_charType(character)) {
    case U_SPACE_SEPARATOR:
    case U_DASH_PUNCTUATION:
    case U_CURRENCY_SYMBOL:
    case U_OTHER_NUMBER:
    case U_FORMAT_CHAR: return true;
    default: return kOthers.find(static_cast<char32_t>(character)) != std::u32string_view::npos;
  }
}

/// Whether it is the number of a commit: "3fa4c1d".
bool is_commit(std::string_view text) {
  constexpr size_t kShortest = 7, kLongest = 40;
  return text.size() >= kShortest && text.size() <= kLongest &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_of("abcdef") != std::string_view::npos;
}

/// Whether what follows touches the text before it, or begins its block.
bool touches_text(const std::vector<Part>& parts) {
  constexpr size_t kMostMarks = 8;
  size_t marks = 0;
  for (auto part = parts.rbegin(); part != parts.rend() && part->kind != Part::Kind::kKept; ++part) {
    if (part->kind == Part::Kind::kHidden || ++marks > kMostMarks) return false;
    if (part->kind != Part::Kind::kText || part->text.empty()) continue;
    return std::string_view(" \t\r\n").find(part->text.back()) == std::string_view::npos;
  }
  return true;
}

/// "a", "a,b", "c, d": signs of notes. Some letters are rather the end of a word: "M<sup>e</sup>", "n<sup>o</sup>".
bool are_letters_of_notes(std::string_view text) {
  constexpr std::string_view kEnds = "eorst";
  for (size_t at = 0;; at += text.substr(at).starts_with(", ") ? 2 : 1) {
    const char letter = at < text.size() ? text[at] : ' ';
    if (letter < 'a' || letter > 'z' || kEnds.find(letter) != std::string_view::npos) return false;
    if (++at == text.size()) return true;
    if (text[at] != ',') return false;
  }
}

/// The letters and digits at the end of a text.
std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    size_t at = begin;
    const UChar32 character = previous_character(text, at);
    if (character < 0 || u_isalnum(character) == 0) break;
    begin = at;
  }
  return text.substr(begin);
}

size_t letters_of(std::string_view word) {
  return static_cast<size_t>(std::ranges::count_if(word, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view without_stops(std::string_view text) { return text.substr(0, text.find_last_not_of(".,;:)") + 1); }

/// Whether a raised text is a usual end of a number or of a short form of a word: "1<sup>st</sup>", "M<sup>me</sup>".
bool is_end_of_word(std::string_view text) {
  constexpr std::array<std::string_view, 22> kEnds{"e", "er", "re", "es", "me", "mes", "lle", "lles", "gr", "o",  "os",
                                                   "a", "as", "r",  "rs", "s",  "t",   "te",  "th",   "st", "nd", "rd"};
  return std::ranges::find(kEnds, without_stops(text)) != kEnds.end();
}

bool is_capital_or_trade_mark(std::string_view text) {
  constexpr std::array<std::string_view, 4> kTradeMarks{"TM", "SM", "MC", "MD"};
  return (text.size() == 1 && text.front() >= 'A' && text.front() <= 'Z') ||
         std::ranges::find(kTradeMarks, text) != kTradeMarks.end();
}

}  // namespace

bool is_index(bool lowered, std::string_view before, std::string_view text) {
  constexpr size_t kMost = 12, kMostBehindWord = 4;  // bytes
  const std::string_view word = last_word(before);
  if (word.empty() || text.empty() || text.size() > kMost) return false;
  const auto space = std::ranges::find_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  if (space != text.end() && (space == text.begin() || *(space - 1) != ',')) return false;
  const size_t letters = letters_of(word);
  if (lowered) return letters == 1 || (letters == 2 && text.size() <= kMostBehindWord);
  if (is_end_of_word(text)) return false;
  if (u_isdigit(character_before(word, word.size())) != 0)
    return text.find_first_of("0123456789+-*/=(") != std::string_view::npos;
  return letters == 1;
}

bool ends_word(std::string_view before, std::string_view text) {
  constexpr size_t kLongestEnd = 5, kLongestWord = 3;  // letters: "1re", "Mmes"; "Mme", "XIX"
  const std::string_view word = last_word(before), end = without_stops(text);
  if (word.empty() || end.empty()) return false;
  for (size_t at = 0; at < end.size(); at += static_cast<size_t>(U8_LENGTH(character_at(end, at)))) {
    if (u_isalpha(character_at(end, at)) == 0) return false;
  }
  if (letters_of(end) > kLongestEnd) return false;
  const bool number = u_isdigit(character_before(word, word.size())) != 0;
  const bool roman = word.find_first_not_of("IVXLCDM") == std::string_view::npos;
  return number || roman || letters_of(word) <= kLongestWord || is_end_of_word(text);
}

bool refers_to_note(std::string_view document, const HtmlToken& tag, const std::vector<Part>& parts) {
  return is_note_reference(document, tag) || (touches_text(parts) && links_to_anchor(document, tag));
}

bool is_only_sign(std::string_view element, std::string_view text) {
  if (element == "a" && is_commit(text)) return true;
  const bool link = element == "a", index = element == "sub";
  if (!link && !index && element != "sup" && element != "moved") return false;
  if (element == "sup" && (are_letters_of_notes(text) || is_capital_or_trade_mark(text))) return true;
  constexpr std::array<std::string_view, 16> kIndices{"max", "min", "eff", "ref", "tot", "avg",  "out", "in",
                                                      "rms", "opt", "abs", "rel", "eq",  "crit", "obs", "mean"};
  if (index && std::ranges::find(kIndices, text) != kIndices.end()) return true;
  constexpr size_t kLongestNote = 40;
  if (element == "sup" && text.starts_with('[') && text.ends_with(']'))
    return text.size() <= kLongestNote;  // "[note 1]"
  const int64_t most_letters = index ? 1 : 0;
  int64_t letters = 0;
  bool digits = false, signs = false, visible = false, spaces = false;
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    letters += u_isalpha(character) != 0 ? 1 : 0;
    const bool foreign = u_isalpha(character) != 0 && (character < 'a' || character > 'z');
    if (character < 0 || foreign || letters > most_letters) return false;
    spaces = spaces || u_isUWhiteSpace(character) != 0;
    const bool digit = u_isdigit(character) != 0;
    digits = digits || digit;
    signs = signs || (!digit && !is_of_number(character));
    visible = visible || (u_isUWhiteSpace(character) == 0 && u_charType(character) != U_FORMAT_CHAR);
  }
  return visible && (signs || !digits || !link) && !(letters > 0 && spaces);
}

bool is_sign_or_index(std::string_view element, std::string_view before, std::string_view text) {
  const bool script = element == "sub" || element == "sup";
  return is_only_sign(element, text) || (script && is_index(element == "sub", before, text));
}

std::string_view text_before(const std::vector<Part>& parts, size_t number) {
  constexpr size_t kMostMarks = 8;
  for (size_t marks = 0; number > 0 && marks <= kMostMarks; ++marks) {
    const Part& part = parts[--number];
    if (part.kind == Part::Kind::kText && !part.text.empty()) return part.text;
    if (part.kind == Part::Kind::kKept || part.kind == Part::Kind::kHidden) return {};
  }
  return {};
}

void BlockBuilder::add_text(std::string_view raw, std::string_view text) {
  if (!begun_) block_line_ = line_;
  begun_ = begun_ || text.find_first_not_of(" \t\r\n") != std::string_view::npos;
  has_letters_ = has_letters_ || has_letters(text);
  text_.text += text;
  add_raw(raw);
}

void BlockBuilder::add_mark(std::string_view raw, Mark mark) {
  depth_ = std::max<int64_t>(depth_ + (mark.kind == Mark::Kind::kOpen) - (mark.kind == Mark::Kind::kClose), 0);
  if (depth_ > kDeepestNesting) fail_nesting(line_, "tags");
  mark.at = text_.text.size();
  text_.marks.push_back(std::move(mark));
  add_raw(raw);
}

void BlockBuilder::add_object(std::string_view raw) {
  text_.objects.push_back({text_.text.size(), std::string(raw)});
  text_.text += kObject;
  add_raw(raw);
}

void BlockBuilder::add_raw(std::string_view raw) {
  raw_ += raw;
  done_ += raw.size();
  line_ += std::ranges::count(raw, '\n');
}

void BlockBuilder::add_kept(std::string_view raw) {
  end_block();
  kept_ += raw;
  done_ += raw.size();
  line_ += std::ranges::count(raw, '\n');
}

void BlockBuilder::end_block() {
  if (has_letters_) {
    const ByteRange range{done_ - raw_.size(), done_};
    document_.blocks.push_back({std::exchange(kept_, {}), std::move(text_), block_line_, range});
    document_.blocks.back().escaping = escaping_;
  } else {
    kept_ += raw_;
  }
  raw_.clear();
  text_ = {};
  begun_ = has_letters_ = false;
}

MarkedDocument BlockBuilder::finish() {
  end_block();
  document_.after = std::move(kept_);
  return std::move(document_);
}

void BlockBuilder::add(std::string_view document, const Part& part, const Edits& edits) {
  const std::string_view raw = document.substr(part.range.begin, part.range.end - part.range.begin);
  const int64_t next = line_ + std::ranges::count(raw, '\n');
  if (part.escaping != escaping_) {
    end_block();
    escaping_ = part.escaping;
  }
  switch (part.kind) {
    case Part::Kind::kText: add_text(raw, part.text); break;
    case Part::Kind::kHidden: add_object(edits.apply(document, part.range)); break;
    case Part::Kind::kMark: {
      const std::string edited = edits.apply(document, part.range);
      add_mark(edited, {0, part.mark, part.text.empty() ? edited : part.text, part.never_empty, part.link, part.pair});
      break;
    }
    case Part::Kind::kKept: add_kept(edits.apply(document, part.range)); break;
  }
  line_ = next;
}

MarkedDocument in_blocks(std::string_view document, std::vector<Part> parts, const Edits& edits) {
  return in_blocks(document, std::move(parts), edits, {0, document.size()}, 1);
}

MarkedDocument in_blocks(std::string_view document, std::vector<Part> parts, const Edits& edits, text::ByteRange inside,
                         int64_t line) {
  BlockBuilder builder;
  builder.set_line(line);
  size_t done = inside.begin;
  const auto keep_until = [&](size_t end) {
    if (end > done) builder.add(document, {{done, end}, Part::Kind::kKept}, edits);
  };
  for (const Part& part : with_divided_rows(document, std::move(parts))) {
    keep_until(part.range.begin);
    builder.add(document, part, edits);
    done = part.range.end;
  }
  keep_until(inside.end);
  return builder.finish();
}

}  // namespace ventris::markup
