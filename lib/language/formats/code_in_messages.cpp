#include "formats/code_in_messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/manual_elements.h"
#include "markup/tex_formulas.h"

namespace ventris::formats {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr size_t kLongestCode = 2000;  // a tag, or code in backticks
constexpr size_t kMostMissing = 30;    // ends that the message does not have, before no more are looked for
constexpr std::string_view kBlanks = " \t\r\n";

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

/// Whether braces with this content are code: "n, plural, ...", "$n -> ...", "% tag %", "{ name }".
bool is_code_in_braces(std::string_view content) {
  if (content.empty() || std::string_view("{%#").find(content.front()) != kNowhere) return !content.empty();
  size_t at = std::min(content.find_first_not_of(kBlanks), content.size());
  if (at < content.size() && content[at] == '$') return true;
  const size_t begin = at;
  while (at < content.size() && is_of_name(content[at])) ++at;
  if (at == begin) return false;
  at = std::min(content.find_first_not_of(kBlanks, at), content.size());
  if (at == content.size()) return true;
  constexpr std::array<std::string_view, 4> kKinds{"plural", "select", "selectordinal", "choice"};
  const size_t kind = std::min(content.find_first_not_of(kBlanks, at + 1), content.size());
  const auto begins = [&](std::string_view word) { return content.substr(kind).starts_with(word); };
  return content[at] == ',' && std::ranges::any_of(kKinds, begins);
}

/// "<#C12|general", "<@U1|jane", "<!subteam^S1|team"; no "<#if a" of FreeMarker. `tag`: without its ">".
bool is_reference_of_slack(std::string_view tag) {
  const std::string_view name = tag.substr(0, tag.find('|'));
  const bool begins = name.starts_with("<#") || name.starts_with("<@");
  const bool of_user = begins && name.size() > 2 && std::isalnum(static_cast<unsigned char>(name[2])) != 0;
  return name.find(' ') == kNowhere && (of_user || name.starts_with("<!subteam^") || name.starts_with("<!date^"));
}

bool is_code(const std::string& element) {
  const markup::HtmlRole role = markup::role_of_element(element);
  return role == markup::HtmlRole::kInlineCode || role == markup::HtmlRole::kBlockCode || element == "script" ||
         element == "style";
}

/// Finds code in a message, from its beginning to its end.
class CodeFinder {
 public:
  explicit CodeFinder(std::string_view message) : message_(message), braces_(pairs_of_braces(message)) {}

  std::vector<ByteRange> find() {
    constexpr std::string_view kSigns = "<{`";
    for (size_t at = message_.find_first_of(kSigns); at != kNowhere; at = message_.find_first_of(kSigns, at)) {
      const size_t end = end_of_code(at);
      if (end == kNowhere) {
        at = message_[at] == '`' ? behind_backticks(at) : at + 1;
        continue;
      }
      found_.push_back({at, end});
      at = end;
    }
    return std::move(found_);
  }

 private:
  size_t end_of_code(size_t at) {
    if (is_at(at, "```")) return end_of_fence(at);
    if (message_[at] == '`') return end_of_backticks(at);
    if (is_at(at, "{% comment")) return end_behind(at, "{% endcomment %}");
    if (message_[at] == '{') return end_of_braces(at);
    if (is_at(at, "<!--")) return end_behind(at, "-->");
    if (is_at(at, "<%")) return end_behind(at, "%>");
    if (is_at(at, "<?")) return end_behind(at, "?>");
    return end_of_element(at);
  }

  size_t end_of_braces(size_t at) {
    while (brace_ < braces_.size() && braces_[brace_].begin < at) ++brace_;
    if (brace_ == braces_.size() || braces_[brace_].begin != at) return kNowhere;
    const ByteRange pair = braces_[brace_];
    return is_code_in_braces(message_.substr(at + 1, pair.end - at - 2)) ? pair.end : kNowhere;
  }

  /// Of a tag, or of the element that it begins if its content is code.
  size_t end_of_element(size_t at) {
    if (tag_end_ < at) tag_end_ = message_.find('>', at);
    if (tag_end_ - at > kLongestCode) return kNowhere;
    if (is_reference_of_slack(message_.substr(at, tag_end_ - at))) return tag_end_ + 1;
    const std::string_view shown = message_.substr(0, std::min(at + kLongestCode, message_.size()));
    const markup::HtmlToken tag = markup::html_token(shown, at);
    if (!tag.is_tag()) return kNowhere;
    const size_t end = tag.range.end;
    if (tag.kind == markup::HtmlToken::Kind::kEndTag || tag.self_closing) return end;
    const std::string_view name = message_.substr(at + 1, tag.name.size());
    const bool code = !tag.translated && (is_code(tag.name) || is_code_of_manual(name, end));
    if (!tag.untranslated && !code) return end;
    const size_t close = end_behind(end, "</" + tag.name);
    const size_t behind = close == kNowhere ? kNowhere : message_.find_first_of("<>", close);
    if (behind != kNowhere && message_[behind] == '>') return behind + 1;
    missing_.insert("</" + tag.name);
    return end;
  }

  /// Whether the element with this name, whose content begins at this byte, is code of a manual.
  bool is_code_of_manual(std::string_view name, size_t at) const {
    if (!markup::may_be_code_of_manual(name)) return false;
    const std::string_view shown = message_.substr(at, kLongestCode);
    const size_t close = shown.find("</" + std::string(name));
    return close != kNowhere && markup::is_code_of_manual(name, shown.substr(0, close));
  }

  /// Of code between lines of at least three backticks.
  size_t end_of_fence(size_t at) {
    const bool begins_line = at == 0 || message_[at - 1] == '\n';
    if (!begins_line) return kNowhere;
    const size_t run = behind_backticks(at);
    return end_behind(run, "\n" + std::string(message_.substr(at, std::min<size_t>(run - at, 8))));
  }

  size_t behind_backticks(size_t at) const { return std::min(message_.find_first_not_of('`', at), message_.size()); }

  /// Of code within a line.
  size_t end_of_backticks(size_t at) const {
    const size_t end = message_.substr(0, std::min(at + kLongestCode, message_.size())).find_first_of("`\n", at + 1);
    return end != kNowhere && end > at + 1 && message_[end] == '`' ? end + 1 : kNowhere;
  }

  /// Behind the next of these signs. What is not found once is not looked for again, so that the time is linear.
  size_t end_behind(size_t at, const std::string& sign) {
    if (missing_.size() > kMostMissing || missing_.contains(sign)) return kNowhere;
    const size_t found = message_.find(sign, at);
    if (found == kNowhere) missing_.insert(sign);
    return found == kNowhere ? kNowhere : found + sign.size();
  }

  bool is_at(size_t at, std::string_view sign) const { return message_.substr(at).starts_with(sign); }

  std::string_view message_;
  std::vector<ByteRange> braces_, found_;
  size_t brace_ = 0;
  size_t tag_end_ = 0;  // the next ">", if it is not behind what was found last
  std::set<std::string> missing_;
};

}  // namespace

std::vector<ByteRange> pairs_of_braces(std::string_view text) {
  std::vector<ByteRange> pairs;
  std::vector<size_t> open;
  for (size_t at = text.find_first_of("{}"); at != kNowhere; at = text.find_first_of("{}", at + 1)) {
    if (text[at] == '{') {
      open.push_back(at);
    } else if (!open.empty()) {
      pairs.push_back({open.back(), at + 1});
      open.pop_back();
    }
  }
  std::ranges::sort(pairs, {}, &ByteRange::begin);
  return pairs;
}

std::vector<ByteRange> code_in(std::string_view message) {
  std::vector<ByteRange> all = markup::tex_formulas(message);
  std::ranges::copy(CodeFinder(message).find(), std::back_inserter(all));
  return without_overlaps(std::move(all));
}

std::vector<ByteRange> without_overlaps(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, [](const ByteRange& a, const ByteRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<ByteRange> kept;
  for (const ByteRange& range : ranges) {
    if (kept.empty() || range.begin >= kept.back().end) kept.push_back(range);
  }
  return kept;
}

std::vector<ByteRange> code_over_lines(std::string_view message, const std::vector<ByteRange>& code, ByteRange part) {
  std::vector<ByteRange> inside;
  for (auto range = std::ranges::lower_bound(code, part.begin, {}, &ByteRange::begin);
       range != code.end() && range->end <= part.end; ++range) {
    if (part_of(message, *range).find('\n') == kNowhere) continue;
    inside.push_back({range->begin - part.begin, range->end - part.begin});
  }
  return inside;
}

bool is_inside(const std::vector<ByteRange>& ranges, size_t at) {
  const auto next = std::ranges::upper_bound(ranges, at, {}, &ByteRange::begin);
  return next != ranges.begin() && at < std::prev(next)->end;
}

std::vector<size_t> line_ends_of(std::string_view message, const std::vector<ByteRange>& code) {
  std::vector<size_t> ends;
  for (size_t at = message.find('\n'); at != std::string_view::npos; at = message.find('\n', at + 1)) {
    if (!is_inside(code, at)) ends.push_back(at);
  }
  ends.push_back(message.size());
  return ends;
}

}  // namespace ventris::formats
