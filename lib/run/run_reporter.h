#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "events/event_file.h"
#include "run/checkpoint.h"
#include "run/config.h"
#include "run/validation_result.h"

namespace ventris::run {

/// What is written for looking at: report.html and what it is made of, and an event file for TensorBoard. None of it
/// is ever worth a run: what cannot be written is a warning, one for each part until that can be written again.
class RunReporter {
 public:
  /// `state` is where the run goes on from: what a killed sitting wrote past it goes away. `pairs` are what it trains
  /// on; their lengths are counted here.
  RunReporter(const RunFolder& folder, const TrainingConfig& config, const TrainingState& state,
              const data::PairStore& pairs);

  /// A line of metrics.jsonl, of a report ("train") or a validation ("valid"), after it was written.
  void train(const nlohmann::ordered_json& line);
  void valid(const nlohmann::ordered_json& line, const ValidationResult& result);

  /// Writes report.html, once there is a line of metrics.jsonl.
  void write();

 private:
  void count(const data::PairStore& pairs) const;
  /// `part` names what `work` writes.
  void guarded(const std::string& part, const std::function<void()>& work);
  void write_events(int64_t updates, const std::vector<events::Scalar>& scalars);
  void write_samples(int64_t updates, const std::vector<Sample>& samples) const;
  void write_attention(int64_t updates, const model::SentenceAttention& attention) const;

  RunFolder folder_;
  bool report_, tensorboard_;
  events::EventFile events_;
  double next_report_ = 0;  ///< seconds; a report of the figures since the last validation is not due before
  std::set<std::string> failing_;  ///< parts that were warned of
};

}  // namespace ventris::run
