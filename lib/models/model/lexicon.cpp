#include "model/lexicon.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "core/error.h"
#include "files/files.h"
#include "model/package.h"

namespace ventris::model {
namespace {

constexpr int64_t kMostShort = 65536;  // pieces whose ids have 16 bits

/// What follows kMagic.
struct LexiconSizes {
  uint32_t version = Lexicon::kVersion;
  LexiconTokenizers tokenizers;
  uint32_t frequent = 0;
  uint32_t pieces = 0;
};
static_assert(std::is_trivially_copyable_v<LexiconSizes> && sizeof(LexiconSizes) == 28);

size_t number_size(const LexiconTokenizers& tokenizers) { return tokenizers.target_vocab <= kMostShort ? 2 : 4; }

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Takes numbers from the front of `bytes`, which has enough of them.
class NumberReader {
 public:
  NumberReader(std::string_view bytes, size_t size) : bytes_(bytes), size_(size) {}
  uint32_t next() {
    uint32_t value = 0;
    uint16_t small = 0;
    std::memcpy(size_ == 2 ? static_cast<void*>(&small) : &value, bytes_.data(), size_);
    bytes_.remove_prefix(size_);
    return size_ == 2 ? small : value;
  }

 private:
  std::string_view bytes_;
  size_t size_;
};

template <typename T>
T head_of(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// The sizes of a lexicon whose length and checksum are right.
LexiconSizes checked_sizes(std::string_view bytes, const std::string& where) {
  constexpr size_t kHead = Lexicon::kMagic.size() + sizeof(LexiconSizes), kTail = sizeof(uint32_t);
  if (!bytes.starts_with(Lexicon::kMagic)) {
    fail<ModelError>(where, ": is not a lexicon; make one with ventris-vocab lexicon");
  }
  const auto refuse = [&](const char* what) {
    fail<ModelError>(where, ": ", what, "; the lexicon is damaged: copy it again, or make it anew");
  };
  if (bytes.size() < kHead + kTail) refuse("ends too early");
  const auto sizes = head_of<LexiconSizes>(bytes.substr(Lexicon::kMagic.size()));
  if (sizes.version > Lexicon::kVersion) {
    fail<ModelError>(where, ": has format version ", sizes.version, ", but this program knows only version ",
                     Lexicon::kVersion, "; use a newer version of Ventris, or make the lexicon anew");
  }
  const size_t numbers = size_t{sizes.frequent} + sizes.tokenizers.source_vocab + sizes.pieces;
  if (bytes.size() != kHead + numbers * number_size(sizes.tokenizers) + kTail) refuse("has a wrong size");
  const size_t covered = bytes.size() - kTail;
  if (files::crc32(bytes.substr(0, covered)) != head_of<uint32_t>(bytes.substr(covered)))
    refuse("has a wrong checksum");
  return sizes;
}

}  // namespace

Lexicon::Lexicon(const LexiconTokenizers& tokenizers, std::vector<int32_t> frequent,
                 const std::vector<std::vector<int32_t>>& pieces)
    : tokenizers_(tokenizers), frequent_(std::move(frequent)) {
  for (const std::vector<int32_t>& ids : pieces) {
    pieces_.insert(pieces_.end(), ids.begin(), ids.end());
    ends_.push_back(pieces_.size());
  }
  const std::string wrong = problem();
  if (!wrong.empty()) throw std::invalid_argument("Lexicon: " + wrong);
}

/// What is inconsistent; "" = nothing.
std::string Lexicon::problem() const {
  if (ends_.size() != tokenizers_.source_vocab) return "not one list of pieces for each source id";
  const auto unknown = [this](int32_t id) { return id < 0 || static_cast<uint32_t>(id) >= tokenizers_.target_vocab; };
  if (std::ranges::any_of(frequent_, unknown) || std::ranges::any_of(pieces_, unknown)) {
    return "an id is outside the vocabulary";
  }
  for (size_t id = 0; id < ends_.size(); ++id) {
    const size_t begin = id == 0 ? 0 : ends_[id - 1];
    if (ends_[id] < begin || ends_[id] - begin > kMostPieces) return "a source id has too many pieces";
  }
  return !ends_.empty() && ends_.back() != pieces_.size() ? "the numbers of pieces do not add up" : "";
}

Lexicon Lexicon::parse(std::string_view bytes, const std::string& where) {
  const LexiconSizes sizes = checked_sizes(bytes, where);
  NumberReader numbers(bytes.substr(kMagic.size() + sizeof sizes), number_size(sizes.tokenizers));
  Lexicon lexicon;
  lexicon.tokenizers_ = sizes.tokenizers;
  for (uint32_t i = 0; i < sizes.frequent; ++i) lexicon.frequent_.push_back(static_cast<int32_t>(numbers.next()));
  size_t end = 0;
  for (uint32_t i = 0; i < sizes.tokenizers.source_vocab; ++i) lexicon.ends_.push_back(end += numbers.next());
  for (uint32_t i = 0; i < sizes.pieces; ++i) lexicon.pieces_.push_back(static_cast<int32_t>(numbers.next()));
  const std::string wrong = lexicon.problem();
  if (!wrong.empty()) fail<ModelError>(where, ": ", wrong, "; make the lexicon anew with ventris-vocab lexicon");
  return lexicon;
}

Lexicon Lexicon::from_file(const std::string& path) { return parse(files::read_plain_file(path), path); }

std::string Lexicon::bytes() const {
  std::string bytes(kMagic);
  append(bytes, LexiconSizes{kVersion, tokenizers_, static_cast<uint32_t>(frequent_.size()),
                             static_cast<uint32_t>(pieces_.size())});
  const size_t size = number_size(tokenizers_);
  const auto add = [&](size_t number) {
    size == 2 ? append(bytes, static_cast<uint16_t>(number)) : append(bytes, static_cast<uint32_t>(number));
  };
  for (const int32_t id : frequent_) add(static_cast<size_t>(id));
  for (size_t id = 0; id < ends_.size(); ++id) add(pieces(static_cast<int32_t>(id)).size());
  for (const int32_t id : pieces_) add(static_cast<size_t>(id));
  append(bytes, files::crc32(bytes));
  return bytes;
}

std::span<const int32_t> Lexicon::pieces(int32_t source) const {
  const auto at = static_cast<size_t>(source);
  const size_t begin = at == 0 ? 0 : ends_.at(at - 1);
  return std::span(pieces_).subspan(begin, ends_.at(at) - begin);
}

void Lexicon::check_tokenizers(const LexiconTokenizers& of_model, const std::string& where,
                               const std::string& model) const {
  if (tokenizers_ == of_model) return;
  const auto sides = [](const LexiconTokenizers& sizes) {
    return std::to_string(sizes.source_vocab) + " source and " + std::to_string(sizes.target_vocab) + " target pieces";
  };
  const bool sizes =
      tokenizers_.source_vocab == of_model.source_vocab && tokenizers_.target_vocab == of_model.target_vocab;
  fail<ModelError>(where, ": was made for other tokenizers (", sides(tokenizers_), ") than those of ", model, " (",
                   sizes ? "other pieces" : sides(of_model),
                   "); make a lexicon for this model with ventris-vocab lexicon");
}

LexiconTokenizers lexicon_tokenizers(std::string_view source, int64_t source_vocab, std::string_view target,
                                     int64_t target_vocab) {
  return {static_cast<uint32_t>(source_vocab), static_cast<uint32_t>(target_vocab), files::crc32(source),
          files::crc32(target)};
}

Lexicon lexicon_of(const Package& package, const std::string& path) {
  Lexicon lexicon = Lexicon::from_file(path);
  const architecture::Architecture& shape = *package.config.architecture;
  lexicon.check_tokenizers(
      lexicon_tokenizers(package.source_spm, shape.src_vocab(), package.target_spm, shape.tgt_vocab()), path,
      package.path);
  return lexicon;
}

}  // namespace ventris::model
