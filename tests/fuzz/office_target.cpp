#include <algorithm>

#include "exports/stored_zip.h"
#include "fuzz/targets.h"
#include "memories/tmx_reader.h"
#include "office/document_package.h"
#include "office/docx_text.h"
#include "office/epub_text.h"
#include "office/odf_text.h"

/// Office documents, electronic books and translation memories.
namespace ventris::fuzz {
namespace {

using markup::Markup;

/// A part of a document: the first line is its kind, the rest its XML.
void read_part(std::string_view input) {
  const auto [kind, xml] = first_line_of(input);
  const std::string part(xml);
  if (kind == "docx") static_cast<void>(office::parse_docx_text(part));
  if (kind == "odf") static_cast<void>(office::parse_odf_text(part));
  if (kind == "xhtml") static_cast<void>(office::parse_xhtml(part));
  if (kind == "ncx") static_cast<void>(office::parse_ncx(part));
  if (kind == "opf") static_cast<void>(office::parse_package_document(part));
}

std::vector<std::string> part_seeds() {
  const std::string runs = "<w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t><w:tab/></w:r>";
  const std::string bookmark = R"(<w:bookmarkStart w:id="1"/><w:r><w:t>c</w:t></w:r><w:bookmarkEnd w:id="1"/>)";
  const std::string spans = R"(a <text:span>b<text:s text:c="2"/></text:span><text:note>c</text:note>)";
  return {"docx\n<w:document><w:body><w:p><w:pPr/>" + runs + bookmark + "</w:p></w:body></w:document>",
          "odf\n<office:text><text:p>" + spans + "</text:p></office:text>",
          "xhtml\n<html><body><p>a&nbsp;<b>b</b> &lt;</p></body></html>",
          "ncx\n<ncx><navMap><navPoint><navLabel><text>a</text></navLabel></navPoint></navMap></ncx>",
          "opf\n<package><metadata><dc:title>a</dc:title><dc:language>en</dc:language></metadata></package>"};
}

/// A whole document: the bytes of a zip file.
void read_package(std::string_view input) {
  for (const Markup markup : {Markup::kDocx, Markup::kOdt, Markup::kEpub}) {
    try {
      static_cast<void>(office::parse_package(std::string(input), markup));
    } catch (const core::Error&) {  // most inputs are not of this kind
    }
  }
}

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& entries) {
  exports::StoredZip zip;
  for (const auto& [name, bytes] : entries) zip.add(name, bytes);
  return std::move(zip).finish();
}

std::vector<std::string> package_seeds() {
  const std::string types =
      "<Types><Override PartName=\"/d.xml\" ContentType=\"x.wordprocessingml.document.main+xml\"/></Types>";
  const std::string container = "<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>";
  const std::string book =
      "<package><manifest><item href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/></manifest></package>";
  return {zip_of({{"[Content_Types].xml", types}, {"d.xml", "<w:document><w:p/></w:document>"}}),
          zip_of({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", "<text:p>a</text:p>"}}),
          zip_of({{"META-INF/container.xml", container}, {"b.opf", book}, {"a.xhtml", "<html><p>a</p></html>"}})};
}

void read_memory(std::string_view input) {
  memories::TmxReader reader(file_with(input, "a.tmx"), {"en", "de"});
  int64_t lines = 0;
  for (auto block = reader.next_block(); !block.empty(); block = reader.next_block()) {
    lines += std::count(block.begin(), block.end(), '\n');
  }
  require(lines == reader.counts().pairs, "each pair is a line");
}

std::vector<std::string> memory_seeds() {
  return {
      "<tmx version=\"1.4\"><body><tu><tuv xml:lang=\"en-GB\"><seg>a <bpt i=\"1\">x</bpt>b</seg></tuv><tuv "
      "xml:lang=\"de\"><seg>c</seg></tuv></tu></body></tmx>"};
}

const Registration kPart("office_part", read_part, part_seeds);
const Registration kPackage("office", read_package, package_seeds);
const Registration kMemory("tmx", read_memory, memory_seeds);

}  // namespace
}  // namespace ventris::fuzz
