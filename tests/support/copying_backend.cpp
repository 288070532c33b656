// A backend as libventris_backend.so is one, over the model that copies its source; needs no LibTorch and no weights.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/error.h"
#include "decoding/scorer_library.h"
#include "support/copy_model.h"

namespace {

using namespace ventris;

/// Waits a little before each answer if COPYING_BACKEND_WAIT says how many milliseconds.
test::Table waiting(test::Table table) {
  const char* wait = std::getenv("COPYING_BACKEND_WAIT");
  if (wait == nullptr) return table;
  return [table = std::move(table), pause = std::chrono::milliseconds(std::atoi(wait))](const auto& source,
                                                                                        const auto& prefix) {
    std::this_thread::sleep_for(pause);
    return table(source, prefix);
  };
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) decoding::ScorerFactory* ventris_open_scorers(
    const decoding::ScorerLibraryOptions& options) {
  if (options.device != "cpu") fail<ConfigError>("--device ", options.device, ": this backend copies on the CPU only");
  const auto package = model::open_package(options.model);
  const auto info = test::info_of(package);
  const test::Ids never = options.allow_unk ? test::Ids{0, 2} : test::Ids{0, 1, 2};
  return new test::TableFactory(waiting(test::copy_table(info.vocab)), info, never);
}

/// Of another build, if COPYING_BACKEND_INTERFACE says so.
__attribute__((visibility("default"))) const char* ventris_scorer_interface() {
  const char* other = std::getenv("COPYING_BACKEND_INTERFACE");
  return other != nullptr ? other : decoding::scorer_interface();
}

__attribute__((visibility("default"))) const char* ventris_describe_scorers() { return "copying backend"; }
}
