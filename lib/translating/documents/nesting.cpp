#include "documents/nesting.h"

#include <algorithm>

namespace ventris::documents {
namespace {

/// A pair of marks in the translation.
struct Pair {
  size_t first = 0, last = 0;  // objects [first, last) are inside in the source
  ByteRange place;

  bool has(size_t object) const { return object >= first && object < last; }
};

/// The pairs that were placed, by their opening marks in the source.
std::vector<Pair> pairs_of(const std::vector<Mark>& marks, const std::vector<size_t>& before,
                           const std::vector<PlacedMark>& placed) {
  constexpr size_t kLeftOut = static_cast<size_t>(-1);
  std::vector<size_t> places(marks.size(), kLeftOut);
  for (const PlacedMark& mark : placed) places[static_cast<size_t>(mark.mark - marks.data())] = mark.at;
  const std::vector<size_t> other = markup::partners(marks);
  std::vector<Pair> pairs;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind != Mark::Kind::kOpen || other[i] == markup::kNoPartner || places[i] == kLeftOut) continue;
    pairs.push_back({before[i], before[other[i]], {places[i], std::max(places[i], places[other[i]])}});
  }
  return pairs;
}

void move_to(PlacedObject& object, size_t place) {
  object.place = {place, place};
  object.found = false;
}

void move_into(const Pair& pair, PlacedObject& object) {
  if (object.place.begin < pair.place.begin) move_to(object, pair.place.begin);
  if (object.place.end > pair.place.end) move_to(object, pair.place.end);
}

void move_out_of(const Pair& pair, PlacedObject& object) {
  move_to(object, object.number < pair.first ? pair.place.begin : pair.place.end);
}

}  // namespace

void keep_nested(std::vector<PlacedObject>& objects, const std::vector<Mark>& marks, const std::vector<size_t>& before,
                 const std::vector<PlacedMark>& placed) {
  std::vector<Pair> pairs = pairs_of(marks, before, placed);
  for (const Pair& pair : pairs) {  // from the outer to the inner ones
    for (size_t i = pair.first; i < pair.last; ++i) move_into(pair, objects[i]);
  }
  std::ranges::stable_sort(pairs, {}, [](const Pair& pair) { return pair.place.begin; });
  std::vector<PlacedObject*> free;
  for (PlacedObject& object : objects) {
    if (!object.found) free.push_back(&object);
  }
  std::ranges::stable_sort(free, {}, [](const PlacedObject* object) { return object->place.begin; });
  std::vector<const Pair*> open;  // around the object, from the outer to the inner ones
  auto next = pairs.begin();
  for (PlacedObject* object : free) {
    const size_t at = object->place.begin;
    for (; next != pairs.end() && next->place.begin < at; ++next) open.push_back(&*next);
    std::erase_if(open, [&](const Pair* pair) { return pair->place.end <= at; });
    const auto wrong = std::ranges::find_if(open, [&](const Pair* pair) { return !pair->has(object->number); });
    if (wrong != open.end()) move_out_of(**wrong, *object);
  }
}

}  // namespace ventris::documents
