#include "report/run_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "files/files.h"

namespace ventris::report {
namespace {

using nlohmann::json;

/// In the order of RunState.
constexpr std::array<const char*, 4> kWords{"running", "finished", "stopped", "failed"};

std::string text_of(const RunData& run, const char* key) {
  if (!run.state.is_object()) return "";
  const auto found = run.state.find(key);
  return found != run.state.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

void write_state(const std::string& report_data, RunState state, const std::string& reason) {
  json written{{"state", kWords.at(static_cast<size_t>(state))}, {"time", time_text(std::chrono::system_clock::now())}};
  if (!reason.empty()) written["reason"] = reason;
  constexpr auto kReplace = json::error_handler_t::replace;
  files::write_file(report_data + "/" + kState, written.dump(-1, ' ', false, kReplace) + "\n");
}

std::string state_word(const RunData& run) {
  const std::string word = text_of(run, "state");
  return std::ranges::find(kWords, word) == kWords.end() ? "" : word;
}

std::string state_sentence(const RunData& run) {
  const std::string word = state_word(run), time = text_of(run, "time"), reason = text_of(run, "reason");
  if (word == "running") {
    return fmt::format("Running when last written at {}.", run.last_line.empty() ? time : run.last_line);
  }
  if (word == "finished") return fmt::format("Finished at {}.", time);
  if (word == "stopped") return fmt::format("Stopped at {}: {}.", time, reason);
  if (word == "failed") return fmt::format("Ended with an error at {}: {}.", time, reason);
  return "";
}

}  // namespace ventris::report
