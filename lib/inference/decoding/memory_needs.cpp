#include "decoding/memory_needs.h"

#include <algorithm>

namespace ventris::decoding {
namespace {

constexpr int64_t kBytesOfPlace = 64;         // of the search: its tokens so far and the penalties on the next one
constexpr int64_t kBytesOfResult = 128;       // ids, log-probabilities and pieces, which are texts
constexpr int64_t kBytesOfRow = 1024;         // of the search, and its part of a request
constexpr int64_t kBytesOfSearch = 4 << 20;   // continuations of the widest beam

}  // namespace

Load Load::of(int64_t rows, int64_t source, int64_t target, int64_t results) {
  return {1, rows, source, rows * source, rows * target, results * target, source, target};
}

Load Load::plus(const Load& other) const {
  return {sentences + other.sentences,
          rows + other.rows,
          source_tokens + other.source_tokens,
          source_places + other.source_places,
          places + other.places,
          results + other.results,
          std::max(longest_source, other.longest_source),
          std::max(longest_target, other.longest_target)};
}

Load Load::covering(const Load& other) const {
  return {std::max(sentences, other.sentences),
          std::max(rows, other.rows),
          std::max(source_tokens, other.source_tokens),
          std::max(source_places, other.source_places),
          std::max(places, other.places),
          std::max(results, other.results),
          std::max(longest_source, other.longest_source),
          std::max(longest_target, other.longest_target)};
}

MemoryNeeds MemoryNeeds::plus(const MemoryNeeds& other) const {
  MemoryNeeds both = *this;
  for (int64_t MemoryNeeds::* field :
       {&MemoryNeeds::fixed, &MemoryNeeds::sentence, &MemoryNeeds::source_token, &MemoryNeeds::source_place,
        &MemoryNeeds::place, &MemoryNeeds::searched, &MemoryNeeds::result, &MemoryNeeds::row, &MemoryNeeds::table,
        &MemoryNeeds::longest, &MemoryNeeds::weight, &MemoryNeeds::encoded_token, &MemoryNeeds::encoded_weight}) {
    both.*field += other.*field;
  }
  const bool limited = encoded_together > 0 && other.encoded_together > 0;
  both.encoded_together = limited ? std::max(encoded_together, other.encoded_together) : 0;
  both.pads_sources = pads_sources || other.pads_sources;
  both.pads_targets = pads_targets || other.pads_targets;
  both.one_row = one_row && other.one_row;
  return both;
}

int64_t bytes_for(const MemoryNeeds& needs, const Load& load) {
  const int64_t hypotheses = needs.one_row && load.sentences > 0 ? load.rows / load.sentences : 1;
  const int64_t rows = load.rows / hypotheses;
  const int64_t sources = needs.pads_sources ? load.sentences * load.longest_source : load.source_tokens;
  const int64_t source_places = needs.pads_sources ? rows * load.longest_source : load.source_places / hypotheses;
  const int64_t places = needs.pads_targets ? rows * load.longest_target : load.places / hypotheses;
  const int64_t longest = std::max(load.longest_source, load.longest_target);
  const int64_t encoded = std::max(std::min(needs.encoded_together, sources), load.longest_source);
  const int64_t weights =
      std::min(encoded * load.longest_source, std::max(kWeightsAtOnce, load.longest_source * load.longest_source));
  return needs.fixed + needs.sentence * load.sentences + needs.source_token * sources +
         needs.source_place * source_places + needs.searched * load.source_places + needs.place * places +
         needs.result * load.results + needs.row * rows + needs.longest * load.longest_target +
         needs.table * rows * load.longest_target + needs.weight * places * longest + needs.encoded_token * encoded +
         needs.encoded_weight * weights;
}

MemoryNeeds with_search(MemoryNeeds needs) {
  needs.fixed += kBytesOfSearch;
  needs.place += kBytesOfPlace;
  needs.row += kBytesOfRow;
  needs.result += kBytesOfResult;
  return needs;
}

bool fits(const Load& load, const MemoryNeeds& needs, const DecodeLimits& limits) {
  const int64_t tokens = needs.pads_sources ? load.sentences * load.longest_source : load.source_tokens;
  return load.sentences <= limits.sentences && tokens <= limits.tokens && load.rows <= limits.rows &&
         bytes_for(needs, load) <= limits.bytes;
}

int64_t longest_within(int64_t bytes, const MemoryNeeds& needs, int64_t rows, int64_t results, int64_t model_max) {
  int64_t known = 0, above = model_max + 1;  // known fits, above does not
  while (above - known > 1) {
    const int64_t length = known + (above - known) / 2;
    const bool enough = bytes_for(needs, Load::of(rows, length, length, results)) <= bytes;
    (enough ? known : above) = length;
  }
  return known;
}

}  // namespace ventris::decoding
