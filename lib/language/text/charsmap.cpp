#include "text/charsmap.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.h"
#include "text/double_array.h"
#include "text/valid_utf8.h"

namespace ventris::text {
namespace {

constexpr size_t kSizeBytes = 4;
constexpr size_t kUnitBytes = 4;

bool continues_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

/// How many bytes of a character are missing after this byte, if `missing` were missing before it; empty if this is not
/// valid UTF-8.
std::optional<uint32_t> missing_after(uint32_t missing, uint8_t byte) {
  if (missing > 0) return continues_character(static_cast<char>(byte)) ? std::optional(missing - 1) : std::nullopt;
  if (byte < 0x80) return 0;
  if (byte < 0xC2 || byte > 0xF4) return std::nullopt;
  return byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
}

/// Visits every state that a text can reach, depth first, and finds the longest path from each. A state is a unit and
/// the number of bytes that are missing of a character there.
class RuleWalk {
 public:
  RuleWalk(const DoubleArray& units, std::string_view texts, const std::string& where)
      : units_(units), texts_(texts), where_(where), ways_(units.size() * kMissing) {}

  void run() {
    enter({0, 0});
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.end) {
        leave();
        continue;
      }
      const uint32_t child = units_.child(step.next++);
      const auto missing = missing_after(step.state.missing, units_[child].label());
      if (!missing) refuse("a rule looks for bytes that are not valid UTF-8");
      go_to({child, *missing});
    }
  }

 private:
  static constexpr uint32_t kMissing = 4;

  struct State {
    uint32_t unit;
    uint32_t missing;  // bytes of a character
  };
  struct Step {
    State state;
    uint32_t next, end;  // children
  };
  struct Ways {
    enum : uint8_t { kUnseen, kOnPath, kDone } seen = kUnseen;
    uint16_t length = 0;  // of the longest path from here
    uint16_t rules = 0;   // most rules on one path from here, including this unit
  };

  [[noreturn]] void refuse(const char* what) const {
    fail<ModelError>(where_, ": damaged: ", what, "; learn a tokenizer with ventris-vocab");
  }

  Ways& ways(State state) { return ways_[size_t{state.unit} * kMissing + state.missing]; }

  void go_to(State state) {
    Ways& known = ways(state);
    if (known.seen == Ways::kOnPath) refuse("a rule leads back to itself");
    if (known.seen == Ways::kUnseen) return enter(state);
    add_to_parent(known);
  }

  void enter(State state) {
    if (!units_.leads_inside(state.unit)) refuse("a rule leads out of the table");
    Ways& own = ways(state);
    own.seen = Ways::kOnPath;
    if (!path_.empty() && units_[state.unit].has_value()) {  // the root's value is never read
      check_value(state);
      own.rules = 1;
    }
    const auto [first, last] = units_.children(state.unit);
    path_.push_back({state, first, last});
  }

  void check_value(State state) const {
    if (state.missing > 0) refuse("a rule looks for a part of a character");
    const uint32_t at = units_[units_.base(state.unit)].value();
    if (at >= texts_.size()) refuse("a rule's text lies outside the texts");
    if (continues_character(texts_[at])) refuse("a rule's text begins inside a character");
  }

  void leave() {
    Ways& own = ways(path_.back().state);
    own.seen = Ways::kDone;
    path_.pop_back();
    if (!path_.empty()) add_to_parent(own);
  }

  void add_to_parent(const Ways& child) {
    const State parent = path_.back().state;
    Ways& own = ways(parent);
    const bool has_rule = path_.size() > 1 && units_[parent.unit].has_value();
    own.length = std::max<uint16_t>(own.length, child.length + 1);
    own.rules = std::max<uint16_t>(own.rules, child.rules + (has_rule ? 1 : 0));
    if (own.length > kLongestRule) refuse("a rule looks for more than 512 bytes");
    if (own.rules > kMostNestedRules) refuse("more than 32 rules apply at one place");
  }

  const DoubleArray& units_;
  std::string_view texts_;
  const std::string& where_;
  std::vector<Ways> ways_;
  std::vector<Step> path_;
};

size_t longest_text(std::string_view texts) {
  size_t longest = 0;
  for (size_t at = 0; at < texts.size();) {
    const size_t end = texts.find('\0', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

/// Limits how much a rule may lengthen a text, because a line must not grow until it takes all memory. Every rule is
/// checked on the shortest path to it. All places must have been checked before.
void check_growth(const DoubleArray& units, std::string_view texts, const std::string& where) {
  std::vector<bool> seen(units.size());
  std::vector<uint32_t> level{0}, next;
  for (size_t length = 0; !level.empty(); ++length, level.swap(next), next.clear()) {
    for (const uint32_t unit : level) {
      if (length > 0 && units[unit].has_value()) {
        const std::string_view rest = texts.substr(units[units.base(unit)].value());
        if (rest.find('\0') > kMostGrowth * length) {
          fail<ModelError>(where, ": a rule replaces a text by more than ", kMostGrowth, " times as many bytes");
        }
      }
      const auto [first, last] = units.children(unit);
      for (uint32_t index = first; index < last; ++index) {
        const uint32_t child = units.child(index);
        if (!seen[child]) next.push_back(child);
        seen[child] = true;
      }
    }
  }
}

}  // namespace

void check_charsmap(std::string_view map, const std::string& where) {
  if (map.size() > kLargestCharsmap) {
    fail<ModelError>(where, ": expected at most ", kLargestCharsmap, " bytes, found ", map.size());
  }
  if (map.size() < kSizeBytes + kUnitBytes) fail<ModelError>(where, ": damaged: found only ", map.size(), " bytes");
  const size_t table = read_u32(map, 0);
  if (table == 0 || table % kUnitBytes != 0 || table > map.size() - kSizeBytes) {
    fail<ModelError>(where, ": damaged: expected a table of a multiple of 4 bytes within ", map.size(), ", found ",
                     table);
  }
  const std::string_view texts = map.substr(kSizeBytes + table);
  if (texts.empty() || texts.back() != '\0') fail<ModelError>(where, ": damaged: expected a NUL at the end");
  if (!is_valid_utf8(texts)) fail<ModelError>(where, ": damaged: expected UTF-8");
  if (const size_t longest = longest_text(texts); longest > kLongestRule) {
    fail<ModelError>(where, ": expected texts of at most ", kLongestRule, " bytes, found one of ", longest);
  }
  const DoubleArray units(map.substr(kSizeBytes, table));
  RuleWalk(units, texts, where).run();
  check_growth(units, texts, where);
}

}  // namespace ventris::text
