#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace ventris::serving {

/// What the server knows of itself at the moment, for the metrics.
struct Gauges {
  int64_t connections = 0, body_bytes = 0, unread_bytes = 0, requests_in_work = 0, waiting_sentences = 0,
          characters_in_work = 0;
  int64_t sentences = 0, target_tokens = 0, abandoned = 0, expired = 0;
  int64_t models = 0, slow_connections = 0, reloads = 0;
  double uptime = 0;  ///< seconds
};

/// Counts of requests by path and status, and how long they took. Several threads may use it.
class Metrics {
 public:
  void count(const std::string& path, int status, double seconds, int64_t characters);

  int64_t characters() const;  ///< of all accepted requests

  /// In the text format of Prometheus.
  std::string text(const Gauges& gauges) const;

 private:
  static constexpr std::array<double, 10> kBounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30};

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, int64_t> requests_;
  std::array<int64_t, kBounds.size()> within_{};  // cumulative, of translations that succeeded
  int64_t measured_ = 0, characters_ = 0;
  double seconds_ = 0;
};

}  // namespace ventris::serving
