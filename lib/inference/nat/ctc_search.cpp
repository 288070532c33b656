#include "nat/ctc_search.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/process.h"
#include "nat/log_add.h"

namespace ventris::nat {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr int32_t kNoToken = -1;

/// A prefix of translations: that of its parent and one more token. Prefixes with the same tokens are the same node.
struct Prefix {
  size_t parent = kNone;
  int32_t token = kNoToken;  // of the empty prefix
  size_t child = kNone;      // the first one
  size_t sibling = kNone;    // the next child of the parent
  size_t place = kNone;      // in the beam
};

/// A prefix in the beam, with the log-probability of its paths up to a position, by their last symbol.
struct Kept {
  size_t prefix = 0;
  double at_blank = kImpossible, at_token = kImpossible, total = kImpossible;
  double next_at_blank = kImpossible, next_at_token = kImpossible;  // after the next position
  size_t child = kNone, sibling = kNone;  // places of the first child and of the next child of the parent, in the beam
};

/// A prefix that may be in the beam after the next position.
struct Extension {
  size_t from = 0;  // place in the beam
  int32_t token = kNoToken;  // kNoToken = the prefix itself
  double total = kImpossible;
  size_t number = 0;
};

class PrefixSearch {
 public:
  PrefixSearch(int32_t blank, size_t beam) : blank_(blank), beam_(beam) {
    prefixes_.push_back({.place = 0});
    kept_.push_back({.prefix = 0, .at_blank = 0, .total = 0});
  }

  /// Goes on by a position.
  void add(std::span<const int32_t> symbols, std::span<const float> log_probs);
  std::vector<std::vector<int32_t>> translations() const;

 private:
  void stay(std::span<const int32_t> symbols, std::span<const float> log_probs);
  void extend(size_t place, int32_t token, double log_prob);
  void offer(size_t from, int32_t token, double total);
  void choose();
  void keep(const std::vector<Extension>& chosen);
  size_t child_of(size_t prefix, int32_t token);

  int32_t blank_;
  size_t beam_;
  std::vector<Prefix> prefixes_;
  std::vector<Kept> kept_;  // best first
  std::vector<Extension> extensions_;
};

void PrefixSearch::add(std::span<const int32_t> symbols, std::span<const float> log_probs) {
  extensions_.clear();
  stay(symbols, log_probs);
  for (size_t place = 0; place < kept_.size(); ++place) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i] != blank_) extend(place, symbols[i], static_cast<double>(log_probs[i]));
    }
  }
  choose();
}

/// The paths that write nothing more: by a blank, or by the last token once more.
void PrefixSearch::stay(std::span<const int32_t> symbols, std::span<const float> log_probs) {
  for (Kept& kept : kept_) {
    const int32_t last = prefixes_[kept.prefix].token;
    for (size_t i = 0; i < symbols.size(); ++i) {
      const auto log_prob = static_cast<double>(log_probs[i]);
      if (log_prob == kImpossible) continue;
      if (symbols[i] == blank_) kept.next_at_blank = kept.total + log_prob;
      if (symbols[i] == last) kept.next_at_token = kept.at_token + log_prob;
    }
  }
}

/// The paths that write one more token. If it is the last one again, a blank must stand between the two.
void PrefixSearch::extend(size_t place, int32_t token, double log_prob) {
  const Kept& from = kept_[place];
  const double before = prefixes_[from.prefix].token == token ? from.at_blank : from.total;
  size_t child = from.child;
  while (child != kNone && prefixes_[kept_[child].prefix].token != token) child = kept_[child].sibling;
  if (child == kNone) {
    offer(place, token, before + log_prob);
  } else {
    kept_[child].next_at_token = log_add(kept_[child].next_at_token, before + log_prob);
  }
}

void PrefixSearch::offer(size_t from, int32_t token, double total) {
  if (total != kImpossible) extensions_.push_back({from, token, total, extensions_.size()});
}

/// Makes the best prefixes the beam.
void PrefixSearch::choose() {
  for (size_t place = 0; place < kept_.size(); ++place) {
    offer(place, kNoToken, log_add(kept_[place].next_at_blank, kept_[place].next_at_token));
  }
  const auto better = [](const Extension& a, const Extension& b) {
    if (a.total != b.total) return a.total > b.total;
    return a.from != b.from ? a.from < b.from : a.number < b.number;
  };
  const size_t count = std::min(extensions_.size(), beam_);
  std::ranges::partial_sort(extensions_, extensions_.begin() + static_cast<int64_t>(count), better);
  extensions_.resize(count);
  keep(extensions_);
}

void PrefixSearch::keep(const std::vector<Extension>& chosen) {
  for (const Kept& kept : kept_) prefixes_[kept.prefix].place = kNone;
  std::vector<Kept> next;
  for (const auto& [from, token, total, number] : chosen) {
    const Kept& kept = kept_[from];
    if (token == kNoToken) {
      next.push_back({kept.prefix, kept.next_at_blank, kept.next_at_token, total});
    } else {
      next.push_back({.prefix = child_of(kept.prefix, token), .at_token = total, .total = total});
    }
    prefixes_[next.back().prefix].place = next.size() - 1;
  }
  for (size_t place = 0; place < next.size(); ++place) {
    const size_t parent = prefixes_[next[place].prefix].parent;
    if (parent == kNone || prefixes_[parent].place == kNone) continue;
    next[place].sibling = std::exchange(next[prefixes_[parent].place].child, place);
  }
  kept_ = std::move(next);
}

/// The child of a prefix with this token. It is made if there is none.
size_t PrefixSearch::child_of(size_t prefix, int32_t token) {
  size_t child = prefixes_[prefix].child;
  while (child != kNone && prefixes_[child].token != token) child = prefixes_[child].sibling;
  if (child != kNone) return child;
  prefixes_.push_back({.parent = prefix, .token = token, .sibling = prefixes_[prefix].child});
  return prefixes_[prefix].child = prefixes_.size() - 1;
}

std::vector<std::vector<int32_t>> PrefixSearch::translations() const {
  std::vector<std::vector<int32_t>> found;
  for (const Kept& kept : kept_) {
    std::vector<int32_t>& ids = found.emplace_back();
    for (size_t at = kept.prefix; prefixes_[at].parent != kNone; at = prefixes_[at].parent) {
      ids.push_back(prefixes_[at].token);
    }
    std::ranges::reverse(ids);
  }
  return found;
}

}  // namespace

std::vector<std::vector<int32_t>> ctc_prefix_search(std::span<const int32_t> symbols, std::span<const float> log_probs,
                                                    size_t count, int32_t blank, size_t beam) {
  if (count == 0 || beam == 0 || symbols.size() != log_probs.size() || symbols.size() % count != 0) {
    throw std::invalid_argument("ctc_prefix_search: sizes do not fit");
  }
  PrefixSearch search(blank, beam);
  for (size_t first = 0; first < symbols.size(); first += count) {
    core::throw_if_stopped("decoding");
    search.add(symbols.subspan(first, count), log_probs.subspan(first, count));
  }
  return search.translations();
}

}  // namespace ventris::nat
