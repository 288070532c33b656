#include "imports/marian_shortlist.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/special_ids.h"

namespace ventris::imports {
namespace {

constexpr uint64_t kMagicOfShortlist = 0xF11A48D5013417F5;

struct ShortlistHead {
  uint64_t magic = 0;
  uint64_t checksum = 0;  // of all numbers that follow, as 64 bits each
  uint64_t first = 0;     // so many rows are in every shortlist
  uint64_t best = 0;
  uint64_t words = 0;   // offsets of the words of the source, perhaps with one more for the end
  uint64_t pieces = 0;  // ids, in 32 bits, of all words
};

template <typename Number>
std::vector<Number> numbers_in(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// The checksum of Bergamot, which is boost's hash_combine.
uint64_t checksum_of(std::string_view bytes) {
  uint64_t sum = 0;
  for (const uint64_t number : numbers_in<uint64_t>(bytes)) sum ^= number + 0x9e3779b9 + (sum << 6U) + (sum >> 2U);
  return sum;
}

class MarianShortlist {
 public:
  MarianShortlist(std::string_view bytes, const std::string& where, const Sides& sides, const model::Package& package)
      : bytes_(bytes), where_(where), sides_(sides), package_(package) {}

  model::Lexicon run() {
    read_numbers();
    const std::vector<int32_t> ids = new_ids();
    std::vector<int32_t> frequent;
    for (uint64_t row = 0; row < std::min<uint64_t>(head_.first, ids.size()); ++row) {
      if (ids[row] >= 0) frequent.push_back(ids[row]);
    }
    std::vector<std::vector<int32_t>> pieces;
    for (const int64_t row : sides_.source.rows) pieces.push_back(pieces_of(row, ids));
    take_frequent(pieces.at(static_cast<size_t>(core::SpecialIds().eos)), frequent);
    const auto source = static_cast<int64_t>(sides_.source.rows.size()),
               target = static_cast<int64_t>(sides_.target.rows.size());
    return {model::lexicon_tokenizers(package_.source_spm, source, package_.target_spm, target), std::move(frequent),
            pieces};
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    fail<ModelError>(where_, ": damaged, or no binary shortlist of Bergamot: ", what);
  }

  void read_numbers() {
    if (bytes_.size() < sizeof head_) damaged("it ends too early");
    std::memcpy(&head_, bytes_.data(), sizeof head_);
    if (head_.magic != kMagicOfShortlist) damaged("it does not begin like one");
    std::string_view rest = bytes_.substr(sizeof head_);
    const uint64_t most = rest.size();
    if (head_.words > most / 8 || head_.pieces > most / 4 || head_.words * 8 + head_.pieces * 4 != most) {
      damaged("it has another size than it says");
    }
    if (checksum_of(bytes_.substr(offsetof(ShortlistHead, first))) != head_.checksum)
      damaged("it has a wrong checksum");
    const auto rows = static_cast<uint64_t>(sides_.source_rows);
    if (head_.words != rows && head_.words != rows + 1) {
      fail<ModelError>(where_, ": expected lists for the ", rows, " tokens of the source, found ", head_.words,
                       "; it is of another model");
    }
    begins_ = numbers_in<uint64_t>(rest.substr(0, head_.words * 8));
    rows_ = numbers_in<uint32_t>(rest.substr(head_.words * 8));
    if (begins_.size() == rows) begins_.push_back(rows_.size());
    if (!std::ranges::is_sorted(begins_) || begins_.back() > rows_.size()) damaged("its lists overlap");
  }

  /// A list of </s> that is longer than lists are has the frequent tokens, as ventris-export writes them
  /// (exports/shortlist_file.h).
  void take_frequent(std::vector<int32_t>& of_end, std::vector<int32_t>& frequent) const {
    if (of_end.size() > head_.best) frequent = std::exchange(of_end, {});
  }

  /// The new id of each row of the target; -1 = there is none.
  std::vector<int32_t> new_ids() const {
    std::vector<int32_t> ids(static_cast<size_t>(sides_.target_rows), -1);
    for (int64_t id = 0; id < sides_.target.own_rows; ++id) {
      const int64_t row = sides_.target.rows[static_cast<size_t>(id)];
      if (row >= 0) ids[static_cast<size_t>(row)] = static_cast<int32_t>(id);
    }
    return ids;
  }

  std::vector<int32_t> pieces_of(int64_t row, const std::vector<int32_t>& ids) const {
    if (row < 0) return {};
    const uint64_t begin = begins_[static_cast<size_t>(row)], end = begins_[static_cast<size_t>(row) + 1];
    if (end - begin > model::Lexicon::kMostPieces) {
      damaged("token " + std::to_string(row) + " has " + std::to_string(end - begin) +
              " translations; expected at most " + std::to_string(model::Lexicon::kMostPieces));
    }
    std::vector<int32_t> pieces;
    for (const uint32_t piece : std::span(rows_).subspan(begin, end - begin)) {
      if (piece >= ids.size()) {
        fail<ModelError>(where_, ": expected target tokens under ", ids.size(), ", found ", piece,
                         "; it is damaged, or of another model");
      }
      if (ids[piece] >= 0) pieces.push_back(ids[piece]);
    }
    return pieces;
  }

  std::string_view bytes_;
  const std::string& where_;
  const Sides& sides_;
  const model::Package& package_;
  ShortlistHead head_;
  std::vector<uint64_t> begins_;  // of the list of each word, and the end of the last
  std::vector<uint32_t> rows_;
};

}  // namespace

model::Lexicon read_marian_shortlist(std::string_view bytes, const std::string& where, const Sides& sides,
                                     const model::Package& package) {
  return MarianShortlist(bytes, where, sides, package).run();
}

}  // namespace ventris::imports
