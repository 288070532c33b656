#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ventris::metrics {

/// `references[r][i]` is the r-th reference of hypothesis i.
using References = std::vector<std::vector<std::string>>;

/// Calls `work` for every hypothesis with it and then its references.
/// Throws std::invalid_argument without references, or if their counts differ from the hypotheses'.
void for_each_segment(const std::vector<std::string>& hypotheses, const References& references,
                      const std::function<void(const std::vector<const std::string*>&)>& work);

}  // namespace ventris::metrics
