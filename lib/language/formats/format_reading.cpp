#include "formats/format_reading.h"

#include "formats/apple_strings.h"
#include "formats/document_text.h"
#include "formats/icu_blocks.h"
#include "formats/json_messages.h"
#include "formats/po.h"
#include "formats/properties.h"
#include "formats/subtitles.h"
#include "formats/yaml_messages.h"
#include "markup/front_matter.h"
#include "markup/tex_formulas.h"
#include "office/document_package.h"
#include "office/epub_text.h"

namespace ventris::formats {

using markup::Markup;

namespace {

markup::MarkedDocument read_page(const std::string& page, const markup::DocumentChanges& changes) {
  markup::MarkedDocument parsed =
      office::is_xhtml(page) ? office::parse_xhtml(page, changes) : markup::parse_markup(page, Markup::kHtml, changes);
  parsed.has_dollars = markup::loads_tex(page);
  return parsed;
}

/// Adds the values of these keys in the front matter of a Markdown document, if that is YAML, to its blocks.
void add_front_matter(const std::string& document, const std::string& keys, markup::MarkedDocument& parsed) {
  const std::string settings = document.substr(0, markup::size_of_front_matter(document));
  if (!settings.starts_with("---")) return;
  markup::MarkedDocument values;
  try {
    values = parse_yaml_messages(settings, keys);
  } catch (const markup::MarkupError&) {
    return;  // with tags of templates, it is no YAML
  }
  const size_t number = values.blocks.size();
  for (markup::Block& block : values.blocks) {
    block.escaping = markup::Escaping::kBeside;
    parsed.blocks.push_back(std::move(block));
  }
  const auto put = [settings, writer = values.writer](const std::string& written,
                                                      const std::vector<std::string>& translations) {
    return written.starts_with(settings) ? writer->write(translations) + written.substr(settings.size()) : written;
  };
  parsed.beside.push_back({number, put});
}

}  // namespace

markup::MarkedDocument read_document(const std::string& document, Markup markup, const markup::DocumentChanges& changes,
                                     const FormatOptions& options) {
  if (markup == Markup::kHtml) return read_page(document, changes);
  if (!markup::keeps_bytes(markup)) {
    markup::MarkedDocument parsed = markup::parse_markup(document, markup, changes);
    if (markup == Markup::kXliff || markup == Markup::kAndroid) divide_into_forms(parsed, markup);
    if (markup == Markup::kMarkdown && !options.keys.empty()) add_front_matter(document, options.keys, parsed);
    return parsed;
  }
  if (markup::is_package(markup)) {
    return office::parse_package(document, markup, changes, options.most_unpacked);
  }
  constexpr std::string_view kAdviceForJava =
      "convert the file to UTF-8 or, for Java 8 and older, write its letters as \\u00e9 (native2ascii)";
  check_text(document, markup == Markup::kProperties ? kAdviceForJava : kUsualAdvice);
  if (markup::is_subtitles(markup)) return parse_subtitles(document, markup);
  if (markup == Markup::kPo) return parse_po(document, options.fuzzy);
  if (markup == Markup::kJson) return parse_json_messages(document, options.keys, changes.language);
  if (markup == Markup::kProperties) return parse_properties(document);
  if (markup == Markup::kStrings) return parse_apple_strings(document);
  return parse_yaml_messages(document, options.keys);
}

}  // namespace ventris::formats
