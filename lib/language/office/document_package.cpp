#include "office/document_package.h"

#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/process.h"
#include "markup/digest.h"
#include "markup/encoding.h"
#include "office/docx_text.h"
#include "office/epub_text.h"
#include "office/odf_text.h"
#include "office/package_parts.h"
#include "office/zip_package.h"

namespace ventris::office {
namespace {

using markup::MarkedDocument;
using Translations = std::vector<std::string>;

MarkedDocument parse_part(const std::string& text, PartKind kind, const markup::DocumentChanges& changes) {
  switch (kind) {
    case PartKind::kDocx: return parse_docx_text(text);
    case PartKind::kOdf: return parse_odf_text(text);
    case PartKind::kXhtml: return parse_xhtml(text, changes);
    case PartKind::kNcx: return parse_ncx(text);
    case PartKind::kPackageDocument: break;
  }
  return parse_package_document(text, changes);
}

/// Writes the parts, and puts them into the zip file.
class PackageWriter : public markup::DocumentWriter {
 public:
  PackageWriter(std::string bytes, bool attributes) : bytes_(std::move(bytes)), attributes_(attributes) {}

  /// The blocks of the part become blocks of the document, numbered in the place of lines.
  /// `text`: the part as it was read.
  void add(const std::string& name, const std::string& text, MarkedDocument part, MarkedDocument& document) {
    Part added{name, digest_of(text), part.blocks.size(), {}, std::move(part.after), std::move(part.writer)};
    for (markup::Block& block : part.blocks) {
      added.before.push_back(std::exchange(block.before, {}));
      block.line = static_cast<int64_t>(document.blocks.size()) + 1;
      document.blocks.push_back(std::move(block));
    }
    parts_.push_back(std::move(added));
  }

  std::string write(const Translations& translations) const override {
    std::map<std::string, std::string> files;
    auto next = translations.begin();
    for (const Part& part : parts_) {
      const auto end = next + static_cast<std::ptrdiff_t>(part.blocks);
      std::string text = written(part, {next, end});
      if (digest_of(text) != part.digest) files[part.name] = std::move(text);
      next = end;
    }
    return with_files(bytes_, files);
  }

 private:
  struct Part {
    std::string name;
    uint64_t digest = 0;  // of its text
    size_t blocks = 0;
    std::vector<std::string> before;  // what is kept in front of each
    std::string after;
    std::shared_ptr<const DocumentWriter> writer;
  };

  static uint64_t digest_of(const std::string& text) { return markup::Digest().add(text).value(); }

  std::string written(const Part& part, const Translations& translations) const {
    if (part.writer) return part.writer->write(translations);
    std::string text;
    for (size_t i = 0; i < part.blocks; ++i) text += part.before[i] + translations[i];
    text += part.after;
    return attributes_ ? markup::put_apart_texts(text) : text;
  }

  const std::string bytes_;
  const bool attributes_;
  std::vector<Part> parts_;
};

}  // namespace

MarkedDocument parse_package(const std::string& document, markup::Markup markup, const markup::DocumentChanges& changes,
                             size_t most_unpacked) {
  ZipPackage package(document, most_unpacked);
  const auto writer = std::make_shared<PackageWriter>(document, changes.attributes);
  MarkedDocument blocks;
  for (const PackagePart& part : parts_with_texts(package, markup)) {
    core::throw_if_stopped("reading a document");
    std::string text = package.read(part.name);
    try {
      text = markup::decode_document(std::move(text), markup::Markup::kXml).text;
      writer->add(part.name, text, parse_part(text, part.kind, changes), blocks);
    } catch (const markup::MarkupError& error) {
      fail<markup::MarkupError>(part.name, ": ", error.what());
    }
  }
  blocks.writer = writer;
  return blocks;
}

}  // namespace ventris::office
