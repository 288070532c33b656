#include "core/resources.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <fstream>
#include <new>
#include <sstream>
#include <string_view>

#include "core/human.h"

namespace ventris::core {
namespace {

std::optional<rlim_t> limit_of(__rlimit_resource kind) {
  rlimit limit{};
  if (getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

/// The limit of processes and threads of the control group of this process, such as a container's; empty = none.
std::string limit_of_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t controllers = line.find(':'), path = line.find(':', controllers + 1);
    if (path == std::string::npos) continue;
    const std::string kinds = line.substr(controllers + 1, path - controllers - 1);
    if (!kinds.empty() && kinds.find("pids") == std::string::npos) continue;
    const std::string root = kinds.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    for (const std::string& folder : {root + line.substr(path + 1), root}) {
      std::ifstream file(folder + "/pids.max");
      std::string most;
      if (file >> most && most != "max") return most;
    }
  }
  return "";
}

std::string limits() {
  std::string all;
  const auto add = [&all](const std::string& limit) { all += (all.empty() ? "" : ", ") + limit; };
  if (const auto most = limit_of(RLIMIT_NPROC)) {
    add(grouped(static_cast<int64_t>(*most)) + " processes and threads of one user (ulimit -u)");
  }
  if (const std::string most = limit_of_group(); !most.empty()) {
    add(most + " processes and threads of the control group (pids.max)");
  }
  if (const auto most = limit_of(RLIMIT_AS)) add(size_text(*most) + " of addresses for this process (ulimit -v)");
  return all.empty() ? "those of the whole system" : all;
}

}  // namespace

std::string no_more_threads(const std::string& reason) {
  return fmt::format(
      "no more threads or processes can be started ({}); the limits here are: {}; use fewer --threads, end other "
      "programs, or raise the limit",
      reason, limits());
}

bool refuses_threads(const std::error_code& error) {
  return error == std::errc::resource_unavailable_try_again && error.category() == std::generic_category();
}

std::optional<std::string> resource_problem(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kOutOfMemory;
  const auto* of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system != nullptr && refuses_threads(of_system->code())) return no_more_threads(of_system->code().message());
  const std::string_view text = error.what();
  const bool full =
      text.find("allocate memory") != std::string_view::npos || text.find("out of memory") != std::string_view::npos;
  return full ? std::optional<std::string>(kOutOfMemory) : std::nullopt;
}

}  // namespace ventris::core
