#include <array>

#include "fuzz/targets.h"
#include "markup/encoding.h"
#include "markup/markup.h"
#include "text/valid_utf8.h"

/// HTML, XML (plain, XLIFF, messages of Android) and Markdown.
namespace ventris::fuzz {
namespace {

using markup::Markup;

void check_block(const markup::Block& block) {
  require(block.line >= 1, "a block has its line");
  const std::string& text = block.text.text;
  for (const auto& mark : block.text.marks) require(mark.at <= text.size(), "a mark is in its text");
  for (const auto& object : block.text.objects) {
    require(text.compare(object.at, markup::kObject.size(), markup::kObject) == 0, "an object has its sign");
  }
  static_cast<void>(block.text.raw({0, text.size()}));
  static_cast<void>(block.text.slice({0, text.size()}));
}

void read_as(std::string_view input, Markup markup) {
  const auto decoded = markup::decode_document(std::string(input), markup);
  if (!text::is_valid_utf8(decoded.text)) return;
  for (const bool changes : {false, true}) {
    markup::DocumentChanges wanted;
    if (changes && markup != Markup::kMarkdown) wanted = {.attributes = true, .language = "de"};
    const auto document = markup::parse_markup(decoded.text, markup, wanted);
    std::string written;
    for (const auto& block : document.blocks) {
      check_block(block);
      require(markup != Markup::kMarkdown || block.range.end <= decoded.text.size(), "a block is in its document");
      written += block.before + markup::escape(block.text.text, markup);
      static_cast<void>(markup::escape_start(block.text.text, block.before, markup));
    }
    static_cast<void>(markup::put_apart_texts(written + document.after));
  }
}

void read_html(std::string_view input) { read_as(input, Markup::kHtml); }
void read_markdown(std::string_view input) { read_as(input, Markup::kMarkdown); }

void read_xml(std::string_view input) {
  const auto [kind, document] = first_line_of(input);
  if (kind == "xliff") return read_as(document, Markup::kXliff);
  read_as(document, kind == "android" ? Markup::kAndroid : Markup::kXml);
}

const Registration kHtml("html", read_html);
const Registration kXml("xml", read_xml);
const Registration kMarkdown("markdown", read_markdown);

}  // namespace
}  // namespace ventris::fuzz
