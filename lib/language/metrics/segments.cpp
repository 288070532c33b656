#include "metrics/segments.h"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.h"

namespace ventris::metrics {

References columns_of(const std::vector<std::string>& references) {
  References columns;
  for (const std::string& reference : references) columns.push_back({reference});
  return columns;
}

void for_each_segment(
    const std::vector<std::string>& hypotheses, const References& references, int threads,
    const std::function<void(size_t segment, int worker, const std::vector<const std::string*>& lines)>& work) {
  constexpr size_t kAtOnce = 64;  // segments that a thread takes at once, so that threads seldom wait for each other
  if (references.empty()) throw std::invalid_argument("metrics: no references");
  for (const auto& column : references) {
    if (column.size() == hypotheses.size()) continue;
    throw std::invalid_argument("metrics: " + std::to_string(hypotheses.size()) + " hypotheses, but " +
                                std::to_string(column.size()) + " references");
  }
  core::parallel_for((hypotheses.size() + kAtOnce - 1) / kAtOnce, threads, [&](size_t block, int worker) {
    std::vector<const std::string*> lines(references.size() + 1);
    const size_t end = std::min(hypotheses.size(), (block + 1) * kAtOnce);
    for (size_t i = block * kAtOnce; i < end; ++i) {
      lines[0] = &hypotheses[i];
      for (size_t r = 0; r < references.size(); ++r) lines[r + 1] = &references[r][i];
      work(i, worker, lines);
    }
  });
}

}  // namespace ventris::metrics
