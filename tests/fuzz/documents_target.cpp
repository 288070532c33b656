#include "formats/format_table.h"
#include "fuzz/targets.h"
#include "markup/html_token.h"
#include "support/document_run.h"
#include "text/valid_utf8.h"

/// Whole documents, translated by a model that loses, repeats and exchanges words. The first line has the format.
namespace ventris::fuzz {
namespace {

void translate_document(std::string_view input) {
  const auto [name, file] = first_line_of(input.substr(0, 3000));
  const auto* format = formats::find_format(name);
  if (format == nullptr || !text::is_valid_utf8(file)) return;
  const std::string document(file);
  documents::DocumentOptions options;
  options.markup = format->markup;
  options.placeholders = "builtin";
  options.split_sentences = document.size() % 2 == 0;
  const int32_t vocab = test::info_of(test::copying_package()).vocab;
  const auto answers = test::translate_documents({document}, options, test::careless_table(vocab, 7));
  require(answers.size() == 1, "a document has an answer");
  const std::string result = answers.front().translation.text();
  require(text::is_valid_utf8(result), "a translation is UTF-8");
  require(test::count_of(result, "\uFFFC") >= test::count_of(document, "\uFFFC"), "signs of objects stay");
  if (markup::is_xml(format->markup)) static_cast<void>(markup::parse_markup(result, format->markup));
}

const Registration kDocuments("documents", translate_document);

}  // namespace
}  // namespace ventris::fuzz
