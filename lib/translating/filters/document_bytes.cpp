#include "filters/document_bytes.h"

#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "markup/encoding.h"

namespace ventris::filters {
namespace {

using Told = std::function<void(const markup::DecodedDocument& document)>;

class DecodedBytes : public text::ByteSource {
 public:
  DecodedBytes(const std::string& path, markup::Markup markup, Told told)
      : path_(path == "-" ? "standard input" : path),
        markup_(markup),
        bytes_(markup::is_package(markup) ? text::open_bytes_of_any_kind(path) : text::open_bytes(path)),
        told_(std::move(told)) {}

  std::string_view next_block() override {
    if (std::exchange(done_, true)) return {};
    std::string whole;
    for (std::string_view block = bytes_->next_block(); !block.empty(); block = bytes_->next_block()) {
      whole += block;
      const std::string_view first = std::string_view(whole).substr(0, 2);
      const bool wide = first.find_first_of(std::string_view("\xFF\xFE\0", 3)) != std::string_view::npos;  // UTF-16
      const size_t limit = markup::is_package(markup_) ? markup::kLargestPackage : markup::kLongestDocument;
      if (whole.size() > (wide ? 2 : 1) * limit) {
        fail<DataError>(path_, ": over ", limit >> 20, " MiB; split the document");
      }
    }
    if (whole.empty() && markup::is_package(markup_)) {
      fail<DataError>(path_, ": is empty; expected a zip file, as DOCX, ODT and EPUB are");
    }
    markup::DecodedDocument decoded = markup::decode_document(std::move(whole), markup_);
    if (!decoded.encoding.empty()) core::log_info(path_ + ": converted from " + decoded.encoding + " to UTF-8");
    if (decoded.wrongly_declared) {
      core::log_warning(path_ + ": the document declares another encoding, but is in UTF-8; the output declares UTF-8");
    }
    if (decoded.replaced.count() > 0) {
      core::log_warning(path_ + ": has bytes that are not " + decoded.encoding + " (" + decoded.replaced.text() +
                        "); they became U+FFFD");
    }
    text_ = std::exchange(decoded.text, {});
    if (told_) told_(decoded);
    return text_;
  }
  bool ready() override { return done_ || bytes_->ready(); }

 private:
  std::string path_;
  markup::Markup markup_;
  std::unique_ptr<text::ByteSource> bytes_;
  Told told_;
  std::string text_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<text::ByteSource> document_bytes(const std::string& path, markup::Markup markup, Told told) {
  return std::make_unique<DecodedBytes>(path, markup, std::move(told));
}

}  // namespace ventris::filters
