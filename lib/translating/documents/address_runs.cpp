#include "documents/address_runs.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "documents/name_placeholders.h"
#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/merged_ranges.h"
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

/// Whether it begins with a scheme: "https://a.org/{name}".
bool is_url(std::string_view raw) {
  const size_t sign = raw.find("://");
  const auto is_of_scheme = [](char c) { return markup::is_name_byte(c) || c == '+' || c == '.'; };
  return sign != std::string_view::npos && sign > 1 && std::ranges::all_of(raw.substr(0, sign), is_of_scheme);
}

/// "{name}", "%s", "<?= $name ?>", "<your-name>", "/a/{name}", "a_", "a_{name}", "a.php", "https://a.org/{name}"; not
/// "<br>", "`code`" or "[^1]".
bool can_be_part(std::string_view raw) {
  constexpr size_t kShortestTag = 5;  // "<abc>"
  constexpr std::string_view kFirst = "{%$#@:_/~";
  if (raw.empty()) return false;
  if (raw.starts_with("<%") || raw.starts_with("<?")) return true;
  if (raw.starts_with('<')) return raw.find_first_of(" =/\"") == std::string_view::npos && raw.size() >= kShortestTag;
  if (kFirst.find(raw.front()) != std::string_view::npos) return true;
  return markup::is_alnum_byte(raw.front()) && (raw.ends_with('_') || is_url(raw) || markup::is_file_name(raw) ||
                                                raw.find_first_of("{%") != std::string_view::npos);
}

bool is_of_run(char c) {
  return markup::is_letter(c) || markup::is_digit_byte(c) ||
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

/// Whether a part of a path is in a placeholder: "{base}/users/{id}".
bool has_part_of_path(std::string_view raw) {
  for (size_t at = raw.find('/'); at != std::string_view::npos; at = raw.find('/', at + 1)) {
    const size_t end = std::min(raw.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_", at + 1), raw.size());
    if (end > at + 1 && end < raw.size() && raw[end] == '/') return true;
  }
  return false;
}

/// Whether a word of small letters is in a placeholder, with no letter beside it: "{the_port}".
bool has_word(std::string_view raw, std::string_view word) {
  const size_t at = raw.find(word);
  if (at == std::string_view::npos) return false;
  const size_t end = at + word.size();
  return (at == 0 || !markup::is_letter(raw[at - 1])) && (end == raw.size() || !markup::is_letter(raw[end]));
}

/// Whether the name in a placeholder ends with a word for the beginning of an address: "<%= root_url %>".
bool ends_with_place(std::string_view raw) {
  constexpr std::array<std::string_view, 6> kPlaces{"url", "uri", "path", "dir", "Url", "Path"};
  while (!raw.empty() && !markup::is_letter(raw.back())) raw.remove_suffix(1);
  return std::ranges::any_of(kPlaces, [&](std::string_view place) { return raw.ends_with(place); });
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
    for (const ByteRange& address : markup::find_addresses(read_)) add(address);
    for (size_t at = 0; at < read_.size(); ++at) {
      const size_t begin = at;
      while (at < read_.size() && is_of_run(read_[at])) ++at;
      const size_t end = std::min(read_.find_last_not_of(".:?&-+@~/", at == 0 ? 0 : at - 1) + 1, at);
      if (end > begin && is_address({begin, end})) add({begin, end});
    }
    return markup::merged_ranges(std::move(found_));
  }

 private:
  using Values = std::vector<const Object*>;
  Values::const_iterator first_value_from(size_t at) const {
    return std::ranges::lower_bound(values_, at, {}, [](const Object* value) { return value->at; });
  }
  int64_t values_in(ByteRange range) const { return first_value_from(range.end) - first_value_from(range.begin); }

  /// Adds a range up to the first mark inside, if it has a value and something else.
  void add(ByteRange range) {
    const auto mark = std::ranges::upper_bound(text_.marks, range.begin, {}, &markup::Mark::at);
    if (mark != text_.marks.end()) range.end = std::min(range.end, mark->at);
    const auto values = static_cast<size_t>(values_in(range));
    if (values > 0 && range.end - range.begin > values * kReadAs.size()) found_.push_back(range);
  }

  /// Whether what has no spaces is the name of a file, or an address without a scheme.
  bool is_address(ByteRange range) const {
    if (values_in(range) == 0) return false;
    const std::string_view run = std::string_view(read_).substr(range.begin, range.end - range.begin);
    const Object &first = **first_value_from(range.begin), &last = **(first_value_from(range.end) - 1);
    if (run.starts_with("mailto:") || run.starts_with("tel:")) return true;
    if (has_parameter(run) || markup::is_file_name(run)) return true;
    if (last.at + kObject.size() == range.end && markup::is_file_name(ending_of(last.raw))) return true;
    if (ends_with_host(range, run)) return true;
    if (first.at != range.begin || run.size() == kReadAs.size()) return false;
    if (is_url(first.raw)) return true;
    const std::string_view behind = run.substr(kReadAs.size());
    return is_path(first, range, behind) || is_port_with_page(range, behind);
  }

  /// "%s/users/%s/edit": behind a value ("behind") is a slash, and a name stands between two values; "{url}/edit" and
  /// "<%= root_url %>users/edit" with the name of a place in front; "/a/{b}/c" with a path in front.
  bool is_path(const Object& first, ByteRange range, std::string_view behind) const {
    const size_t slash = behind.find('/');
    if (slash == std::string_view::npos) return false;
    if (first.raw.starts_with('/') || first.raw.starts_with('~') || has_part_of_path(first.raw)) return true;
    const bool page = slash + 1 < behind.size() && markup::is_letter(behind[slash + 1]);
    if (slash > 0) return page && behind.front() >= 'a' && behind.front() <= 'z' && ends_with_place(first.raw);
    return (page && is_name_of_place(first.raw)) || has_name_between_values(range);
  }

  /// "support@{domain}"
  bool ends_with_host(ByteRange range, std::string_view run) const {
    const size_t sign = run.find('@');
    if (sign == std::string_view::npos || sign == 0 || !markup::is_alnum_byte(run[sign - 1])) return false;
    const Object& last = **(first_value_from(range.end) - 1);
    const size_t host = range.begin + sign + (last.raw.starts_with('@') ? 0 : 1);
    return last.at == host && last.at + kObject.size() == range.end;
  }

  /// "{host}:{port}/status", "%s:8080/status"
  bool is_port_with_page(ByteRange range, std::string_view behind) const {
    const size_t slash = behind.find('/');
    if (slash == std::string_view::npos || slash < 2 || behind[0] != ':' || slash + 1 == behind.size()) return false;
    const std::string_view port = behind.substr(1, slash - 1);
    if (std::ranges::all_of(port, markup::is_digit_byte)) return true;
    return values_in(range) > 1 && port == kReadAs && has_word((*(first_value_from(range.begin) + 1))->raw, "port");
  }

  /// Whether "/name/" of small letters is all that is between two values.
  bool has_name_between_values(ByteRange range) const {
    for (auto value = first_value_from(range.begin); value + 1 < first_value_from(range.end); ++value) {
      const size_t begin = (*value)->at + kReadAs.size(), end = (*(value + 1))->at;
      const std::string_view name = std::string_view(read_).substr(begin, end - begin);
      const auto is_of_name = [](char c) {
        return (c >= 'a' && c <= 'z') || markup::is_digit_byte(c) || c == '-' || c == '_';
      };
      if (name.size() > 3 && name.starts_with('/') && name.ends_with('/') &&
          std::ranges::all_of(name.substr(1, name.size() - 2), is_of_name))
        return true;
    }
    return false;
  }

  const MarkedText& text_;
  std::string read_;
  Values values_;
  std::vector<ByteRange> found_;
};

}  // namespace

std::vector<ByteRange> addresses_with_values(const MarkedText& text) { return AddressRuns(text).find(); }

}  // namespace ventris::documents
