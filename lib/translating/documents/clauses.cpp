#include "documents/clauses.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>
#include <optional>

#include "core/process.h"
#include "documents/sentences.h"
#include "text/valid_utf8.h"

namespace ventris::documents {
namespace {

constexpr size_t kShort = 1024;  // bytes; about as many as a model can read at once

/// Punctuation after which a sentence may be cut.
bool ends_clause(UChar32 character) {
  constexpr std::u32string_view kMarks = U",;:)\u2013\u2014\u2026\u061B\u060C\u3001\uFF0C\uFF1B\uFF1A.!?\u3002";
  return kMarks.find(static_cast<char32_t>(character)) != std::u32string_view::npos;
}

bool is_wide(UChar32 character) {
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

/// What a place inside a text is good for, best last.
enum class Place : uint8_t { kNone, kCharacter, kWord, kClause };

/// The kind of the place before each byte.
std::vector<Place> places_of(std::string_view text) {
  std::vector<Place> places(text.size(), Place::kNone);
  const auto end = static_cast<int32_t>(text.size());
  UChar32 before = 0, character = 0;
  for (int32_t at = 0; at < end; before = character) {
    Place& place = places[static_cast<size_t>(at)];
    U8_NEXT(text.data(), at, end, character);
    const bool space = u_isUWhiteSpace(character) != 0;
    if (ends_clause(before) && (space || is_wide(before))) {
      place = Place::kClause;
    } else if (space) {
      place = Place::kWord;
    } else if (u_getIntPropertyValue(character, UCHAR_GRAPHEME_CLUSTER_BREAK) != U_GCB_EXTEND) {
      place = Place::kCharacter;
    }
  }
  return places;
}

/// Where to divide a range: of the best kind of places inside it, the one next to its middle; none if there is none.
std::optional<size_t> place_to_cut(const std::vector<Place>& places, ByteRange range) {
  std::array<std::optional<size_t>, 4> next;  // of each kind
  const auto offer = [&](size_t at) {
    if (at <= range.begin || at >= range.end) return;
    std::optional<size_t>& best = next[static_cast<size_t>(places[at])];
    if (!best) best = at;
  };
  const size_t middle = (range.begin + range.end) / 2;
  const std::optional<size_t>& clause = next[static_cast<size_t>(Place::kClause)];
  for (size_t distance = 0; distance <= range.end - middle && !clause; ++distance) {
    if (distance <= middle) offer(middle - distance);
    if (distance > 0 && !clause) offer(middle + distance);
  }
  for (const Place kind : {Place::kClause, Place::kWord, Place::kCharacter}) {
    if (next[static_cast<size_t>(kind)]) return next[static_cast<size_t>(kind)];
  }
  return {};
}

/// Whether a text fits. A long one is not asked for as a whole if a much shorter beginning does not fit.
bool fits_whole(std::string_view text, const std::function<bool(std::string_view)>& fits) {
  for (size_t size = kShort; size <= text.size() / 4; size *= 2) {
    if (!fits(text::cut_utf8(text, size))) return false;
  }
  return fits(text);
}

}  // namespace

std::vector<ByteRange> cut_at_clauses(std::string_view text, ByteRange sentence,
                                      const std::function<bool(std::string_view part)>& fits) {
  const std::string_view all = text.substr(sentence.begin, sentence.end - sentence.begin);
  std::vector<Place> places;  // only of a sentence that does not fit
  std::vector<ByteRange> parts, open{{0, all.size()}};  // `open`: the next one last
  while (!open.empty()) {
    core::throw_if_stopped("cutting of long sentences");
    const ByteRange range = trimmed(all, open.back());
    open.pop_back();
    if (range.begin == range.end) continue;
    std::optional<size_t> place;
    if (!fits_whole(all.substr(range.begin, range.end - range.begin), fits)) {
      if (places.empty()) places = places_of(all);
      place = place_to_cut(places, range);
    }
    if (!place) {
      parts.push_back({sentence.begin + range.begin, sentence.begin + range.end});
      continue;
    }
    open.push_back({*place, range.end});
    open.push_back({range.begin, *place});
  }
  return parts;
}

}  // namespace ventris::documents
