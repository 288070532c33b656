#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ventris::metrics {

/// Calls `work` for every hypothesis with it and then its references: `references[r][i]` is the r-th of hypothesis i.
/// Throws std::invalid_argument without references, or if their counts differ from the hypotheses'.
void for_each_segment(const std::vector<std::string>& hypotheses, const std::vector<std::vector<std::string>>& references,
                      const std::function<void(const std::vector<const std::string*>&)>& work);

}  // namespace ventris::metrics
