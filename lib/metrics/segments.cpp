#include "metrics/segments.h"

#include <stdexcept>

namespace ventris::metrics {

void for_each_segment(const std::vector<std::string>& hypotheses, const References& references,
                      const std::function<void(const std::vector<const std::string*>&)>& work) {
  if (references.empty()) throw std::invalid_argument("metrics: no references");
  for (const auto& column : references) {
    if (column.size() == hypotheses.size()) continue;
    throw std::invalid_argument("metrics: " + std::to_string(hypotheses.size()) + " hypotheses, but " +
                                std::to_string(column.size()) + " references");
  }
  std::vector<const std::string*> lines(references.size() + 1);
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    lines[0] = &hypotheses[i];
    for (size_t r = 0; r < references.size(); ++r) lines[r + 1] = &references[r][i];
    work(lines);
  }
}

}  // namespace ventris::metrics
