#include "markup/templates.h"

#include <algorithm>
#include <utility>

#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

constexpr size_t kLongestTemplate = 1000;

}  // namespace

size_t TemplateFinder::end_of_template(size_t at) {
  const std::string_view rest = paragraph_.rest(at);
  if (rest.starts_with("${{")) return end_of_value(at + 1);
  if (rest.starts_with("{* ")) {  // a comment of Smarty, or a file that the documentation of FastAPI includes
    const size_t end = end_of_tag(at + 2, " *}");
    return end <= paragraph_.end_of_line(at) ? end : kNoEnd;
  }
  if (rest.starts_with("<%")) return end_of_tag(at + 2, "%>");
  if (rest.starts_with("{%")) {
    const size_t end = end_of_tag(at + 2, "%}");
    return end == kNoEnd ? kNoEnd : end_of_template_code(at, end);
  }
  if (!rest.starts_with("{{")) return kNoEnd;
  for (const auto& [begin, sign] : {std::pair("{{<", ">}}"), {"{{%", "%}}"}}) {
    if (rest.starts_with(begin)) return end_of_tag(at + 3, sign);
  }
  return end_of_value(at);
}

size_t TemplateFinder::end_of_tag(size_t begin, const std::string& sign) {
  const size_t end = paragraph_.next_of(sign, begin);
  const bool found = end > begin && end < paragraph_.text().size() && end <= begin + kLongestTemplate;
  return found ? end + sign.size() : kNoEnd;
}

/// "{{ name }}", "{{{ name }}}", "{{ {a: {b: 1}} }}": of the braces that belong together. It has several lines only
/// if it does not look like sentences.
size_t TemplateFinder::end_of_value(size_t at) {
  const std::string_view text = paragraph_.text();
  const size_t first = paragraph_.next_of("}}", at + 2);
  if (first == at + 2 || first == text.size() || first > at + kLongestTemplate) return kNoEnd;
  size_t end = at, depth = 0;
  do {
    depth += text[end] == '{' ? 1 : 0;
    depth -= text[end] == '}' ? 1 : 0;
    ++end;
  } while (depth > 0 && end < text.size() && end < at + kLongestTemplate);
  if (depth > 0) end = first + 2;
  const std::string_view value = text.substr(at, end - at);
  const bool sentences = value.find(". ") != std::string_view::npos || value.find(".\n") != std::string_view::npos;
  return value.find('\n') != std::string_view::npos && sentences ? kNoEnd : end;
}

/// Of "{% highlight c %}a{% endhighlight %}" in a text. (with_known_blocks() knows those on lines of their own.)
size_t TemplateFinder::end_of_template_code(size_t at, size_t end) {
  const size_t none = paragraph_.text().size();
  const std::string name = name_of_template(paragraph_.text().substr(at, end - at));
  if (!is_code_of_template(name)) return end;
  TagFound& last = code_ends_.try_emplace(name, TagFound{none + 1, 0, 0}).first->second;
  if (end < last.from || end > last.place) last = find_tag("end" + name, end);
  return last.place == none || paragraph_.has_code(at, last.end) ? end : last.end;
}

TemplateFinder::TagFound TemplateFinder::find_tag(const std::string& name, size_t from) const {
  const std::string_view text = paragraph_.text();
  for (size_t at = text.find("{%", from); at != std::string_view::npos; at = text.find("{%", at + 2)) {
    const size_t close = text.substr(0, std::min(text.size(), at + kLongestTemplate)).find("%}", at);
    if (close == std::string_view::npos) continue;
    if (name_of_template(text.substr(at, close + 2 - at)) == name) return {from, at, close + 2};
  }
  return {from, text.size(), text.size()};
}

}  // namespace ventris::markup
