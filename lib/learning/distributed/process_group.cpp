#include "distributed/process_group.h"

#include "core/error.h"
#include "distributed/gloo_group.h"

namespace ventris::distributed {
namespace {

constexpr size_t kProblemLength = 1000;

}  // namespace

std::unique_ptr<ProcessGroup::Sum> SingleProcess::start_sum(torch::Tensor) {
  struct Done final : Sum {
    void wait() override {}
  };
  return std::make_unique<Done>();
}

void fail_together(ProcessGroup& group, const std::string& problem) {
  std::string padded = problem;
  padded.resize(kProblemLength);
  for (const std::string& found : group.gather(padded)) {
    if (found.front() != '\0') fail<ConfigError>(found.c_str());
  }
}

std::unique_ptr<ProcessGroup> join_processes(const Ranks& ranks) {
  if (ranks.size == 1) return std::make_unique<SingleProcess>();
#ifdef VENTRIS_GLOO
  return join_with_gloo(ranks);
#else
  fail<ConfigError>("WORLD_SIZE: is ", ranks.size, ", but this ventris-train was built without distributed training; ",
                    "install libgloo-dev and build it again, or unset WORLD_SIZE");
#endif
}

}  // namespace ventris::distributed
