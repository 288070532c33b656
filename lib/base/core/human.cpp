#include "core/human.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ventris::core {

std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  const int64_t first = number < 0 ? 1 : 0;
  for (auto place = static_cast<int64_t>(text.size()) - 3; place > first; place -= 3) {
    text.insert(static_cast<size_t>(place), 1, ',');
  }
  return text;
}

std::string size_text(uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; size >= 1023.95 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::clamp(seconds, 0.0, 1e12)));
  if (whole < 3600) return fmt::format("{}:{:02d}", whole / 60, whole % 60);
  return fmt::format("{}:{:02d}:{:02d}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string rate_text(int64_t count, double seconds) {
  constexpr double kShortest = 1e-9;  // no division by 0
  const double rate = static_cast<double>(count) / std::max(seconds, kShortest);
  return rate < 99.95 ? fmt::format("{:.1f}", rate) : grouped(std::llround(std::min(rate, 1e15)));
}

std::string plural(int64_t count, std::string_view noun) { return std::string(noun) + (count == 1 ? "" : "s"); }

std::string count_of(int64_t count, std::string_view noun) { return fmt::format("{} {}", count, plural(count, noun)); }

void FirstLines::add(int64_t number) {
  constexpr size_t kNamed = 5;
  const auto place = std::ranges::lower_bound(numbers_, number);
  if (number == last_ || (place != numbers_.end() && *place == number)) return;
  last_ = number;
  ++count_;
  numbers_.insert(place, number);
  if (numbers_.size() > kNamed) numbers_.pop_back();
}

std::string FirstLines::text() const {
  const bool all = count_ == static_cast<int64_t>(numbers_.size());
  return fmt::format("{}{} {}", all ? "" : "first: ", plural(count_, "line"), fmt::join(numbers_, ", "));
}

}  // namespace ventris::core
