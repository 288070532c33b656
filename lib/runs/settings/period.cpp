#include "settings/period.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/error.h"

namespace ventris::settings {

Period Period::parse(const std::string& text, const std::string& setting) {
  Period period;
  if (text == "0") return period;
  char* rest = nullptr;
  period.text_ = text;
  period.amount_ = std::strtod(text.c_str(), &rest);
  std::string tail = rest;
  if (tail.size() == 2) {
    const std::string scales = "KMG";
    const size_t scale = scales.find(tail[0]);
    if (scale != std::string::npos) {
      period.amount_ *= std::pow(1000.0, static_cast<double>(scale + 1));
      tail.erase(0, 1);
    }
  }
  const bool unit_known = tail.size() == 1 && std::string("eutm").find(tail[0]) != std::string::npos;
  if (rest == text.c_str() || !unit_known || !std::isfinite(period.amount_) || period.amount_ < 0) {
    fail<ConfigError>(
        setting, ": expected an amount of training such as 10e (epochs), 500u (updates), 2.5Mt (target tokens) or ",
        "30m (minutes), got '", text, "'");
  }
  period.unit_ = tail[0];
  return period;
}

double Period::measure(const RunProgress& progress) const {
  switch (unit_) {
    case 'e': return static_cast<double>(progress.epoch);
    case 't': return static_cast<double>(progress.tokens);
    case 'm': return progress.minutes;
    default: return static_cast<double>(progress.updates);
  }
}

bool Period::splits_epochs() const { return unit_ == 'e' && amount_ != std::floor(amount_); }

bool Period::reached(const RunProgress& now) const { return !never() && measure(now) >= amount_; }

bool Period::due(const RunProgress& before, const RunProgress& now) const {
  return !never() && std::floor(measure(now) / amount_) > std::floor(measure(before) / amount_);
}

double Period::share(const RunProgress& now) const { return never() ? 0.0 : std::min(1.0, measure(now) / amount_); }

}  // namespace ventris::settings
