#include "documents/address_runs.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "documents/name_placeholders.h"
#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/technical_names.h"

namespace ventris::documents {
namespace {

using markup::kObject;
using markup::MarkedText;
using markup::Object;
using text::ByteRange;

/// What a placeholder is read as, one that begins with "@", and any other object, which ends an address.
constexpr std::string_view kReadAs = "xxx", kAtSign = "@xx", kOther = "   ";
static_assert(kReadAs.size() == kObject.size() && kAtSign.size() == kObject.size() && kOther.size() == kObject.size());

bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }

/// "{name}", "%s", "<?= $name ?>", "<your-name>", "/a/{name}", "a_", "a_{name}"; not "<br>", "`code`" or "[^1]".
bool can_be_part(std::string_view raw) {
  constexpr size_t kShortestTag = 5;  // "<abc>"
  constexpr std::string_view kFirst = "{%$#@:_/~";
  if (raw.starts_with("<%") || raw.starts_with("<?")) return true;
  if (raw.starts_with('<')) return raw.find_first_of(" =/\"") == std::string_view::npos && raw.size() >= kShortestTag;
  if (raw.empty() || kFirst.find(raw.front()) != std::string_view::npos) return !raw.empty();
  return markup::is_alnum_byte(raw.front()) &&
         (raw.ends_with('_') || raw.find_first_of("{%") != std::string_view::npos);
}

bool is_of_run(char c) {
  return markup::is_letter(c) || is_digit_byte(c) ||
         std::string_view("/.:-_~?&=#%+@").find(c) != std::string_view::npos;
}

/// Whether there are a "?", a name and a "=" behind it: "?id=".
bool has_parameter(std::string_view run) {
  const size_t begin = std::min(run.find('?'), run.size()), end = run.find('=', begin);
  return end != std::string_view::npos && end > begin + 1;
}

/// What is a name of a file with the ending that a placeholder has: "{name}.pdf".
std::string ending_of(std::string_view raw) {
  const size_t dot = std::min(raw.rfind('.'), raw.size());
  return "a" + std::string(raw.substr(dot));
}

class AddressRuns {
 public:
  explicit AddressRuns(const MarkedText& text) : text_(text), read_(text.text) {
    for (const Object& object : text.objects) {
      const bool value = can_be_part(object.raw);
      read_.replace(object.at, kObject.size(), !value ? kOther : object.raw.starts_with("@{") ? kAtSign : kReadAs);
      if (value) values_.push_back(&object);
    }
  }

  std::vector<ByteRange> find() {
    if (values_.empty()) return {};
    for (const ByteRange& address : markup::find_addresses(read_)) add(with_brackets(address));
    for (size_t at = 0; at < read_.size(); ++at) {
      const size_t begin = at;
      while (at < read_.size() && is_of_run(read_[at])) ++at;
      const size_t end = std::min(read_.find_last_not_of(".:?&-+@~/", at == 0 ? 0 : at - 1) + 1, at);
      if (end > begin && is_address({begin, end})) add({begin, end});
    }
    return in_order();
  }

 private:
  using Values = std::vector<const Object*>;
  Values::const_iterator first_value_from(size_t at) const {
    return std::ranges::lower_bound(values_, at, {}, [](const Object* value) { return value->at; });
  }
  int64_t values_in(ByteRange range) const { return first_value_from(range.end) - first_value_from(range.begin); }

  /// Adds what has a value and something else, and no mark.
  void add(ByteRange range) {
    const auto mark = std::ranges::upper_bound(text_.marks, range.begin, {}, &markup::Mark::at);
    const bool marked = mark != text_.marks.end() && mark->at < range.end;
    const auto values = static_cast<size_t>(values_in(range));
    if (!marked && values > 0 && range.end - range.begin > values * kReadAs.size()) found_.push_back(range);
  }

  ByteRange with_brackets(ByteRange range) const {
    const bool inside = range.begin > 0 && read_[range.begin - 1] == '<' && read_.substr(range.end, 1) == ">";
    return inside ? ByteRange{range.begin - 1, range.end + 1} : range;
  }

  /// Whether what has no spaces is the name of a file, or an address without a scheme.
  bool is_address(ByteRange range) const {
    if (values_in(range) == 0) return false;
    const std::string_view run = std::string_view(read_).substr(range.begin, range.end - range.begin);
    const Object &first = **first_value_from(range.begin), &last = **(first_value_from(range.end) - 1);
    if (run.starts_with("mailto:") || run.starts_with("tel:")) return true;
    if (has_parameter(run) || markup::is_file_name(run)) return true;
    if (last.at + kObject.size() == range.end && markup::is_file_name(ending_of(last.raw))) return true;
    if (first.at != range.begin || run.size() == kReadAs.size()) return false;
    const std::string_view behind = run.substr(kReadAs.size());
    const size_t slash = behind.find('/');
    if (slash == std::string_view::npos) return false;
    const bool path = first.raw.starts_with('/') || first.raw.starts_with('~');
    const bool several = values_in(range) > 1 && std::ranges::count(behind, '/') > 1;
    const bool page = is_name_of_place(first.raw) && std::ranges::any_of(behind, markup::is_letter);
    const std::string_view port = behind.substr(0, slash);
    const bool numbered = port.size() > 1 && port[0] == ':' && std::ranges::all_of(port.substr(1), is_digit_byte);
    const bool named = values_in(range) > 1 && port == ":" + std::string(kReadAs) &&
                       (*(first_value_from(range.begin) + 1))->raw.find("port") != std::string::npos;
    return path || several || page || (slash + 1 < behind.size() && (numbered || named));
  }

  /// What was found, without what is inside other ranges.
  std::vector<ByteRange> in_order() {
    std::ranges::sort(found_, {}, &ByteRange::begin);
    std::vector<ByteRange> result;
    for (const ByteRange& range : found_) {
      if (!result.empty() && range.begin < result.back().end) {
        result.back().end = std::max(result.back().end, range.end);
      } else {
        result.push_back(range);
      }
    }
    return result;
  }

  const MarkedText& text_;
  std::string read_;
  Values values_;
  std::vector<ByteRange> found_;
};

}  // namespace

std::vector<ByteRange> addresses_with_values(const MarkedText& text) { return AddressRuns(text).find(); }

}  // namespace ventris::documents
