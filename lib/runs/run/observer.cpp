#include "run/observer.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "run/run_lines.h"

namespace ventris::run {
namespace {

using nlohmann::ordered_json;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // null in JSON

constexpr int kDigits = 4;  // of a measure that is no metric

/// The values of a validation as text.
std::string describe(const ValidationResult& result) {
  std::string first, last;  // the metrics of translations come before the loss
  for (const auto& [name, value] : result.measures) {
    const metrics::MetricFacts* facts = metrics::facts_of(name);
    const bool of_translations = facts != nullptr && facts->measured_on == metrics::MeasuredOn::kTranslations;
    (of_translations ? first : last) +=
        fmt::format("{} : {:.{}f} : ", name, value, facts != nullptr ? facts->digits : kDigits);
  }
  return fmt::format("{}loss : {:.4f} : perplexity : {:.3f} : {}{:.1f} s", first, result.loss, result.perplexity, last,
                     result.seconds);
}

ordered_json figures(const ValidationResult& result) {
  ordered_json line{{"loss", result.loss}, {"nll", result.nll}, {"perplexity", result.perplexity}};
  for (const auto& [name, value] : result.measures) line[name] = value;
  if (!result.bleu_signature.empty()) line["bleu_signature"] = result.bleu_signature;
  line["seconds"] = result.seconds;
  return line;
}

/// The same, with those of the further corpora by name.
ordered_json all_figures(const ValidationResult& result) {
  ordered_json line = figures(result);
  for (const ValidationResult& further : result.further) line["further"][further.corpus] = figures(further);
  return line;
}

ordered_json where(const char* kind, const settings::RunProgress& progress) {
  return {
      {"kind", kind}, {"updates", progress.updates}, {"epoch", progress.in_epoch}, {"target_tokens", progress.tokens}};
}

void append_or_warn(const std::string& path, const ordered_json& line) {
  try {
    append_line(path, line);
  } catch (const WriteError& error) {
    core::log_warning(fmt::format("{} The run continues without this line", error.what()));
  }
}

}  // namespace

Observer::Observer(std::string metrics, const TrainingState& state, std::unique_ptr<RunReporter> reporter)
    : metrics_(std::move(metrics)),
      reporter_(std::move(reporter)),
      window_started_(core::seconds_now() - state.sums.seconds) {
  cut_lines(metrics_, state);
  if (reporter_) reporter_->write();  // of a resumed run, whose page says that it was stopped
}

double Observer::window_seconds() const { return core::seconds_now() - window_started_; }

void Observer::update(const settings::RunProgress& progress, const ReportSums& sums, const settings::Period& length) {
  if (!progress_.active() || sums.weight <= 0) return;
  const double share = length.share(progress);
  progress_.set(share);
  std::string whole;
  if (share > 0) {
    const auto updates = static_cast<double>(progress.updates) / share;
    whole = fmt::format(" of {}{:.0f}", length.text().ends_with('u') ? "" : "about ", updates);
  }
  const std::string speed = fmt::format("loss {:.3f}, {:.0f} tokens/s", sums.loss / sums.weight,
                                        static_cast<double>(sums.tokens) / window_seconds());
  progress_.note(fmt::format("update {}{}, epoch {}, {}", progress.updates, whole, progress.in_epoch, speed),
                 fmt::format("update {}, {}", progress.updates, speed));
}

void Observer::report(const settings::RunProgress& progress, const ReportSums& sums, double learning_rate) {
  const double now = core::seconds_now();
  const auto tokens = static_cast<double>(std::max<int64_t>(sums.tokens, 1));
  const double speed = tokens / std::max(now - window_started_, 1e-9);
  window_started_ = now;
  const double weight = sums.weight > 0 ? sums.weight : kNothing;
  const double loss = sums.loss / weight, nll = sums.nll / weight;
  const double norm = sums.updates > 0 ? sums.norm / static_cast<double>(sums.updates) : kNothing;
  core::log_info(fmt::format(
      "Ep. {} : Up. {} : Tok. {} : Cost {:.4f} : Ppl. {:.2f} : {:.0f} tokens/s : gNorm {:.3f} : L.r. {:.3e}",
      progress.in_epoch, progress.updates, progress.tokens, loss, std::exp(nll), speed, norm, learning_rate));
  ordered_json line = where("train", progress);
  line.update({{"loss", loss}, {"nll", nll}, {"learning_rate", learning_rate}, {"gradient_norm", norm}});
  line.update({{"target_tokens_per_second", speed},
               {"peak_memory_mib", core::peak_memory_mib()},
               {"minutes", progress.minutes}});
  append_or_warn(metrics_, line);
  if (reporter_) reporter_->train(line);
}

void Observer::validated(const settings::RunProgress& progress, const ValidationResult& result, settings::Metric metric,
                         bool better, int64_t stalled) {
  const std::string verdict =
      better ? "new best" : fmt::format("stalled {} {}", stalled, core::plural(stalled, "time"));
  core::log_info(fmt::format("[valid] Ep. {} : Up. {} : {} : {} ({})", progress.in_epoch, progress.updates,
                             describe(result), verdict, settings::name_of(metric)));
  for (const ValidationResult& further : result.further) {
    core::log_info(fmt::format("[valid] Ep. {} : Up. {} : {} : {}", progress.in_epoch, progress.updates, further.corpus,
                               describe(further)));
  }
  for (const Sample& sample : result.samples) {
    core::log_debug(
        fmt::format("[sample] {} => {}   (reference: {})", sample.source, sample.translation, sample.reference));
  }
  ordered_json line = where("valid", progress);
  line.update(all_figures(result));
  line.update({{"best", better}, {"stalled", stalled}});
  append_or_warn(metrics_, line);
  if (reporter_) reporter_->valid(line, result);
}

void Observer::averaged(const settings::RunProgress& progress, const std::vector<KeptModel>& models,
                        const ValidationResult* result) {
  ordered_json line = where("averaged", progress);
  line["models"] = ordered_json::array();
  for (const KeptModel& model : models) line["models"].push_back(model.updates);
  core::log_info(fmt::format("[averaged] the models of updates {}{}", line["models"].dump(),
                             result != nullptr ? " : " + describe(*result) : ""));
  if (result != nullptr) {
    for (const ValidationResult& further : result->further) {
      core::log_info(fmt::format("[averaged] {} : {}", further.corpus, describe(further)));
    }
    line.update(all_figures(*result));
  }
  append_or_warn(metrics_, line);
  if (reporter_) reporter_->write();
}

void Observer::ended(report::RunState state, const std::string& reason) {
  if (reporter_) reporter_->end(state, reason);
}

void Observer::pause(const char* why) {
  paused_at_ = core::seconds_now();
  progress_.note(why);
}

void Observer::resume() {
  const double outside = core::seconds_now() - paused_at_;
  window_started_ += outside;
}

}  // namespace ventris::run
