#include "documents/cutter.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "documents/clauses.h"
#include "documents/dividing.h"
#include "documents/sentence_characters.h"
#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

/// Whether a character is of a writing system without spaces between sentences. (Hangul is wide, but has them.)
bool needs_no_space(UChar32 character) {
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return (width == U_EA_WIDE || width == U_EA_FULLWIDTH) &&
         u_getIntPropertyValue(character, UCHAR_SCRIPT) != USCRIPT_HANGUL;
}

/// Whether the text is only an address: "https://example.org/".
bool is_address(const std::string& text) {
  const std::vector<ByteRange> found = markup::find_addresses(text);
  return found.size() == 1 && found.front().begin == 0 && found.front().end == text.size();
}

/// Whether there is anything for a model. Addresses are kept, and so is text without letters and digits beside objects,
/// or, `divided`, without letters.
bool has_words(const MarkedText& sentence, bool divided) {
  if (is_address(sentence.text) || (divided && !markup::has_letters(sentence.text))) return false;
  if (sentence.objects.empty()) return true;
  const auto size = static_cast<int32_t>(sentence.text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(sentence.text.data(), at, size, character);
    if (u_isalnum(character) != 0) return true;
  }
  return false;
}

/// The sentences of each part that is translated alone; without a splitter, these parts.
std::vector<ByteRange> sentences_of(const MarkedText& text, const std::vector<ByteRange>& parts,
                                    const SentenceSplitter* splitter) {
  std::vector<ByteRange> sentences;
  for (const ByteRange& part : parts) {
    if (splitter == nullptr) {
      sentences.push_back(trimmed(text.text, part));
      continue;
    }
    for (const ByteRange& range :
         splitter->split(std::string_view(text.text).substr(part.begin, part.end - part.begin))) {
      sentences.push_back({part.begin + range.begin, part.begin + range.end});
    }
  }
  return sentences;
}

}  // namespace

std::vector<ByteRange> columns_of(const MarkedText& text, ByteRange part) {
  constexpr std::string_view kSpaces = " \t";
  constexpr size_t kMany = 5;  // nobody writes so many spaces between words of a sentence
  const std::string_view whole = std::string_view(text.text).substr(0, part.end);
  auto object = text.objects.begin();
  const auto begins_with_option = [&](size_t at) {
    while (object != text.objects.end() && object->at < at) ++object;
    return whole[at] == '-' || (object != text.objects.end() && object->at == at && object->raw.starts_with('-'));
  };
  std::vector<ByteRange> columns;
  size_t line = part.begin, begin = part.begin;
  bool option = line < part.end && begins_with_option(line);
  for (size_t at = whole.find_first_of(" \t\n", line); at < part.end; at = whole.find_first_of(" \t\n", at)) {
    if (whole[at] == '\n') {
      line = ++at;
      option = line < part.end && begins_with_option(line);
      continue;
    }
    const size_t end = std::min(whole.find_first_not_of(kSpaces, at), part.end);
    const std::string_view gap = whole.substr(at, end - at);
    const bool tab = gap.find('\t') != std::string_view::npos || gap.size() >= kMany;
    const UChar32 last = markup::character_before(whole, at);
    const bool apart = is_terminator(last) || last == ':' || u_isupper(markup::character_at(whole, end)) != 0 ||
                       (end < part.end && whole[end] == '(');
    const bool between = at > line && end < part.end && whole[end] != '\n';
    if (between && (tab || (option && gap.size() > 1) || (apart && gap.size() > 2))) {
      columns.push_back({begin, at});
      begin = end;
    }
    at = end;
  }
  columns.push_back({begin, part.end});
  return columns;
}

CutText cut_text(const MarkedText& text, const Cutting& cutting) {
  CutText cut;
  std::vector<ByteRange> own_texts;
  for (const ByteRange& part : divided(text, cutting.splitter)) {
    const auto columns = cutting.columns ? columns_of(text, part) : std::vector<ByteRange>{part};
    own_texts.insert(own_texts.end(), columns.begin(), columns.end());
  }
  const std::vector<ByteRange> sentences = sentences_of(text, own_texts, cutting.splitter);
  const bool several = own_texts.size() > 1;
  markup::PartCutter cutter(text);
  for (const ByteRange& sentence : sentences) {
    const auto parts =
        cutting.fits ? cut_at_clauses(text.text, sentence, cutting.fits) : std::vector<ByteRange>{sentence};
    for (const ByteRange& part : parts) {
      if (part.begin == part.end) continue;
      MarkedText inside = cutter.part(part);
      if (!has_words(inside, several)) continue;
      cut.segments.push_back({cutter.take(part, cutting.escape), std::move(inside), parts.size() > 1, 1, part.begin});
    }
  }
  cut.after = cutter.rest(cutting.escape);
  return cut;
}

std::string gap_between(std::string_view left, const std::string& kept, std::string_view right) {
  if (!kept.empty() || left.empty() || right.empty()) return kept;
  UChar32 last = 0, first = 0;
  auto end = static_cast<int32_t>(left.size());
  U8_PREV(left.data(), 0, end, last);
  int32_t at = 0;
  const auto size = static_cast<int32_t>(right.size());
  U8_NEXT(right.data(), at, size, first);
  const bool has_space = u_isUWhiteSpace(last) != 0 || u_isUWhiteSpace(first) != 0;
  return has_space || needs_no_space(last) || needs_no_space(first) ? "" : " ";
}

}  // namespace ventris::documents
