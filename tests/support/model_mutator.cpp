#include "support/model_mutator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/model_writer.h"
#include "text/double_array.h"
#include "text/wire_format.h"

namespace ventris::test {
namespace {

using text::WireField;
using text::WireType;

/// A field of a message, with bytes of its own.
struct Entry {
  WireField field;
  std::string bytes;
};
using Entries = std::vector<Entry>;

Entries entries_of(std::string_view message) {
  Entries entries;
  text::each_field(message, [&entries](const WireField& field) {
    entries.push_back({field, std::string(field.bytes)});
    return true;
  });
  return entries;
}

std::string write(const Entries& entries) {
  std::string message;
  for (const Entry& entry : entries) {
    message += varint(8 * entry.field.number + static_cast<uint64_t>(entry.field.type));
    if (entry.field.type == WireType::kVarint) message += varint(entry.field.value);
    if (entry.field.type == WireType::kBytes) message += varint(entry.bytes.size());
    message += entry.bytes;
  }
  return message;
}

void flip(std::string& bytes, Draws& draws) {
  if (bytes.empty()) return;
  char& byte = bytes[draws.below(bytes.size())];
  byte = static_cast<char>(draws.below(2) == 0 ? draws.bits() : byte ^ (1U << draws.below(8)));
}

void put_unit(std::string& map, uint64_t at, uint32_t unit) { map.replace(4 + 4 * at, 4, little_endian(unit)); }

/// A unit that the rules lead to, if they lead anywhere; else any.
uint32_t reached_unit(const std::string& map, uint64_t units, Draws& draws) {
  const text::DoubleArray array(std::string_view(map).substr(4, 4 * units));
  uint32_t unit = 0;
  for (uint64_t steps = draws.below(6); steps > 0 && array.leads_inside(unit); --steps) {
    const auto [first, last] = array.children(unit);
    if (first == last) break;
    unit = array.child(first + static_cast<uint32_t>(draws.below(last - first)));
  }
  const bool value = array.leads_inside(unit) && array[unit].has_value() && draws.below(2) == 0;
  return value ? array.base(unit) : unit;
}

void change_unit(std::string& map, Draws& draws) {
  const uint64_t units = std::min<uint64_t>(text::read_u32(map, 0), map.size() - 4) / 4;
  if (units == 0) return;
  const uint64_t at = draws.below(4) == 0 ? draws.below(units) : reached_unit(map, units, draws);
  const uint32_t old = text::read_u32(map, 4 + 4 * at);
  switch (draws.below(6)) {
    case 0: return put_unit(map, at, static_cast<uint32_t>(draws.bits()));
    case 1: return put_unit(map, at, old ^ (1U << draws.below(32)));
    case 2: return put_unit(map, at, text::read_u32(map, 4 + 4 * draws.below(units)));
    case 3: return put_unit(map, at, (old & 0x3FF) | static_cast<uint32_t>(draws.below(units)) << 10);
    case 4: return put_unit(map, at, (old & 0x80000000) | static_cast<uint32_t>(draws.below(map.size())));
    default: return put_unit(map, at, old | 1U << 8);
  }
}

void change_map(std::string& map, const std::string& other, Draws& draws) {
  if (map.size() < 8) return flip(map, draws);
  const size_t texts = std::min<size_t>(map.size() - 1, 4 + size_t{text::read_u32(map, 0)});
  switch (draws.below(10)) {
    case 0: map.replace(0, 4, little_endian(static_cast<uint32_t>(draws.below(map.size() + 8)))); break;
    case 1: map.replace(0, 4, little_endian(text::read_u32(map, 0) ^ (1U << draws.below(32)))); break;
    case 2: map.resize(draws.below(map.size())); break;
    case 3: map[texts + draws.below(map.size() - texts)] = static_cast<char>(draws.bits()); break;
    case 4: map.back() = 'x'; break;
    case 5: map = other; break;
    case 6: map.insert(texts, std::string(draws.below(700), 'x')); break;
    default:
      for (uint64_t times = 1 + draws.below(3); times > 0; --times) change_unit(map, draws);
  }
}

std::string some_text(const std::string& old, Draws& draws) {
  switch (draws.below(12)) {
    case 0: return "";
    case 1: return std::string(draws.below(600), 'a');
    case 2: return std::string(draws.below(5), '\xC3');
    case 3: return "</s>";
    case 4: return old + std::string(1, '\0') + old;
    case 5: return "a";
    case 6: return "\u2581";
    case 7: return "<0x41>";
    case 8: return "th";
    case 9: return std::string(70, 'a').substr(0, 1 + draws.below(70));
    case 10: return old + old;
    default: {
      std::string text = old;
      flip(text, draws);
      return text;
    }
  }
}

float some_score(Draws& draws) {
  constexpr auto kInfinity = std::numeric_limits<float>::infinity();
  const float scores[]{0, -1, 1e38F, -3e38F, 1e-45F, kInfinity, std::nanf("")};
  return scores[draws.below(std::size(scores))];
}

Entry number_entry(uint32_t number, uint64_t value) { return {{number, WireType::kVarint, value, {}}, ""}; }

void change_piece(std::string& piece, Draws& draws) {
  Entries entries = entries_of(piece);
  if (entries.empty()) return;
  const float score = some_score(draws);
  switch (draws.below(4)) {
    case 0: entries.push_back(number_entry(3, draws.below(8))); break;
    case 1: entries[0].bytes = some_text(entries[0].bytes, draws); break;
    case 2:
      entries.push_back({{2, WireType::kFixed32, 0, {}}, std::string(reinterpret_cast<const char*>(&score), 4)});
      break;
    default: entries[draws.below(entries.size())].field.type = WireType::kBytes;
  }
  piece = write(entries);
}

/// A setting of the trainer or of normalisation that the library looks at, or any.
void change_settings(std::string& settings, Draws& draws) {
  Entries entries = entries_of(settings);
  constexpr uint32_t kNumbers[]{3, 4, 5, 24, 26, 35, 40, 41, 42, 43};
  constexpr uint32_t kTexts[]{44, 45, 46, 47, 48};
  if (draws.below(3) == 0) {
    const uint32_t number = kTexts[draws.below(std::size(kTexts))];
    entries.push_back({{number, WireType::kBytes, 0, {}}, some_text("<unk>", draws)});
  } else {
    const uint32_t number = kNumbers[draws.below(std::size(kNumbers))];
    entries.push_back(number_entry(number, draws.below(8) == 0 ? draws.bits() : draws.below(5)));
  }
  settings = write(entries);
}

/// Of the fields with this number, any; null if there is none.
Entry* any_field(Entries& entries, uint32_t number, Draws& draws) {
  std::vector<Entry*> found;
  for (Entry& entry : entries) {
    if (entry.field.number == number) found.push_back(&entry);
  }
  return found.empty() ? nullptr : found[draws.below(found.size())];
}

std::string map_of(const std::string& model, Draws& draws) {
  Entries entries = entries_of(model);
  Entry* normalizer = any_field(entries, 3, draws);
  if (normalizer == nullptr) return "";
  Entries settings = entries_of(normalizer->bytes);
  const Entry* map = any_field(settings, 2, draws);
  return map == nullptr ? "" : map->bytes;
}

void change_normalizer(std::string& normalizer, const std::string& other, Draws& draws) {
  if (draws.below(5) == 0) return change_settings(normalizer, draws);
  Entries settings = entries_of(normalizer);
  Entry* map = any_field(settings, 2, draws);
  if (map == nullptr) {
    settings.push_back({{2, WireType::kBytes, 0, {}}, other});
  } else {
    change_map(map->bytes, other, draws);
  }
  normalizer = write(settings);
}

void change_field(Entries& entries, const std::string& other, Draws& draws) {
  switch (draws.below(10)) {
    case 0:
    case 1:
    case 2:
      if (Entry* piece = any_field(entries, 1, draws)) change_piece(piece->bytes, draws);
      break;
    case 3:
      if (Entry* trainer = any_field(entries, 2, draws)) change_settings(trainer->bytes, draws);
      break;
    case 4: entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(draws.below(entries.size()))); break;
    case 5: entries.push_back(entries[draws.below(entries.size())]); break;
    case 6:
      if (Entry* back = any_field(entries, 5, draws)) change_normalizer(back->bytes, map_of(other, draws), draws);
      break;
    default:
      if (Entry* rules = any_field(entries, 3, draws)) change_normalizer(rules->bytes, map_of(other, draws), draws);
  }
}

}  // namespace

std::string mutated(const std::string& model, const std::vector<std::string>& others, Draws& draws) {
  std::string bytes = model;
  if (draws.below(10) < 8) {
    Entries entries = entries_of(bytes);
    for (uint64_t times = 1 + draws.below(3); times > 0 && !entries.empty(); --times) {
      change_field(entries, others[draws.below(others.size())], draws);
    }
    return write(entries);
  }
  if (draws.below(4) == 0) bytes.resize(draws.below(bytes.size()));
  for (uint64_t times = 1 + draws.below(4); times > 0; --times) flip(bytes, draws);
  return bytes;
}

}  // namespace ventris::test
