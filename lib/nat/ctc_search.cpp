#include "nat/ctc_search.h"

#include <algorithm>
#include <stdexcept>

#include "nat/log_add.h"

namespace ventris::nat {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr int32_t kNoToken = -1;

/// A prefix of translations: that of its parent and one more token. Prefixes with the same tokens are the same node.
struct Prefix {
  size_t parent = kNone;
  int32_t token = kNoToken;     // of the empty prefix
  size_t child = kNone;         // the first one
  size_t sibling = kNone;       // the next child of the parent
  size_t place = kNone;         // in the beam
};

/// A prefix in the beam, with the log-probability of its paths up to a position, by their last symbol.
struct Kept {
  size_t prefix = 0;
  double at_blank = kImpossible, at_token = kImpossible;
  double next_at_blank = kImpossible, next_at_token = kImpossible;  // after the next position

  double total() const { return log_add(at_blank, at_token); }
};

/// A prefix that may be in the beam after the next position.
struct Extension {
  size_t from = 0;                // place in the beam
  int32_t token = kNoToken;       // kNoToken = the prefix itself
  double total = kImpossible;
};

class PrefixSearch {
 public:
  PrefixSearch(int32_t blank, size_t beam) : blank_(blank), beam_(beam) {
    prefixes_.push_back({.place = 0});
    kept_.push_back({.prefix = 0, .at_blank = 0});
  }

  /// Goes on by a position.
  void add(std::span<const int32_t> symbols, std::span<const float> log_probs);
  std::vector<std::vector<int32_t>> translations() const;

 private:
  void stay(std::span<const int32_t> symbols, std::span<const float> log_probs);
  void extend(size_t place, int32_t token, double log_prob);
  void choose();
  size_t child_of(size_t prefix, int32_t token) const;
  size_t make_child(size_t prefix, int32_t token);

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
    kept.next_at_blank = kept.next_at_token = kImpossible;
    for (size_t i = 0; i < symbols.size(); ++i) {
      const auto log_prob = static_cast<double>(log_probs[i]);
      if (log_prob == kImpossible) continue;
      if (symbols[i] == blank_) kept.next_at_blank = kept.total() + log_prob;
      if (symbols[i] == last) kept.next_at_token = kept.at_token + log_prob;
    }
  }
}

/// The paths that write one more token. If it is the last one again, a blank must stand between the two.
void PrefixSearch::extend(size_t place, int32_t token, double log_prob) {
  const Kept& from = kept_[place];
  const double before = prefixes_[from.prefix].token == token ? from.at_blank : from.total();
  if (before == kImpossible || log_prob == kImpossible) return;
  const size_t child = child_of(from.prefix, token);
  if (child != kNone && prefixes_[child].place != kNone) {
    double& other = kept_[prefixes_[child].place].next_at_token;
    other = log_add(other, before + log_prob);
  } else {
    extensions_.push_back({place, token, before + log_prob});
  }
}

/// Makes the best prefixes the beam.
void PrefixSearch::choose() {
  for (size_t place = 0; place < kept_.size(); ++place) {
    const Kept& kept = kept_[place];
    extensions_.push_back({place, kNoToken, log_add(kept.next_at_blank, kept.next_at_token)});
  }
  std::ranges::stable_sort(extensions_, [](const Extension& a, const Extension& b) {
    return a.total != b.total ? a.total > b.total : a.from < b.from;
  });
  std::erase_if(extensions_, [](const Extension& extension) { return extension.total == kImpossible; });
  extensions_.resize(std::min(extensions_.size(), beam_));
  for (const Kept& kept : kept_) prefixes_[kept.prefix].place = kNone;
  std::vector<Kept> chosen;
  for (const auto& [from, token, total] : extensions_) {
    const Kept& kept = kept_[from];
    if (token == kNoToken) {
      chosen.push_back({.prefix = kept.prefix, .at_blank = kept.next_at_blank, .at_token = kept.next_at_token});
    } else {
      chosen.push_back({.prefix = make_child(kept.prefix, token), .at_token = total});
    }
    prefixes_[chosen.back().prefix].place = chosen.size() - 1;
  }
  kept_ = std::move(chosen);
}

size_t PrefixSearch::child_of(size_t prefix, int32_t token) const {
  size_t child = prefixes_[prefix].child;
  while (child != kNone && prefixes_[child].token != token) child = prefixes_[child].sibling;
  return child;
}

size_t PrefixSearch::make_child(size_t prefix, int32_t token) {
  if (const size_t child = child_of(prefix, token); child != kNone) return child;
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
    search.add(symbols.subspan(first, count), log_probs.subspan(first, count));
  }
  return search.translations();
}

}  // namespace ventris::nat
