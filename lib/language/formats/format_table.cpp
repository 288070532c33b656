#include "formats/format_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"

namespace ventris::formats {
namespace {

/// The name in small letters, without the ending of a packed file.
std::string plain_name(std::string_view file) {
  std::string name = core::in_lower_case(file);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

/// Endings of documents that are not read, and what these are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 83> kUnreadKinds{
    {{".doc", "a document of Word"},
     {".rtf", "a document in RTF"},
     {".pdf", "a document in PDF"},
     {".pptx", "a presentation"},
     {".xlsx", "a table"},
     {".csv", "a table"},
     {".tsv", "a table"},
     {".mo", "a compiled catalogue of gettext"},
     {".ass", "a file of subtitles in Advanced SubStation Alpha"},
     {".ssa", "a file of subtitles in SubStation Alpha"},
     {".ttml", "a file of subtitles in TTML"},
     {".resx", "a file of resources for .NET"},
     {".resw", "a file of resources for Windows"},
     {".xcstrings", "a catalogue of strings of Xcode"},
     {".ftl", "a catalogue of Fluent"},
     {".toml", "a file of settings in TOML"},
     {".ini", "a file of settings"},
     {".rst", "a document in reStructuredText"},
     {".adoc", "a document in AsciiDoc"},
     {".tex", "a document in TeX"},
     {".mediawiki", "a page of MediaWiki"},
     {".wiki", "a page of a wiki"},
     {".textile", "a document in Textile"},
     {".org", "a document of Org mode"},
     {".vue", "a component of Vue"},
     {".blade.php", "a template of Blade (Laravel)"},
     {".php", "a program in PHP"},
     {".sdlxliff", "a document of Trados"},
     {".dfxp", "a file of subtitles in TTML"},
     {".sbv", "a file of subtitles of YouTube"},
     {".dbk", "a document in DocBook"},
     {".tmx", "a translation memory"},
     {".svg", "a drawing in SVG"},
     {".plist", "a property list"},
     {".stringsdict", "a dictionary of plurals of macOS and iOS"},
     {".fodt", "a text of OpenDocument in one file of XML"},
     {".fods", "a table of OpenDocument in one file of XML"},
     {".fodp", "a presentation of OpenDocument in one file of XML"},
     {".ipynb", "a notebook of Jupyter"},
     {".ts", "a catalogue of Qt or a program in TypeScript"},
     {".mqxliff", "a document of memoQ"},
     {".mxliff", "a document of Phrase"},
     {".tbx", "a list of terms"},
     {".xsl", "a style sheet"},
     {".xslt", "a style sheet"},
     {".eml", "an e-mail"},
     {".mbox", "a box of e-mails"},
     {".svelte", "a component of Svelte"},
     {".astro", "a component of Astro"},
     {".jsx", "a program in JavaScript"},
     {".tsx", "a program in TypeScript"},
     {".erb", "a template of Ruby"},
     {".ejs", "a template of JavaScript"},
     {".j2", "a template of Jinja"},
     {".jinja", "a template of Jinja"},
     {".jinja2", "a template of Jinja"},
     {".cshtml", "a template of Razor"},
     {".asciidoc", "a document in AsciiDoc"},
     {".lrc", "lyrics with times"},
     {".sub", "a file of subtitles of MicroDVD"},
     {".xlsm", "a table"},
     {".sgm", "a test set in SGML"},
     {".sgml", "a document in SGML"},
     {".json5", "JSON with extensions"},
     {".jsonc", "JSON with comments"},
     {".js", "a program in JavaScript"},
     {".mjs", "a program in JavaScript"},
     {".py", "a program in Python"},
     {".java", "a program in Java"},
     {".rb", "a program in Ruby"},
     {".sh", "a program of a shell"},
     {".css", "a style sheet"},
     {".scss", "a style sheet"},
     {".jsp", "a template of Java"},
     {".aspx", "a template of .NET"},
     {".phtml", "a template of PHP"},
     {".tpl", "a template"},
     {".pug", "a template of Pug"},
     {".haml", "a template of Haml"},
     {".ics", "a calendar"},
     {".vcf", "a list of contacts"},
     {".texi", "a document in Texinfo"},
     {".bib", "a list of literature"}}};

bool has_start_of_xml(std::string_view start) {
  constexpr std::string_view kByteOrderMark = "\uFEFF";
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  return start.starts_with("<?xml ");
}

}  // namespace

const std::vector<FileFormat>& all_formats() {
  static const std::vector<FileFormat> kFormats{
      {"none", Markup::kNone, {".txt"}, "text/plain"},
      {"html",
       Markup::kHtml,
       {".html", ".htm", ".xhtml", ".shtml", ".twig", ".hbs", ".handlebars", ".mustache", ".liquid", ".njk",
        ".html.erb", ".html.j2", ".html.jinja", ".html.jinja2"},
       "text/html"},
      {"markdown", Markup::kMarkdown, {".md", ".markdown", ".mkd", ".mdown", ".mdx", ".qmd", ".rmd"}, "text/markdown"},
      {"android", Markup::kAndroid, {"strings.xml"}, "application/xml"},
      {"xliff", Markup::kXliff, {".xlf", ".xliff"}, "application/xliff+xml"},
      {"xml", Markup::kXml, {".xml"}, "application/xml"},
      {"srt", Markup::kSrt, {".srt"}, "application/x-subrip"},
      {"vtt", Markup::kVtt, {".vtt"}, "text/vtt"},
      {"po", Markup::kPo, {".po", ".pot"}, "text/x-gettext-translation"},
      {"json", Markup::kJson, {".json", ".arb"}, "application/json"},
      {"properties", Markup::kProperties, {".properties"}, "text/x-java-properties"},
      {"strings", Markup::kStrings, {".strings"}, "text/plain"},
      {"yaml", Markup::kYaml, {".yaml", ".yml"}, "application/yaml"},
      {"docx", Markup::kDocx, {".docx"}, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
      {"odt", Markup::kOdt, {".odt", ".odp", ".ods"}, "application/vnd.oasis.opendocument.text"},
      {"epub", Markup::kEpub, {".epub"}, "application/epub+zip"}};
  return kFormats;
}

std::string format_names() {
  std::string names;
  for (const FileFormat& format : all_formats()) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

const FileFormat* find_format(std::string_view name) {
  const auto found = std::ranges::find_if(all_formats(), [&](const FileFormat& one) { return one.name == name; });
  return found == all_formats().end() ? nullptr : &*found;
}

const FileFormat* format_of_file(std::string_view file) {
  const std::string name = plain_name(file);
  const auto has_ending = [&](const char* ending) { return name.ends_with(ending); };
  const auto found = std::ranges::find_if(
      all_formats(), [&](const FileFormat& one) { return std::ranges::any_of(one.endings, has_ending); });
  return found == all_formats().end() ? nullptr : &*found;
}

const FileFormat* format_of_content(std::string_view start) {
  constexpr size_t kNameAt = 30;  // in the header of a file in a zip file
  if (has_start_of_xml(start)) return find_format("xml");
  if (!start.starts_with("PK\x03\x04") || start.size() < kNameAt) return nullptr;
  const std::string_view names = start.substr(kNameAt);
  for (const auto& [first, format] : {std::pair("mimetypeapplication/epub+zip", "epub"),
                                      {"mimetypeapplication/vnd.oasis.opendocument.", "odt"},
                                      {"[Content_Types].xml", "docx"},
                                      {"_rels/.rels", "docx"},
                                      {"docProps/", "docx"},
                                      {"word/", "docx"}}) {
    if (names.starts_with(first)) return find_format(format);
  }
  return nullptr;
}

std::string_view unread_kind(std::string_view file) {
  const std::string name = plain_name(file);
  for (const std::string_view ending : {".twig", ".hbs", ".handlebars", ".mustache", ".liquid", ".njk"}) {
    if (!name.ends_with(ending)) continue;
    const FileFormat* const inside = format_of_file(name.substr(0, name.size() - ending.size()));
    if (inside != nullptr && inside->markup != Markup::kHtml) return "a template of a file that is no HTML";
  }
  if (format_of_file(name) != nullptr) return {};
  const auto* const found =
      std::ranges::find_if(kUnreadKinds, [&](const auto& kind) { return name.ends_with(kind.first); });
  return found == kUnreadKinds.end() ? std::string_view() : found->second;
}

bool has_json_lines(std::string_view file) {
  const std::string name = plain_name(file);
  return name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

}  // namespace ventris::formats
