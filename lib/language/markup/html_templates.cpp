#include "markup/html_templates.h"

#include <algorithm>
#include <string>

#include "markup/characters.h"
#include "markup/known_blocks.h"
#include "markup/shortcodes.h"

namespace ventris::markup {
namespace {

constexpr size_t kNoPlace = std::string_view::npos;
constexpr size_t kLongestTag = 10'000;  // bytes; code of PHP may be longer

}  // namespace

/// The byte behind what begins at the place of the sign; npos if it does not end, or is empty.
size_t HtmlTemplates::end_of(Sign& sign) {
  const size_t inside = *sign.place + sign.begin.size();
  if (sign.behind != kNoPlace && sign.behind < inside + sign.end.size()) {
    const size_t end = document_.find(sign.end, inside);
    sign.behind = end == kNoPlace ? kNoPlace : end + sign.end.size();
  }
  const bool php = sign.end == "?>";
  if (sign.behind == kNoPlace) return php && document_.find('<', inside) == kNoPlace ? document_.size() : kNoPlace;
  if (!php && sign.behind - *sign.place > kLongestTag) return kNoPlace;
  if (sign.behind == inside + sign.end.size()) return kNoPlace;
  if (sign.begin == "{#") return is_letter(document_[inside]) ? kNoPlace : sign.behind;  // no "{#anchor}" of Markdown
  if (sign.begin.starts_with('{') && has_tag({inside, sign.behind})) return kNoPlace;
  const bool third = sign.begin == "{{" && document_.substr(*sign.place).starts_with("{{{");
  return sign.behind + (third && document_.substr(sign.behind).starts_with('}') ? 1 : 0);
}

/// Whether a tag or comment of HTML begins or ends in the range, outside of quotations: these braces are no template,
/// but text or a program.
bool HtmlTemplates::has_tag(ByteRange range) const {
  const std::string_view text = document_.substr(range.begin, range.end - range.begin);
  for (size_t at = text.find_first_of("<\"'"); at != kNoPlace && at + 1 < text.size();
       at = text.find_first_of("<\"'", at + 1)) {
    if (text[at] != '<') {
      at = std::min(text.find(text[at], at + 1), text.size() - 1);
    } else if (is_letter(text[at + 1]) || text[at + 1] == '/' || text[at + 1] == '!') {
      return true;
    }
  }
  return text.find("-->") != kNoPlace;
}

/// The end of the tag, or of the code or comment that it begins.
size_t HtmlTemplates::end_with_content(ByteRange tag) {
  const std::string name = name_of_template(document_.substr(tag.begin, tag.end - tag.begin));
  if (name != "raw" && name != "verbatim" && !is_code_of_template(name)) return tag.end;
  if (endless_.contains(name)) return tag.end;
  size_t end = tag.end;
  for (size_t at = document_.find("{%", tag.end); at != kNoPlace && end != kNoPlace;
       at = document_.find("{%", at + 2)) {
    if (end < at + 2) end = document_.find("%}", at);
    if (end == kNoPlace || end + 2 - at > kLongestTag) continue;
    if (name_of_template(document_.substr(at, end + 2 - at)) == "end" + name) return end + 2;
  }
  endless_.insert(name);
  return tag.end;
}

std::optional<HtmlTemplate> HtmlTemplates::next(size_t at) {
  if (found_ && found_->range.begin >= at) return found_;
  while (true) {
    Sign* first = nullptr;
    for (Sign& sign : signs_) {
      if (!sign.place || *sign.place < at) sign.place = document_.find(sign.begin, at);
      if (*sign.place != kNoPlace && (first == nullptr || *sign.place < *first->place)) first = &sign;
    }
    if (first == nullptr) return {};
    const ByteRange range{*first->place, end_of(*first)};
    if (range.end != kNoPlace) {
      const bool tag = first->begin == "{%";
      const std::string name = tag ? name_of_template(document_.substr(range.begin, range.end - range.begin)) : "";
      found_ = {{range.begin, tag ? end_with_content(range) : range.end}, first->begin == "{#" || name == "comment"};
      return found_;
    }
    at = range.begin + 1;
  }
}

std::vector<HtmlTemplate> find_templates(std::string_view document, size_t from) {
  HtmlTemplates templates(document);
  const std::vector<ByteRange> codes = code_shortcodes(document);
  auto code = codes.begin();
  std::vector<HtmlTemplate> all;
  size_t at = from;
  while (true) {
    while (code != codes.end() && code->begin < at) ++code;
    const std::optional<HtmlTemplate> found = templates.next(at);
    if (!found && code == codes.end()) return all;
    const bool template_first = found && (code == codes.end() || found->range.begin < code->begin);
    all.push_back(template_first ? *found : HtmlTemplate{*code});
    at = all.back().range.end;
  }
}

std::string with_hidden_templates(std::string_view document, const std::vector<HtmlTemplate>& templates) {
  std::string hidden(document);
  for (const HtmlTemplate& code : templates) {
    std::fill_n(hidden.begin() + static_cast<std::ptrdiff_t>(code.range.begin), code.range.end - code.range.begin, 'x');
  }
  return hidden;
}

}  // namespace ventris::markup
