#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ventris::metrics {

/// `references[r][i]` is the r-th reference of hypothesis i.
using References = std::vector<std::vector<std::string>>;

/// Turns the references of one segment into References.
References columns_of(const std::vector<std::string>& references);

/// Calls work(segment, worker, lines) for every segment, in any order, on `threads` threads (worker < threads). `lines`
/// has the hypothesis, then its references.
/// Throws std::invalid_argument if there are no references or not as many as hypotheses.
void for_each_segment(
    const std::vector<std::string>& hypotheses, const References& references, int threads,
    const std::function<void(size_t segment, int worker, const std::vector<const std::string*>& lines)>& work);

}  // namespace ventris::metrics
