#pragma once
#include <map>
#include <string>

#include "markup/paragraph.h"

namespace ventris::markup {

/// Finds the code of templates in a paragraph: {{ name }}, {% tag %}, {{< tag >}}, ${{ name }}, <%= name %>, also over
/// several lines.
class TemplateFinder {
 public:
  /// The paragraph must outlive this.
  explicit TemplateFinder(Paragraph& paragraph) : paragraph_(paragraph) {}

  /// The end of what begins here; kNoEnd if nothing does. If that is a tag with code behind it
  /// (is_code_of_template), it ends behind the tag that ends the code, if there is one.
  size_t end_of_template(size_t at);

 private:
  size_t end_of_tag(size_t begin, const std::string& sign);
  size_t end_of_value(size_t at);
  size_t end_of_template_code(size_t at, size_t end);
  /// A tag is at `place`, and not between `from` and there; the end of the text if there is none.
  struct TagFound {
    size_t from, place, end;
  };
  TagFound find_tag(const std::string& name, size_t from) const;

  Paragraph& paragraph_;
  std::map<std::string, TagFound> code_ends_;
};

}  // namespace ventris::markup
