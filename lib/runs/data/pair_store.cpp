#include "data/pair_store.h"

#include <algorithm>
#include <stdexcept>

#include "core/error.h"
#include "files/files.h"

namespace ventris::data {
namespace {

template <typename T>
void extend(uint32_t& crc, const T* values, size_t count) {
  crc = files::crc32({reinterpret_cast<const char*>(values), count * sizeof(T)}, crc);
}

void extend(uint32_t& crc, const std::string& text) {
  const uint64_t size = text.size();
  extend(crc, &size, 1);
  extend(crc, text.data(), text.size());
}

}  // namespace

void StoreSummary::add(const SentencePair& pair) {
  if (parts.empty()) begin_part(0);
  if (pairs() >= kMostPairs) fail<DataError>("the corpora have more than ", kMostPairs, " pairs; train on fewer pairs");
  parts.back().pairs += 1;
  source_tokens += static_cast<int64_t>(pair.source.size());
  target_tokens += static_cast<int64_t>(pair.target.size());
  longest = std::max(longest, static_cast<uint32_t>(std::max(pair.source.size(), pair.target.size())));
  weighted = weighted || pair.weight != 1;
  has_text = has_text || !pair.source_text.empty();
  extend(source_crc, pair.source.data(), pair.source.size());
  extend(target_crc, pair.target.data(), pair.target.size());
  extend(source_ends_crc, &source_tokens, 1);
  extend(target_ends_crc, &target_tokens, 1);
  extend(weights_crc, &pair.weight, 1);
  extend(text_crc, pair.source_text);
  extend(text_crc, pair.target_text);
  links += static_cast<int64_t>(pair.links.size());
  extend(links_crc, &links, 1);
  extend(links_crc, pair.links.data(), pair.links.size());
  preceding += pair.preceding;
  extend(preceding_crc, &pair.preceding, 1);
}

uint64_t StoreSummary::pairs() const {
  uint64_t sum = 0;
  for (const CorpusPart& part : parts) sum += part.pairs;
  return sum;
}

PairPlace StoreSummary::place_of(uint64_t pair) const {
  uint64_t end = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    end += parts[i].pairs;
    if (pair < end) return {i, parts[i].tag_tokens, end};
  }
  throw std::out_of_range("StoreSummary: no such pair");
}

uint32_t StoreSummary::checksum() const {
  std::string sums;
  for (const uint32_t crc : {source_crc, target_crc, source_ends_crc, target_ends_crc}) {
    sums += std::to_string(crc) + " ";
  }
  if (weighted) sums += std::to_string(weights_crc) + " ";
  if (has_text) sums += std::to_string(text_crc) + " ";
  if (links > 0) sums += std::to_string(links_crc) + " ";
  if (preceding > 0) sums += std::to_string(preceding_crc) + " ";
  for (size_t i = 0; parts.size() > 1 && i < parts.size(); ++i) sums += std::to_string(parts[i].pairs) + " ";
  return files::crc32(sums);
}

}  // namespace ventris::data
