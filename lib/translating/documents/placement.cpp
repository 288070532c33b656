#include "documents/placement.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "documents/mark_layout.h"
#include "documents/nesting.h"
#include "documents/new_spaces.h"
#include "documents/projection.h"
#include "documents/word_pairs.h"
#include "markup/characters.h"
#include "markup/text_cursor.h"
#include "text/placeholder_words.h"

namespace ventris::documents {
namespace {

using markup::is_word_part;
using markup::kObject;

constexpr std::string_view kSpaces = " \t\r\n";

/// The places in the target that objects have taken. There are at most as many as copied words.
class TakenPlaces {
 public:
  bool overlap(ByteRange range) const {
    return std::ranges::any_of(
        all_, [&](const ByteRange& other) { return range.begin < other.end && other.begin < range.end; });
  }
  /// The place itself or, if it is inside one of them, its end.
  size_t outside(size_t place) const {
    for (const ByteRange& taken : all_) {
      if (place > taken.begin && place < taken.end) return taken.end;
    }
    return place;
  }
  void add(ByteRange range) { all_.push_back(range); }

 private:
  std::vector<ByteRange> all_;
};

/// The places of a word in a text, where it is not a part of a longer word.
std::vector<ByteRange> occurrences(std::string_view text, const std::string& word) {
  std::vector<ByteRange> all;
  if (word.empty()) return all;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
    const size_t end = at + word.size();
    if (!is_word_part(text, at, true) && !is_word_part(text, end, false)) all.push_back({at, end});
  }
  return all;
}

/// Whether it is a character that is no letter, digit, space or object.
bool is_sign(UChar32 character) {
  constexpr UChar32 kObjectSign = 0xFFFC;
  return character > ' ' && character != kObjectSign && u_isalnum(character) == 0 && u_isspace(character) == 0;
}

bool is_placeholder_word(std::string_view word) { return std::ranges::count(text::kPlaceholderWords, word) > 0; }

/// Removes a word wherever it is, with one of the spaces around it; a name, only where it is not a part of a longer
/// word.
void remove_word(std::string& text, const std::string& word) {
  const bool name = !is_placeholder_word(word);
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    if (name && (is_word_part(text, at, true) || is_word_part(text, at + word.size(), false))) {
      at += word.size();
      continue;
    }
    text.erase(at, word.size());
    const bool space_before = at > 0 && text[at - 1] == ' ', space_after = at < text.size() && text[at] == ' ';
    const bool stop_after = at < text.size() && markup::is_stop(text[at]);
    if (space_before && (space_after || stop_after || at == text.size())) text.erase(--at, 1);
  }
}

/// Where the last tag of a template in an object begins; 0 if there is none.
size_t begin_of_last_tag(std::string_view raw) {
  const size_t braces = raw.rfind("{{") + 1, tag = raw.rfind("{%") + 1;  // 0: there is none
  return std::max<size_t>(std::max(braces, tag), 1) - 1;
}

/// Whether the object, which touches a word behind it, touches any word in the translation: a written character of
/// HTML ("&nbsp;"), a tag of a template that is no value ("{{else}}"), and one that stands around words with the next
/// one, as tags do: "%sclick here%s".
bool opens_words(const MarkedText& sentence, size_t number) {
  const std::string& raw = sentence.objects[number].raw;
  constexpr std::array<std::string_view, 5> kTags{"{%", "{{#", "{{/", "{{^", "{{else"};
  if (raw.starts_with('&') && raw.ends_with(';')) return true;
  const std::string_view last = std::string_view(raw).substr(begin_of_last_tag(raw));
  if (std::ranges::any_of(kTags, [&](std::string_view tag) { return last.starts_with(tag); })) return true;
  if (number + 1 >= sentence.objects.size()) return false;
  const size_t first = sentence.objects[number].at, second = sentence.objects[number + 1].at;
  return touch_words_between(sentence.text, {first, first + kObject.size()}, {second, second + kObject.size()});
}

/// Where the object goes: the place of its word, or of what is linked to it, or an empty place.
PlacedObject place_object(size_t number, const MaskedText& masked, const Projection& projection,
                          std::string_view target, const TakenPlaces& taken) {
  const ByteRange source = masked.places[number];
  const ByteRange linked = source.end > source.begin ? projection.linked_word(source.begin) : ByteRange{};
  std::vector<ByteRange> places = occurrences(target, masked.words[number]);
  const auto is_linked = [&](const ByteRange& place) { return place.begin < linked.end && linked.begin < place.end; };
  std::stable_partition(places.begin(), places.end(), is_linked);
  for (const ByteRange& place : places) {
    if (!taken.overlap(place)) return {number, place, true};
  }
  if (linked.end > linked.begin && !taken.overlap(linked)) return {number, linked, true};
  const bool at_end = masked.attached[number] && source.begin == masked.text.size();
  const size_t place = at_end ? target.size() : taken.outside(projection.point(source.begin));
  return {number, {place, place}, false};
}

/// Writes the target with its objects and marks.
class Writer {
 public:
  Writer(const MarkedText& sentence, const MaskedText& masked, std::string_view target,
         std::vector<PlacedObject> objects, const Escape& escape)
      : sentence_(sentence), masked_(masked), target_(target), objects_(std::move(objects)), escape_(escape) {
    std::ranges::stable_sort(objects_, {}, [](const PlacedObject& object) { return object.place.begin; });
  }

  /// Everything before a mark at this byte of the target, with `before` objects in front of it in the source. Of the
  /// objects that are placed there, those that were behind the mark are left for later.
  void write_until(size_t end, size_t before) {
    const auto comes_first = [&](const PlacedObject& object) {
      const bool here = object.place.begin == end && object.place.end == end;
      return object.place.begin < end || (here && object.number < before);
    };
    while (next_ < objects_.size() && comes_first(objects_[next_])) write(objects_[next_++]);
    write_text(end);
  }
  /// `spaced`: it stands between spaces.
  void write_mark(const std::string& raw, bool spaced) {
    if (spaced && done_ > 0 && !out_.ends_with(' ')) out_ += ' ';
    markup::append_mark(out_, raw);
    if (spaced && done_ < target_.size() && target_[done_] != ' ') out_ += ' ';
  }
  PlacedText finish() {
    while (next_ < objects_.size()) write(objects_[next_++]);
    write_text(target_.size());
    return {std::move(out_), std::move(text_), 0, std::move(order_)};
  }

 private:
  void write_text(size_t end) {
    if (end <= done_) return;
    std::string part = new_spaces_.removed_from(without_copied(target_.substr(done_, end - done_)), out_);
    if (done_ == 0 && part.size() < end) part.erase(0, part.find_first_not_of(' '));
    out_ += escape_ ? escape_(part) : part;
    text_ += part;
    done_ = end;
  }
  /// The text without words of objects that the model wrote too often, and without placeholders that its source does
  /// not have.
  std::string without_copied(std::string_view part) const {
    std::string text(part);
    for (const std::string& word : masked_.words) {
      if (!word.empty()) remove_word(text, word);
    }
    if (std::ranges::none_of(masked_.words, is_placeholder_word)) return text;
    for (const std::string_view word : text::kPlaceholderWords) {
      if (masked_.text.find(word) == std::string::npos) remove_word(text, std::string(word));
    }
    return text;
  }
  /// Whether source and target go on with the same character, or with words of their own: both begin here, or a capital
  /// follows. (A small letter may be the end of a word: "`file`s".)
  bool begins_alike(size_t source, size_t target) const {
    if ((source == 0 && target == 0) || u_isupper(markup::character_at(masked_.text, source)) != 0) return true;
    return markup::character_at(masked_.text, source) == markup::character_at(target_, target);
  }
  /// Whether source and target have the same sign, such as a colon, directly in front of here.
  bool ends_alike(size_t source) const {
    const UChar32 sign = markup::character_before(masked_.text, source);
    return sign > ' ' && sign == markup::character_before(target_, done_);
  }
  /// Whether spaces or a line end are between the object and the sign in front of it, and the target has the same sign
  /// here.
  bool is_spaced_from_sign_before(const markup::Object& object) const {
    const std::string_view before = std::string_view(sentence_.text).substr(0, object.at);
    const size_t end = before.find_last_not_of(kSpaces) + 1;  // 0: nothing else is in front of it
    if (end == before.size() || out_.ends_with(' ')) return false;
    const UChar32 sign = markup::character_before(before, end);
    return is_sign(sign) && sign == markup::character_before(target_, done_);
  }
  /// The same for the sign behind it, and the target from this byte on.
  bool is_spaced_from_sign_behind(const markup::Object& object, size_t target) const {
    const std::string_view behind = std::string_view(sentence_.text).substr(object.at + kObject.size());
    const size_t begin = behind.find_first_not_of(kSpaces);
    if (begin == 0 || begin == std::string_view::npos) return false;
    const UChar32 sign = markup::character_at(behind, begin);
    return is_sign(sign) && sign == markup::character_at(target_, target);
  }
  /// Whether nothing is between this object, if there is one, and the one in front of it.
  bool follows(size_t number) const { return number < masked_.follows.size() && masked_.follows[number]; }
  void write(const PlacedObject& object) {
    write_text(object.place.begin);
    const ByteRange source = masked_.places[object.number];
    const bool note = masked_.attached[object.number];
    const bool attached_left = note || is_word_part(masked_.text, source.begin, true) || ends_alike(source.begin);
    const bool attached_right = is_word_part(masked_.text, source.end, false) &&
                                (begins_alike(source.end, object.place.end) || opens_words(sentence_, object.number));
    const bool word_left = is_word_part(target_, done_, true) || markup::ends_with_stop(target_.substr(0, done_));
    const bool word_right = is_word_part(target_, object.place.end, false);
    const markup::Object& written = sentence_.objects[object.number];
    const bool behind_object = object.place.begin == last_;  // without a word between them
    const bool spaced_left = word_left || is_spaced_from_sign_before(written);
    if (behind_object ? !note : !object.found && !attached_left && spaced_left) out_ += ' ';
    if (!follows(object.number)) spaced_before_ = out_.ends_with(' ');
    out_ += written.raw;
    order_.push_back(object.number);
    const bool goes_on = follows(object.number + 1);
    const bool spaced_right = word_right || is_spaced_from_sign_behind(written, object.place.end);
    if (!object.found && !attached_right && !goes_on && spaced_right) out_ += ' ';
    done_ = std::max(done_, object.place.end);
    const bool moved = spaced_before_ && attached_right && !goes_on && !object.found;  // the space is in front of it
    const bool skips = moved || masked_.divides_word[object.number];
    if (skips && done_ < target_.size() && target_[done_] == ' ') ++done_;
    last_ = !object.found && !spaced_right ? done_ : std::string::npos;
  }
  const MarkedText& sentence_;
  const MaskedText& masked_;
  std::string_view target_;
  std::vector<PlacedObject> objects_;
  const Escape& escape_;
  std::string out_, text_;
  std::vector<size_t> order_;
  const NewSpaces new_spaces_ = new_spaces_of(sentence_, masked_.text);
  size_t next_ = 0, done_ = 0;  // object, and byte of the target
  bool spaced_before_ = false;  // whether a space is in front of the last object that follows no other
  size_t last_ = std::string::npos;  // where an object without a space behind it was written
};

/// The marks alone, such as images, that stand between spaces.
std::set<const Mark*> spaced_marks(const MaskedText& masked) {
  std::set<const Mark*> spaced;
  const std::string& text = masked.text;
  for (const Mark& mark : masked.marks) {
    const bool inside = mark.at > 0 && mark.at < text.size() && text[mark.at - 1] == ' ' && text[mark.at] == ' ';
    if (inside && mark.kind == Mark::Kind::kAlone && mark.pair == 0) spaced.insert(&mark);
  }
  return spaced;
}

/// Whether it is the first half of a link of Markdown.
bool begins_link(const Mark& mark) { return mark.link != 0 && mark.raw.starts_with('['); }

/// How many objects are in front of a mark in the source.
size_t objects_before(const MaskedText& masked, const PlacedMark& mark) {
  return masked.objects_before[static_cast<size_t>(mark.mark - masked.marks.data())];
}

/// The marks outside of the places that objects have taken, where a link without objects may have lost its last word.
std::vector<PlacedMark> without_empty_links(const std::vector<PlacedMark>& marks, const MaskedText& masked,
                                            const TakenPlaces& taken) {
  std::vector<PlacedMark> kept;
  for (PlacedMark mark : marks) {
    mark.at = taken.outside(mark.at);
    const bool ends_link = mark.mark->link != 0 && !begins_link(*mark.mark);
    const bool empty = ends_link && !kept.empty() && kept.back().mark->link == mark.mark->link &&
                       kept.back().at == mark.at && begins_link(*kept.back().mark) &&
                       objects_before(masked, kept.back()) == objects_before(masked, mark);
    empty ? kept.pop_back() : kept.push_back(mark);
  }
  return kept;
}

}  // namespace

bool has_surplus_words(const MaskedText& masked, std::string_view target) {
  return std::ranges::any_of(masked.words,
                             [&](const std::string& word) { return occurrences(target, word).size() > 1; });
}

PlacedText put_back(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation,
                    const Escape& escape) {
  if (sentence.objects.empty() && masked.marks.empty()) {
    return {escape ? escape(translation.text) : translation.text, translation.text};
  }
  Projection projection(masked.text, translation.text, translation.links);
  std::vector<PlacedObject> objects;
  TakenPlaces taken;
  for (size_t i = 0; i < sentence.objects.size(); ++i) {
    if (masked.follows[i]) {
      const size_t place = objects.back().place.end;
      objects.push_back({i, {place, place}, false});
      continue;
    }
    const PlacedObject& placed = objects.emplace_back(place_object(i, masked, projection, translation.text, taken));
    if (!placed.found) continue;
    projection.tie(masked.places[i].begin, placed.place.begin);
    taken.add(placed.place);
  }
  ObjectPlaces places{masked.objects_before, {}};
  for (const PlacedObject& object : objects) places.targets.push_back(object.place);
  const std::vector<PlacedMark> marks =
      without_empty_links(lay_out(masked.marks, projection, translation.text.size(), places), masked, taken);
  keep_nested(objects, masked.marks, masked.objects_before, marks);
  Writer writer(sentence, masked, translation.text, std::move(objects), escape);
  const std::set<const Mark*> spaced = spaced_marks(masked);
  for (const PlacedMark& mark : marks) {
    writer.write_until(mark.at, objects_before(masked, mark));
    writer.write_mark(mark.mark->raw, spaced.contains(mark.mark));
  }
  PlacedText placed = writer.finish();
  for (const Mark& mark : masked.marks) placed.left_out += begins_link(mark) ? mark.link : 0;
  for (const PlacedMark& mark : marks) placed.left_out -= begins_link(*mark.mark) ? mark.mark->link : 0;
  return placed;
}

}  // namespace ventris::documents
