#include "office/package_parts.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/error.h"
#include "markup/encoding.h"
#include "markup/html.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

using markup::Markup;
using markup::MarkupError;

constexpr const char* kContentTypes = "[Content_Types].xml";
constexpr const char* kContainer = "META-INF/container.xml";
constexpr const char* kEncryption = "META-INF/encryption.xml";
constexpr const char* kManifest = "META-INF/manifest.xml";
constexpr std::string_view kOpenDocument = "application/vnd.oasis.opendocument.";

std::string utf8_of(ZipPackage& package, const std::string& name) {
  try {
    return markup::decode_document(package.read(name), Markup::kXml).text;
  } catch (const MarkupError& error) {
    const std::string message = error.what();
    if (message.find(name) != std::string::npos) throw;
    fail<MarkupError>(name, ": ", message);
  }
}

/// A part in XML, which must not move.
struct XmlPart {
  XmlPart(ZipPackage& package, const std::string& name) : text(utf8_of(package, name)) {
    try {
      xml = markup::read_xml(text);
    } catch (const MarkupError& error) {
      fail<MarkupError>(name, ": ", error.what());
    }
  }
  XmlPart(const XmlPart&) = delete;
  XmlPart& operator=(const XmlPart&) = delete;
  ~XmlPart() = default;

  std::string attribute(size_t element, std::string_view name) const {
    return markup::decode_entities(xml.attribute(element, name));
  }

  std::string text;
  XmlDocument xml;
};

/// What kind of OpenDocument the package has: "text", "presentation"; nothing if it is something else.
std::string kind_of_open_document(ZipPackage& package) {
  if (!package.has("mimetype")) return package.has("content.xml") && package.has(kManifest) ? "text" : "";
  const std::string type = package.read("mimetype");
  return type.starts_with(kOpenDocument) ? type.substr(kOpenDocument.size()) : "";
}

const char* kind_of(ZipPackage& package) {
  if (package.has(kContentTypes)) return "a document of Microsoft Office";
  if (!kind_of_open_document(package).empty()) return "an OpenDocument file";
  return package.has(kContainer) ? "an electronic book (EPUB)" : "a zip file of another kind";
}

[[noreturn]] void fail_kind(ZipPackage& package, const char* expected) {
  fail<MarkupError>("expected ", expected, ", found ", kind_of(package));
}

/// The main part of a document whose content types name no part, but the type of all files in XML; empty if it has
/// none.
std::string main_part_by_default(ZipPackage& package, const XmlPart& types) {
  constexpr const char* kRelationships = "_rels/.rels";
  const auto is_main = [&](size_t element) {
    return types.xml.local_name(element) == "Default" &&
           types.attribute(element, "contenttype").ends_with("wordprocessingml.document.main+xml");
  };
  bool found = false;
  for (size_t element = 1; element < types.xml.elements.size(); ++element) found = found || is_main(element);
  if (!found || !package.has(kRelationships)) return "";
  const XmlPart relationships(package, kRelationships);
  for (size_t element = 1; element < relationships.xml.elements.size(); ++element) {
    if (!relationships.attribute(element, "type").ends_with("/officeDocument")) continue;
    const std::string target = relationships.attribute(element, "target");
    const std::string name = target.starts_with('/') ? target.substr(1) : target;
    if (package.has(name)) return name;
  }
  return "";
}

std::vector<PackagePart> parts_of_docx(ZipPackage& package) {
  if (!package.has(kContentTypes)) fail_kind(package, "a document of Word (DOCX)");
  const XmlPart types(package, kContentTypes);
  std::vector<PackagePart> parts;
  std::set<std::string> known;
  bool main = false;
  for (size_t element = 1; element < types.xml.elements.size(); ++element) {
    const std::string type = types.attribute(element, "contenttype");
    std::string name = types.attribute(element, "partname");
    const bool of_word =
        type.find("wordprocessingml.") != std::string::npos || type.find("ms-word.") != std::string::npos;
    if (name.empty() || !of_word) continue;
    const bool is_main = type.ends_with("main+xml");
    const auto ends = [&](const char* ending) { return type.ends_with(ending); };
    const bool other =
        std::ranges::any_of(std::initializer_list<const char*>{".header+xml", ".footer+xml", ".footnotes+xml",
                                                               ".endnotes+xml", ".comments+xml"},
                            ends);
    if (name.starts_with('/')) name.erase(0, 1);
    if (is_main && !package.has(name)) fail<MarkupError>("damaged: the file ", name, " is missing in it");
    if ((!is_main && !other) || !package.has(name) || !known.insert(name).second) continue;
    main = main || is_main;
    parts.insert(is_main ? parts.begin() : parts.end(), {name, PartKind::kDocx});
  }
  if (const std::string name = main ? "" : main_part_by_default(package, types); !name.empty()) {
    parts.insert(parts.begin(), {name, PartKind::kDocx});
    main = true;
  }
  if (!main) {
    fail<MarkupError>(
        "expected a document of Word (DOCX), found another one of Microsoft Office, such as XLSX or PPTX, "
        "which is not read");
  }
  return parts;
}

std::vector<PackagePart> parts_of_open_document(ZipPackage& package) {
  const std::string kind = kind_of_open_document(package);
  if (kind.empty()) fail_kind(package, "an OpenDocument file (ODT, ODP, ODS)");
  if (!kind.starts_with("text") && !kind.starts_with("presentation") && !kind.starts_with("spreadsheet")) {
    fail<MarkupError>(
        "expected a text, presentation or table (ODT, ODP, ODS), found an OpenDocument file of the kind '", kind,
        "', which is not read");
  }
  if (package.has(kManifest) && utf8_of(package, kManifest).find("encryption-data") != std::string::npos) {
    fail<MarkupError>("the document is encrypted; save it without a password");
  }
  std::vector<PackagePart> parts{{"content.xml", PartKind::kOdf}};
  if (package.has("styles.xml")) parts.push_back({"styles.xml", PartKind::kOdf});
  return parts;
}

/// Fonts may be obfuscated, which is no protection of the texts.
void check_protection(ZipPackage& package) {
  if (!package.has(kEncryption)) return;
  const XmlPart encryption(package, kEncryption);
  for (size_t element = 1; element < encryption.xml.elements.size(); ++element) {
    if (encryption.xml.local_name(element) != "EncryptionMethod") continue;
    const std::string method = encryption.attribute(element, "algorithm");
    if (is_one_of(method, {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})) continue;
    fail<MarkupError>("the book is encrypted (DRM), so its text cannot be read");
  }
}

/// The name of a file for a link in another one; nothing if it leads out of the package.
std::optional<std::string> linked_name(const std::string& from, std::string_view link) {
  link = link.substr(0, link.find('#'));
  std::string path = from.substr(0, from.rfind('/') + 1);
  for (size_t at = 0; at < link.size(); ++at) {
    int byte = 0;
    const char* const digits = link.data() + at + 1;
    const bool coded =
        link[at] == '%' && at + 2 < link.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    path += coded ? static_cast<char>(byte) : link[at];
    if (coded) at += 2;
  }
  std::vector<std::string> steps;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string step = path.substr(begin, end - begin);
    begin = end + 1;
    if (step == ".." && steps.empty()) return {};
    if (step == "..") {
      steps.pop_back();
    } else if (step != "." && !step.empty()) {
      steps.push_back(step);
    }
  }
  std::string name;
  for (const std::string& step : steps) name += (name.empty() ? "" : "/") + step;
  return name;
}

/// The parts of a manifest, in its order.
void add_manifest(ZipPackage& package, const std::string& name, std::vector<PackagePart>& parts) {
  const XmlPart manifest(package, name);
  std::set<std::string> known;
  for (const PackagePart& part : parts) known.insert(part.name);
  const auto add = [&](const std::string& part, PartKind kind) {
    if (known.insert(part).second) parts.push_back({part, kind});
  };
  add(name, PartKind::kPackageDocument);
  for (size_t element = 1; element < manifest.xml.elements.size(); ++element) {
    if (manifest.xml.local_name(element) != "item") continue;
    const std::string type = manifest.attribute(element, "media-type");
    const bool text = type == "application/xhtml+xml", contents = type == "application/x-dtbncx+xml";
    if (!text && !contents) continue;
    const auto part = linked_name(name, manifest.attribute(element, "href"));
    if (part && package.has(*part)) add(*part, text ? PartKind::kXhtml : PartKind::kNcx);
  }
}

std::vector<PackagePart> parts_of_epub(ZipPackage& package) {
  if (!package.has(kContainer)) fail_kind(package, "an electronic book (EPUB)");
  check_protection(package);
  const XmlPart container(package, kContainer);
  std::vector<PackagePart> parts;
  for (size_t element = 1; element < container.xml.elements.size(); ++element) {
    if (container.xml.local_name(element) != "rootfile") continue;
    const std::string path = container.attribute(element, "full-path");
    if (!path.empty()) add_manifest(package, path, parts);
  }
  if (parts.empty()) fail<MarkupError>(kContainer, ": names no package document (rootfile)");
  return parts;
}

}  // namespace

std::vector<PackagePart> parts_with_texts(ZipPackage& package, Markup markup) {
  if (markup == Markup::kDocx) return parts_of_docx(package);
  return markup == Markup::kOdt ? parts_of_open_document(package) : parts_of_epub(package);
}

}  // namespace ventris::office
