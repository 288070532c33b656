#include "serving/metrics.h"

#include <fmt/format.h>

#include "core/process.h"

namespace ventris::serving {
namespace {

std::string sample(const char* name, const char* kind, const char* help, const std::string& value) {
  return fmt::format("# HELP ventris_{0} {1}\n# TYPE ventris_{0} {2}\nventris_{0} {3}\n", name, help, kind, value);
}

}  // namespace

void Metrics::count(const std::string& path, int status, double seconds, int64_t characters) {
  const std::lock_guard lock(mutex_);
  ++requests_[{path, status}];
  characters_ += characters;
  if (characters == 0 || status != 200) return;
  ++measured_;
  seconds_ += seconds;
  for (size_t i = 0; i < kBounds.size(); ++i) within_[i] += seconds <= kBounds[i] ? 1 : 0;
}

int64_t Metrics::characters() const {
  const std::lock_guard lock(mutex_);
  return characters_;
}

std::string Metrics::text(const Gauges& gauges) const {
  const auto counter = [](const char* name, const char* help, int64_t value) {
    return sample(name, "counter", help, std::to_string(value));
  };
  const auto gauge = [](const char* name, const char* help, int64_t value) {
    return sample(name, "gauge", help, std::to_string(value));
  };
  const std::lock_guard lock(mutex_);
  std::string text =
      "# HELP ventris_requests_total Requests by path and status.\n# TYPE ventris_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text += fmt::format("ventris_requests_total{{path=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  }
  text +=
      "# HELP ventris_request_seconds Time from a whole request to its answer, of translations.\n"
      "# TYPE ventris_request_seconds histogram\n";
  for (size_t i = 0; i < kBounds.size(); ++i) {
    text += fmt::format("ventris_request_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i], within_[i]);
  }
  text += fmt::format(
      "ventris_request_seconds_bucket{{le=\"+Inf\"}} {0}\nventris_request_seconds_sum {1}\n"
      "ventris_request_seconds_count {0}\n",
      measured_, seconds_);
  return text + counter("characters_total", "Characters of accepted requests.", characters_) +
         counter("sentences_total", "Sentences that were translated.", gauges.sentences) +
         counter("target_tokens_total", "Tokens of their translations.", gauges.target_tokens) +
         counter("abandoned_total", "Requests whose client went before the answer.", gauges.abandoned) +
         counter("expired_total", "Requests that were not ready in time.", gauges.expired) +
         counter("slow_connections_total", "Connections that were closed because they were slow.",
                 gauges.slow_connections) +
         counter("reloads_total", "Times the models were loaded again.", gauges.reloads) +
         gauge("connections", "Open connections.", gauges.connections) +
         gauge("body_bytes", "Bytes of bodies that have arrived, of requests without an answer.", gauges.body_bytes) +
         gauge("unread_bytes", "Bytes of answers that clients have not read yet.", gauges.unread_bytes) +
         gauge("requests_in_work", "Requests that wait or are being translated.", gauges.requests_in_work) +
         gauge("characters_in_work", "Their characters.", gauges.characters_in_work) +
         gauge("sentences_waiting", "Sentences that no thread has taken yet.", gauges.waiting_sentences) +
         gauge("models", "Models that are loaded.", gauges.models) +
         sample("uptime_seconds", "gauge", "Seconds since the start.", fmt::format("{:.1f}", gauges.uptime)) +
         fmt::format(
             "# HELP ventris_build_info Version of the program.\n# TYPE ventris_build_info gauge\n"
             "ventris_build_info{{version=\"{}\"}} 1\n",
             core::version());
}

}  // namespace ventris::serving
