#include "text/file_kinds.h"

#include <algorithm>
#include <array>

namespace ventris::text {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* kind;
  const char* advice;
};

constexpr const char* kUnpack = "unpack it first";
constexpr const char* kSaveAsText = "save its text as a plain text file first";

constexpr std::string_view kGzip = "\x1F\x8B\x08"sv;
constexpr std::array kSignatures{
    Signature{"PK\x03\x04"sv, "a ZIP archive or a document such as DOCX, XLSX, ODT or EPUB",
              "unpack it, or save its text as a plain text file first (ventris-translate reads DOCX, ODT and EPUB with "
              "--markup)"},
    Signature{"PK\x05\x06"sv, "an empty ZIP archive", "expected text"},
    Signature{"BZh1"sv, "bzip2 data", kUnpack},
    Signature{"BZh5"sv, "bzip2 data", kUnpack},
    Signature{"BZh9"sv, "bzip2 data", kUnpack},
    Signature{"\xFD\x37zXZ\x00"sv, "xz data", kUnpack},
    Signature{"\x28\xB5\x2F\xFD"sv, "zstd data", kUnpack},
    Signature{"\x04\x22\x4D\x18"sv, "lz4 data", kUnpack},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    Signature{"Rar!\x1A\x07"sv, "a RAR archive", kUnpack},
    Signature{"%PDF-"sv, "a PDF file", kSaveAsText},
    Signature{"{\\rtf1"sv, "an RTF document", kSaveAsText},
    Signature{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "a document of an old version of Microsoft Office", kSaveAsText},
    Signature{"SQLite format 3\x00"sv, "a SQLite database", "export its texts first"},
    Signature{"PAR1"sv, "a Parquet file", "export its columns as text first"},
    Signature{"ARROW1"sv, "an Arrow file", "export its columns as text first"},
    Signature{"\x93NUMPY"sv, "a NumPy file", "expected text"},
    Signature{"\x89PNG\r\n"sv, "an image (PNG)", "expected text"},
    Signature{"\xFF\xD8\xFF"sv, "an image (JPEG)", "expected text"},
    Signature{"GIF8"sv, "an image (GIF)", "expected text"},
    Signature{"\x7F"
              "ELF"sv,
              "a program (ELF)", "expected text"},
};

constexpr std::string_view kTar = "ustar"sv;
constexpr size_t kTarAt = 257;

/// The share of NULs among the bytes whose place, divided by `step`, leaves `rest`.
double share_of_nulls(std::string_view bytes, size_t step, size_t rest) {
  size_t nulls = 0, all = 0;
  for (size_t i = rest; i < bytes.size(); i += step, ++all) nulls += bytes[i] == '\0' ? 1 : 0;
  return all == 0 ? 0 : static_cast<double>(nulls) / static_cast<double>(all);
}

std::string converted(const char* encoding) {
  return std::string("is ") + encoding + " text, expected UTF-8; convert it first, for example with: iconv -f " +
         encoding + " -t UTF-8 FILE > NEW-FILE";
}

/// The share of visible ASCII and white space among the bytes that are no NULs.
double share_of_letters(std::string_view bytes) {
  size_t letters = 0, all = 0;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    all += value != 0 ? 1 : 0;
    letters += (value >= 0x20 && value < 0x7F) || value == '\n' || value == '\t' || value == '\r' ? 1 : 0;
  }
  return all == 0 ? 0 : static_cast<double>(letters) / static_cast<double>(all);
}

/// Latin text in UTF-16 and UTF-32 has NULs at the same place of almost each character, and its last bytes are none.
/// Text in UTF-8 has none at all.
std::optional<std::string> encoding_without_mark(std::string_view start) {
  constexpr size_t kLeastBytes = 16;
  constexpr double kMost = 0.7, kFew = 0.1;
  struct Pattern {
    const char* encoding;
    size_t step, nulls, letters;
  };
  constexpr std::array kPatterns{Pattern{"UTF-32LE", 4, 2, 0}, Pattern{"UTF-32BE", 4, 1, 3},
                                 Pattern{"UTF-16LE", 2, 1, 0}, Pattern{"UTF-16BE", 2, 0, 1}};
  if (start.size() < kLeastBytes || share_of_letters(start) < kMost) return {};
  for (const Pattern& pattern : kPatterns) {
    if (share_of_nulls(start, pattern.step, pattern.nulls) >= kMost &&
        share_of_nulls(start, pattern.step, pattern.letters) <= kFew) {
      return converted(pattern.encoding);
    }
  }
  return {};
}

}  // namespace

bool is_gzip(std::string_view start) { return start.starts_with(kGzip); }

std::optional<std::string> foreign_kind(std::string_view start) {
  const auto sentence = [](const char* kind, const char* advice) {
    return std::string("is ") + kind + ", expected text; " + advice;
  };
  for (const Signature& signature : kSignatures) {
    if (!start.starts_with(signature.bytes)) continue;
    const bool named = std::string_view(signature.advice) == "expected text";
    return named ? std::string("is ") + signature.kind + ", expected text" : sentence(signature.kind, signature.advice);
  }
  if (start.size() >= kTarAt + kTar.size() && start.substr(kTarAt).starts_with(kTar)) {
    return sentence("a tar archive", kUnpack);
  }
  return {};
}

std::optional<std::string> foreign_encoding(std::string_view start) {
  start = start.substr(0, kBytesOfKind);
  if (start.starts_with("\xFF\xFE\x00\x00"sv) || start.starts_with("\x00\x00\xFE\xFF"sv)) return converted("UTF-32");
  if (start.starts_with("\xFF\xFE"sv) || start.starts_with("\xFE\xFF"sv)) return converted("UTF-16");
  return encoding_without_mark(start);
}

bool is_part_of_signature(std::string_view start) {
  const auto begins = [start](std::string_view bytes) {
    return bytes.size() > start.size() && bytes.starts_with(start);
  };
  return begins(kGzip) || std::ranges::any_of(kSignatures, [&](const Signature& known) { return begins(known.bytes); });
}

}  // namespace ventris::text
