#include "documents/masking.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/special_ids.h"
#include "documents/element_gaps.h"
#include "documents/raised_ends.h"
#include "documents/sentence_characters.h"
#include "documents/unknown_symbols.h"
#include "markup/attribute_lists.h"
#include "markup/characters.h"
#include "markup/text_cursor.h"
#include "text/placeholder_words.h"
#include "text/valid_utf8.h"
#include "text/word_ids.h"

namespace ventris::documents {
namespace {

using markup::is_word_part;
using markup::kObject;

/// Whether it is a sign such as "<n5>" or "<sub5>" (office/paragraph_text.h).
bool is_office_note(std::string_view raw) {
  const size_t begin = raw.starts_with("<sub") ? 4 : 2;
  const bool known = begin == 4 || raw.starts_with("<n");
  return known && raw.size() > begin + 1 && raw.find_first_not_of("0123456789", begin) == raw.size() - 1 &&
         raw.ends_with('>');
}

/// Whether the character is a letter or digit of a word that a space separates from others.
bool is_of_spaced_word(UChar32 character) {
  const int script = u_getIntPropertyValue(character, UCHAR_SCRIPT);
  const bool prefixed = script == USCRIPT_HEBREW || script == USCRIPT_ARABIC;  // words of one letter touch the next one
  return character >= 0 && u_isalnum(character) != 0 && !prefixed && !touches_next_word(character);
}

/// Whether a word in this place, with other objects behind it, would be a part of the one that follows.
bool touches_next(const MarkedText& sentence, size_t number) {
  size_t end = sentence.objects[number].at + kObject.size();
  while (++number < sentence.objects.size() && sentence.objects[number].at == end) end += kObject.size();
  return is_of_spaced_word(markup::character_at(sentence.text, end));
}

/// Whether nothing is between the object and the one in front of it, which is no emoji.
bool follows_object(const MarkedText& sentence, size_t number) {
  return number > 0 && number < sentence.objects.size() &&
         sentence.objects[number - 1].at + kObject.size() == sentence.objects[number].at &&
         !are_only_symbols(sentence.objects[number - 1].raw);
}

/// Whether a word in this place would be a part of the one before it, or stand behind the end of a sentence.
bool touches_previous(const MarkedText& sentence, const markup::Object& object) {
  const std::string_view before = std::string_view(sentence.text).substr(0, object.at);
  if (is_of_spaced_word(markup::character_before(sentence.text, object.at))) return true;
  const size_t word = before.find_last_not_of(".!?") + 1;  // 0: there is none
  const bool behind_end = word > 0 && word < before.size() && before[word - 1] != ' ' && before[word - 1] != '\n';
  return behind_end && !is_word_part(sentence.text, object.at + kObject.size(), false);
}

/// For each object: whether it stays directly behind what is in front of it. These do:
/// - one that follows another object;
/// - one that stands directly behind a word that it is no part of;
/// - the sign of a note, a reading of <ruby>, or a list of attributes of Markdown, directly behind a word, a stop or
///   another such sign.
std::vector<bool> attached_objects(const MarkedText& sentence) {
  const std::string_view text = sentence.text;
  std::vector<bool> notes, attached;
  for (size_t i = 0; i < sentence.objects.size(); ++i) {
    const markup::Object& object = sentence.objects[i];
    const auto begins = [&](const char* begin) { return object.raw.starts_with(begin); };
    const bool sign = std::ranges::any_of(std::array{"[^", "<sup>", "<sup ", "<rt", "<rp"}, begins) ||
                      markup::is_attribute_list(object.raw) || is_office_note(object.raw);
    const std::string_view before = text.substr(0, object.at);
    const bool behind_sign = before.ends_with(kObject) && i > 0 && notes[i - 1];
    notes.push_back((sign && (behind_sign || is_word_part(text, object.at, true) || markup::ends_with_stop(before))) ||
                    touches_previous(sentence, object));
    attached.push_back(notes.back() || follows_object(sentence, i));
  }
  return attached;
}

/// First names that many languages write alike.
constexpr std::array<const char*, 16> kNames{"Tom",   "Anna", "Maria", "Peter", "Paul", "Martin", "Laura",  "David",
                                             "Linda", "Eva",  "Max",   "Emma",  "Mark", "Robert", "Sandra", "Daniel"};

constexpr size_t kLeastNames = 4;  // fewer: the training text hardly has names

/// Inserts a space at each gap: behind marks that close, and in front of others.
void open_gaps(MaskedText& masked, const std::vector<size_t>& gaps) {
  std::string spaced;
  size_t done = 0;
  for (const size_t gap : gaps) {
    spaced.append(masked.text, done, gap - done) += ' ';
    done = gap;
  }
  masked.text = spaced.append(masked.text, done);
  const auto moved = [&](size_t at, bool behind) {
    const auto gap = behind ? std::ranges::upper_bound(gaps, at) : std::ranges::lower_bound(gaps, at);
    return at + static_cast<size_t>(gap - gaps.begin());
  };
  bool opened = false;  // among the marks at the same place
  for (size_t i = 0, last = 0; i < masked.marks.size(); ++i) {
    Mark& mark = masked.marks[i];
    opened = (i > 0 && mark.at == last && opened) || mark.kind != Mark::Kind::kClose;
    last = mark.at;
    mark.at = moved(mark.at, opened);
  }
  for (ByteRange& place : masked.places) place = {moved(place.begin, false), moved(place.end, false)};
}

void leave_out_raised_ends(MaskedText& masked) {
  const std::vector<size_t> ends = raised_ends(masked.text, masked.marks);
  if (ends.empty()) return;
  size_t kept = 0, next = 0;
  for (size_t i = 0; i < masked.marks.size(); ++i) {
    if (next < ends.size() && ends[next] == i) {
      ++next;
      continue;
    }
    if (kept != i) masked.marks[kept] = std::move(masked.marks[i]);
    masked.objects_before[kept++] = masked.objects_before[i];
  }
  masked.marks.resize(kept);
  masked.objects_before.resize(kept);
}

}  // namespace

std::vector<std::string> copied_words(const text::Tokenizer& source, const text::Tokenizer& target) {
  std::vector<std::string> words;
  for (const std::string_view word : text::kPlaceholderWords) {
    if (text::id_of_word(source, word) >= 0 && text::id_of_word(target, word) >= 0) words.emplace_back(word);
  }
  if (!words.empty()) return words;
  const auto has = [](const text::Tokenizer& tokenizer, const char* name) {
    const std::vector<int32_t> ids = tokenizer.encode(name);
    return ids.size() == 1 && ids.front() != core::SpecialIds().unk;
  };
  for (const char* name : kNames) {
    if (has(source, name) && has(target, name)) words.emplace_back(name);
  }
  return words.size() < kLeastNames ? std::vector<std::string>() : words;
}

MaskedText mask(const MarkedText& sentence, const std::vector<std::string>& words) {
  MaskedText masked;
  masked.marks = sentence.marks;
  const auto is_free = [&](const std::string& word) { return sentence.text.find(word) == std::string::npos; };
  masked.attached = attached_objects(sentence);
  for (size_t i = 0; i < sentence.objects.size(); ++i) masked.follows.push_back(follows_object(sentence, i));
  auto word = words.begin();
  size_t done = 0, mark = 0;
  const auto move_marks = [&](size_t end) {  // those up to this byte, to their place in the masked text
    for (; mark < masked.marks.size() && masked.marks[mark].at <= end; ++mark) {
      masked.marks[mark].at += masked.text.size() - done;
      masked.objects_before.push_back(masked.words.size());
    }
  };
  for (const markup::Object& object : sentence.objects) {
    word = std::find_if(word, words.end(), is_free);
    move_marks(object.at);
    masked.text.append(sentence.text, done, object.at - done);
    const size_t begin = masked.text.size();
    const size_t number = masked.words.size();
    const bool removed = masked.attached[number] || touches_next(sentence, number) || are_only_symbols(object.raw);
    masked.words.push_back(removed || word == words.end() ? "" : *word++);
    masked.text += masked.words.back();
    masked.places.push_back({begin, masked.text.size()});
    done = object.at + kObject.size();
    const bool between_letters = masked.words.back().empty() && !follows_object(sentence, number + 1) &&
                                 is_of_spaced_word(markup::character_before(masked.text, masked.text.size())) &&
                                 is_of_spaced_word(markup::character_at(sentence.text, done));
    masked.divides_word.push_back(between_letters);
    if (between_letters) masked.text += ' ';
  }
  move_marks(sentence.text.size());
  masked.text.append(sentence.text, done);
  leave_out_raised_ends(masked);
  if (const std::vector<size_t> gaps = element_gaps(masked.text, masked.marks); !gaps.empty()) open_gaps(masked, gaps);
  for (size_t at = masked.text.find('\n'); at != std::string::npos; at = masked.text.find('\n', at + 1)) {
    masked.line_ends.push_back(at);
  }
  text::remove_line_ends(masked.text);
  return masked;
}

}  // namespace ventris::documents
