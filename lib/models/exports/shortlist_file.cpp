#include "exports/shortlist_file.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/special_ids.h"
#include "exports/little_endian.h"
#include "exports/marian_parameters.h"

namespace ventris::exports {
namespace {

constexpr uint64_t kMagic = 0xF11A48D5013417F5;
constexpr uint64_t kLeastFirst = 2;  // </s> and <unk>

/// The checksum of Bergamot, which is boost's hash_combine, over whole numbers of 64 bits.
uint64_t checksum_of(const std::string& bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t number = 0;
    std::memcpy(&number, bytes.data() + i, sizeof number);
    sum ^= number + 0x9e3779b9 + (sum << 6U) + (sum >> 2U);
  }
  return sum;
}

class ShortlistWriter {
 public:
  ShortlistWriter(const model::Lexicon& lexicon, const ShortlistSizes& sizes, int64_t multiple)
      : lexicon_(lexicon),
        best_(static_cast<size_t>(sizes.best)),
        sources_(marian_order(lexicon.tokenizers().source_vocab, multiple)),
        targets_(marian_order(lexicon.tokenizers().target_vocab, multiple)),
        rows_(lexicon.tokenizers().target_vocab, -1) {
    for (size_t row = 0; row < targets_.size(); ++row) {
      if (targets_[row] != kFillerRow) rows_[static_cast<size_t>(targets_[row])] = static_cast<int64_t>(row);
    }
    const auto count = std::min(lexicon.frequent().size(), static_cast<size_t>(sizes.first));
    add_frequent(lexicon.frequent().first(count));
  }

  std::string file() {
    std::string offsets, ids;
    for (const int64_t source : sources_) {
      append(offsets, uint64_t{ids.size() / sizeof(uint32_t)});
      for (const uint32_t row : list_of(source)) append(ids, row);
    }
    append(offsets, uint64_t{ids.size() / sizeof(uint32_t)});
    std::string rest;
    append(rest, first_);
    append(rest, uint64_t{best_});
    append(rest, uint64_t{offsets.size() / sizeof(uint64_t)});
    append(rest, uint64_t{ids.size() / sizeof(uint32_t)});
    rest += offsets + ids;
    std::string bytes;
    append(bytes, kMagic);
    append(bytes, checksum_of(rest));
    return bytes + rest;
  }

 private:
  /// Frequent ids are the first rows, or translations of </s>.
  void add_frequent(std::span<const int32_t> frequent) {
    const bool first_rows = frequent.size() >= kLeastFirst && frequent.size() <= targets_.size() &&
                            std::equal(frequent.begin(), frequent.end(), targets_.begin());
    first_ = first_rows ? frequent.size() : kLeastFirst;
    if (first_rows) return;
    of_end_ = rows_of(frequent);
    std::erase_if(of_end_, [](uint32_t row) { return row < kLeastFirst; });
  }
  /// Without those that Marian does not have.
  std::vector<uint32_t> rows_of(std::span<const int32_t> ids) const {
    std::vector<uint32_t> rows;
    for (const int32_t id : ids) {
      if (const int64_t row = rows_[static_cast<size_t>(id)]; row >= 0) rows.push_back(static_cast<uint32_t>(row));
    }
    return rows;
  }
  /// In ascending order, as Bergamot writes them.
  std::vector<uint32_t> list_of(int64_t source) const {
    if (source == kFillerRow) return {};
    const std::span<const int32_t> pieces = lexicon_.pieces(static_cast<int32_t>(source));
    const bool frequent = source == core::SpecialIds().eos && !of_end_.empty();
    std::vector<uint32_t> list = frequent ? of_end_ : rows_of(pieces.first(std::min(best_, pieces.size())));
    list.resize(std::min(list.size(), model::Lexicon::kMostPieces));
    std::ranges::sort(list);
    return list;
  }

  const model::Lexicon& lexicon_;
  size_t best_;
  std::vector<int64_t> sources_, targets_;  // the id of each row
  std::vector<int64_t> rows_;               // the row of each target id; -1 = there is none
  uint64_t first_ = kLeastFirst;            // so many rows are in every shortlist
  std::vector<uint32_t> of_end_;
};

}  // namespace

std::string marian_shortlist(const model::Lexicon& lexicon, const ShortlistSizes& sizes, int64_t multiple) {
  return ShortlistWriter(lexicon, sizes, multiple).file();
}

}  // namespace ventris::exports
