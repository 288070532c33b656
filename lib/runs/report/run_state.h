#pragma once
#include <string>

#include "report/run_data.h"

namespace ventris::report {

/// How a run stands. The state of a killed run stays kRunning.
enum class RunState { kRunning, kFinished, kStopped, kFailed };

/// Writes RUN/report/state.json with the current time. `reason` is the message with which a run was stopped or failed.
/// Throws WriteError.
void write_state(const std::string& report_data, RunState state, const std::string& reason);

/// "running", "finished", "stopped" or "failed"; empty if it is not known, as for runs of older versions.
std::string state_word(const RunData& run);

/// The same as a sentence with its time, such as "Finished at 2026-05-01 12:00 UTC."; empty if it is not known.
std::string state_sentence(const RunData& run);

}  // namespace ventris::report
