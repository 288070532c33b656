#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ventris::metrics {

/// `references[r][i]` is the r-th reference of hypothesis i.
using References = std::vector<std::vector<std::string>>;

/// The references of one segment as References.
References columns_of(const std::vector<std::string>& references);

/// Calls work(segment, worker, lines) for every hypothesis, with it and then its references as `lines`, on so many
/// threads (worker < threads), in no particular order.
/// Throws std::invalid_argument without references, or if their counts differ from the hypotheses'.
void for_each_segment(
    const std::vector<std::string>& hypotheses, const References& references, int threads,
    const std::function<void(size_t segment, int worker, const std::vector<const std::string*>& lines)>& work);

}  // namespace ventris::metrics
