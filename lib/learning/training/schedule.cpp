#include "training/schedule.h"

#include <algorithm>
#include <cmath>

namespace ventris::training {

double learning_rate(const settings::ScheduleConfig& config, int64_t update, int64_t d_model) {
  const auto now = static_cast<double>(std::max<int64_t>(update, 1));
  const auto warmup = static_cast<double>(std::max<int64_t>(config.warmup_updates, 1));
  const double rising = std::min(1.0, now / warmup);
  switch (config.kind) {
    case settings::ScheduleKind::kNoam:
      return config.learning_rate * std::pow(static_cast<double>(d_model), -0.5) *
             std::min(std::pow(now, -0.5), now * std::pow(warmup, -1.5));
    case settings::ScheduleKind::kLinear: {
      const double left = static_cast<double>(config.total_updates) - now;
      const double falling = left / (static_cast<double>(config.total_updates) - warmup);
      return config.learning_rate * std::clamp(std::min(rising, falling), 0.0, 1.0);
    }
    case settings::ScheduleKind::kConstant: return config.learning_rate * rising;
    case settings::ScheduleKind::kInverseSqrt:
    default: return config.learning_rate * std::min(rising, std::sqrt(warmup / now));
  }
}

}  // namespace ventris::training
