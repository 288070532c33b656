#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "events/event_file.h"
#include "report/run_state.h"
#include "run/checkpoint.h"
#include "run/validation_result.h"
#include "settings/run_config.h"

namespace ventris::run {

/// Writes report.html with its data, and an event file for TensorBoard. They never end a run: if a part cannot be
/// written, there is one warning until it can be written again.
class RunReporter {
 public:
  /// `state` is the state that the run resumes from; data that a killed program wrote after it are removed. `pairs` are
  /// the training pairs, whose lengths are counted here.
  RunReporter(const RunFolder& folder, const settings::RunConfig& config, const TrainingState& state,
              const data::PairStore& pairs);

  /// Takes a line of metrics.jsonl of a report ("train") or a validation ("valid"), after it was written.
  void train(const nlohmann::ordered_json& line);
  void valid(const nlohmann::ordered_json& line, const ValidationResult& result);

  /// Writes report.html if metrics.jsonl has a line.
  void write();

  /// Writes it with the state at the end, and with the message of a run that was stopped or failed.
  void end(report::RunState state, const std::string& reason);

 private:
  void count(const data::PairStore& pairs, architecture::CorpusKind kind) const;
  /// Runs `work`, which writes `part` (a name for messages).
  void guarded(const std::string& part, const std::function<void()>& work);
  void write_state(report::RunState state, const std::string& reason);
  void write_events(int64_t updates, const std::vector<events::Scalar>& scalars);
  void write_samples(int64_t updates, const std::vector<Sample>& samples) const;
  void write_attention(int64_t updates, const model::SentenceAttention& attention) const;

  RunFolder folder_;
  bool report_, tensorboard_;
  events::EventFile events_;
  double next_report_ = 0;  ///< seconds; before this time, no new report.html is written between validations
  std::set<std::string> failing_;  ///< parts with a warning
};

}  // namespace ventris::run
