#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "formats/format_table.h"
#include "markup/html.h"
#include "support/document_run.h"
#include "support/temp_folder.h"
#include "text/valid_utf8.h"

/// Documents that people wrote, from the folder in the environment variable VENTRIS_REAL_FILES, such as /usr/share/doc.
namespace ventris::documents {
namespace {

namespace fs = std::filesystem;

/// Small letters become capitals, and capitals small ones.
std::string in_other_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));
  });
  return text;
}

/// The same link with and without the name of its target: "[a]", "[a][]", "[a][a]"; and lines of quotations in one.
std::string without_freedom_of_markdown(const std::string& text) {
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text[at] == '[' ? text.find(']', at) : std::string::npos;
    const std::string label = end == std::string::npos ? "" : text.substr(at, end + 1 - at);
    if (label == "[]") {
      at += 2;
      continue;
    }
    kept += label.empty() ? text.substr(at, text[at] == '>' ? 0 : 1) : label;
    at += std::max<size_t>(label.size(), 1);
    if (!label.empty() && text.compare(at, label.size(), label) == 0) at += label.size();
  }
  return kept;
}

/// What must not change: the characters in their order, without white space, case, backslashes and entities.
std::string characters_in_order(const std::string& document, Markup markup) {
  std::string characters = markup::decode_entities(document);
  std::erase_if(characters, [](unsigned char c) { return std::isspace(c) != 0 || c == '\\'; });
  std::ranges::transform(characters, characters.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return markup == Markup::kMarkdown ? without_freedom_of_markdown(characters) : characters;
}

/// Where the translation of a document differs, or "".
std::string difference(const std::string& document, Markup markup) {
  DocumentOptions options;
  options.markup = markup;
  options.split_sentences = true;
  options.recase = Recase::kNone;
  options.guards = false;
  const auto written = test::change_document(document, options, in_other_letters, test::WordOrder::kSame);
  const std::string before = characters_in_order(document, markup);
  const std::string after = characters_in_order(written.answer.translation.text(), markup);
  if (before == after) return "";
  const auto at = static_cast<size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  const size_t begin = at > 30 ? at - 30 : 0;
  return "before: " + before.substr(begin, 80) + "\nafter:  " + after.substr(begin, 80);
}

bool is_looked_at(const formats::FileFormat* format) {
  const auto kinds = {Markup::kHtml, Markup::kMarkdown, Markup::kXml,
                      Markup::kJson, Markup::kYaml,     Markup::kProperties};
  return format != nullptr && std::ranges::find(kinds, format->markup) != kinds.end();
}

TEST(RealFiles, KeepAllTheirCharactersInOrderIfTheirWordsChangeTheirCase) {
  const char* folder = std::getenv("VENTRIS_REAL_FILES");
  if (folder == nullptr) GTEST_SKIP() << "set VENTRIS_REAL_FILES to a folder with documents to run this test";
  constexpr uintmax_t kLargest = 200'000;
  int64_t files = 0, refused = 0;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const formats::FileFormat* format = formats::format_of_file(entry.path().filename().string());
    std::error_code ignored;
    if (!entry.is_regular_file(ignored) || !is_looked_at(format) || entry.file_size(ignored) > kLargest) continue;
    const std::string document = test::file_bytes(entry.path().string());
    if (document.empty() || !text::is_valid_utf8(document)) continue;
    ++files;
    try {
      EXPECT_EQ(difference(document, format->markup), "") << entry.path();
    } catch (const markup::MarkupError&) {
      ++refused;
    }
  }
  std::printf("%lld files, of which %lld were refused\n", static_cast<long long>(files),
              static_cast<long long>(refused));
}

}  // namespace
}  // namespace ventris::documents
