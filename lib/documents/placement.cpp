#include "documents/placement.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/special_ids.h"
#include "documents/mark_layout.h"
#include "documents/projection.h"
#include "markup/characters.h"
#include "text/utf8.h"

namespace ventris::documents {
namespace {

using markup::is_word_part;
using markup::kObject;

/// The first of the words that neither the text nor an object before has; "" = none is left.
std::string word_for(const std::string& text, const std::vector<std::string>& taken,
                     const std::vector<std::string>& words) {
  const auto is_free = [&](const std::string& word) {
    return text.find(word) == std::string::npos && std::ranges::find(taken, word) == taken.end();
  };
  const auto found = std::ranges::find_if(words, is_free);
  return found == words.end() ? "" : *found;
}

/// An object in the target.
struct PlacedObject {
  size_t number = 0;
  ByteRange place;    // replaced by the object
  bool found = false;  // its word was there, or another word took its place
};

bool overlaps(const std::vector<PlacedObject>& placed, ByteRange range) {
  return std::ranges::any_of(placed, [&](const PlacedObject& other) {
    return range.begin < other.place.end && other.place.begin < range.end;
  });
}

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

/// Where the object goes: the place of its word, or of what is linked to it, or an empty place.
PlacedObject place_object(size_t number, const MaskedText& masked, const Projection& projection,
                          std::string_view target, const std::vector<PlacedObject>& placed) {
  const ByteRange source = masked.places[number];
  for (const ByteRange& place : occurrences(target, masked.words[number])) {
    if (!overlaps(placed, place)) return {number, place, true};
  }
  if (source.end > source.begin) {
    const ByteRange linked = projection.linked_word(source.begin);
    if (linked.end > linked.begin && !overlaps(placed, linked)) return {number, linked, true};
  }
  size_t place = projection.point(source.begin);
  for (const PlacedObject& other : placed) {
    if (place > other.place.begin && place < other.place.end) place = other.place.end;
  }
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

  /// Everything before this byte of the target; an object that begins there is left for later.
  void write_until(size_t end) {
    while (next_ < objects_.size() && objects_[next_].place.begin < end) write(objects_[next_++]);
    write_text(end);
  }
  void write_mark(const std::string& raw) { markup::append_mark(out_, raw); }
  std::string finish() {
    while (next_ < objects_.size()) write(objects_[next_++]);
    write_text(target_.size());
    return std::move(out_);
  }

 private:
  void write_text(size_t end) {
    if (end <= done_) return;
    out_ += escape_(target_.substr(done_, end - done_));
    done_ = end;
  }
  void write(const PlacedObject& object) {
    write_text(object.place.begin);
    const ByteRange source = masked_.places[object.number];
    const bool attached_left = is_word_part(masked_.text, source.begin, true);
    const bool attached_right = is_word_part(masked_.text, source.end, false);
    const bool word_left = is_word_part(target_, done_, true) || ends_with_stop(target_.substr(0, done_));
    const bool word_right = is_word_part(target_, object.place.end, false);
    if (!object.found && !attached_left && word_left) out_ += ' ';
    if (object.place.begin == last_) out_ += ' ';  // two objects without a word between them
    out_ += sentence_.objects[object.number];
    if (!object.found && !attached_right && word_right) out_ += ' ';
    done_ = std::max(done_, object.place.end);
    last_ = !object.found && !word_right ? done_ : std::string::npos;
  }
  static bool ends_with_stop(std::string_view text) {
    return !text.empty() && std::string_view(".,;:!?").find(text.back()) != std::string_view::npos;
  }

  const MarkedText& sentence_;
  const MaskedText& masked_;
  std::string_view target_;
  std::vector<PlacedObject> objects_;
  const Escape& escape_;
  std::string out_;
  size_t next_ = 0, done_ = 0;      // object, and byte of the target
  size_t last_ = std::string::npos;  // where an object without a space behind it was written
};

/// First names that many languages write alike.
constexpr std::array<const char*, 16> kNames{"Tom",   "Anna", "Maria", "Peter", "Paul", "Martin", "Laura",  "David",
                                             "Linda", "Eva",  "Max",   "Emma",  "Mark", "Robert", "Sandra", "Daniel"};

constexpr size_t kLeastNames = 4;  // fewer: the training text hardly has names

}  // namespace

std::vector<std::string> copied_words(const text::Tokenizer& source, const text::Tokenizer& target) {
  std::vector<std::string> words;
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
  size_t done = 0;
  for (size_t at = sentence.text.find(kObject); at != std::string::npos; at = sentence.text.find(kObject, done)) {
    masked.text += sentence.text.substr(done, at - done);
    const std::string word = word_for(sentence.text, masked.words, words);
    const size_t begin = masked.text.size();
    masked.text += word;
    masked.places.push_back({begin, masked.text.size()});
    masked.words.push_back(word);
    done = at + kObject.size();
    for (size_t i = 0; i < sentence.marks.size(); ++i) {
      if (sentence.marks[i].at >= done) masked.marks[i].at += word.size() - kObject.size();
    }
  }
  masked.text += sentence.text.substr(done);
  text::remove_line_ends(masked.text);
  return masked;
}

std::string put_back(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation,
                     const Escape& escape) {
  Projection projection(masked.text, translation.text, translation.links);
  std::vector<PlacedObject> objects;
  for (size_t i = 0; i < sentence.objects.size(); ++i) {
    objects.push_back(place_object(i, masked, projection, translation.text, objects));
    if (objects.back().found) projection.tie(masked.places[i].begin, objects.back().place.begin);
  }
  Writer writer(sentence, masked, translation.text, objects, escape);
  for (const PlacedMark& mark : lay_out(masked.marks, projection, translation.text.size())) {
    size_t place = mark.at;
    for (const PlacedObject& object : objects) {
      if (place > object.place.begin && place < object.place.end) place = object.place.end;
    }
    writer.write_until(place);
    writer.write_mark(*mark.raw);
  }
  return writer.finish();
}

}  // namespace ventris::documents
