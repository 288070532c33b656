// A backend as libventris_backend.so is one, over the model that copies its source; needs no LibTorch and no weights.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/process.h"
#include "decoding/scorer_library.h"
#include "support/copy_model.h"

namespace {

using namespace ventris;

/// Presses Ctrl-C at the answer of which COPYING_BACKEND_STOP says the number; twice if COPYING_BACKEND_STOP_TWICE is
/// set.
test::Table stopping(test::Table table) {
  const char* stop = std::getenv("COPYING_BACKEND_STOP");
  if (stop == nullptr) return table;
  const int times = std::getenv("COPYING_BACKEND_STOP_TWICE") != nullptr ? 2 : 1;
  const auto answers = std::make_shared<std::atomic<int>>(0);
  return [table = std::move(table), at = std::atoi(stop), times, answers](const auto& source, const auto& prefix) {
    if (++*answers == at) {
      for (int i = 0; i < times; ++i) std::raise(SIGINT);
    }
    return table(source, prefix);
  };
}

/// Takes its time: COPYING_BACKEND_MICROSECONDS for each answer.
test::Table slowly(test::Table table) {
  const char* pause = std::getenv("COPYING_BACKEND_MICROSECONDS");
  if (pause == nullptr) return table;
  return [table = std::move(table), pause = std::chrono::microseconds(std::atoi(pause))](const auto& source,
                                                                                         const auto& prefix) {
    std::this_thread::sleep_for(pause);
    return table(source, prefix);
  };
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) decoding::ScorerFactory* ventris_open_scorers(
    const decoding::ScorerLibraryOptions& options) {
  if (options.device != "cpu") fail<ConfigError>("device ", options.device, ": this backend copies on the CPU only");
  model::Package package;
  core::use_stop_signal_of(options.stop_signal);
  package.config = model::ModelConfig::parse(nlohmann::json::parse(options.model.config), options.model.name);
  const auto info = test::info_of(package);
  const test::Ids never = options.allow_unk ? test::Ids{0, 2} : test::Ids{0, 1, 2};
  return new test::TableFactory(slowly(stopping(test::copy_table(info.vocab))), info, never);
}

/// Of another build, if COPYING_BACKEND_INTERFACE says so.
__attribute__((visibility("default"))) const char* ventris_scorer_interface() {
  const char* other = std::getenv("COPYING_BACKEND_INTERFACE");
  return other != nullptr ? other : decoding::scorer_interface();
}

__attribute__((visibility("default"))) const char* ventris_describe_scorers() { return "copying backend"; }
}
