#include "figures/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ventris::figures {
namespace {

constexpr double kLabelSize = 12, kTickSize = 11, kTitleSize = 14;
constexpr size_t kLongestName = 32;  // characters of a series' name
constexpr double kSwatchWidth = 16, kSwatchGap = 21, kNameGap = 18;

/// 1, 2 or 5 times a power of ten, such that there are about `count` steps in the span.
double round_step(double span, int count) {
  const double raw = span / std::max(count, 1), power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.75) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int count) {
  const double step = round_step(high - low, count);
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  const auto steps = static_cast<int>(std::clamp(last - first, 0.0, 1000.0));  // a tiny span gives only noise
  for (int i = 0; i <= steps; ++i) ticks.push_back((first + i) * step);
  return ticks;
}

/// Powers of ten; if there are fewer than two between the ends, also 2 and 5 times powers of ten.
std::vector<double> log_ticks(double low, double high, int count) {
  const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
  const bool few = std::log10(high / low) < 2.5;
  const double within = std::floor(std::log10(high) + 1e-9) - std::ceil(std::log10(low) - 1e-9) + 1;
  const double stride = std::max(1.0, std::ceil(within / count));
  std::vector<double> ticks;
  for (double power = first; power <= last; power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, power);
      if ((few || factor == 1) && tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
    }
  }
  return ticks;
}

/// "5e-4" for 5e-04.
std::string scientific(double value) {
  std::string text = fmt::format("{:g}", value);
  const size_t exponent = text.find("e-0");
  if (exponent != std::string::npos) text.erase(exponent + 2, 1);
  return text;
}

std::string in_unit(double value, double unit, const char* suffix) {
  return value == 0 ? "0" : fmt::format("{:.6g}{}", value / unit, suffix);
}

}  // namespace

Scale::Scale(ScaleKind kind, double low, double high) : kind_(kind), low_(low), high_(high) {
  if (kind_ == ScaleKind::kLog && !(low_ > 0)) kind_ = ScaleKind::kLinear;
  if (high_ > low_) return;
  const double room = low_ == 0 ? 1 : std::abs(low_) * 0.1;
  low_ -= room;
  high_ = low_ + 2 * room;
}

Scale Scale::rounded(int ticks) const {
  if (kind_ == ScaleKind::kLog) return Scale(kind_, low_ / 1.05, high_ * 1.05);
  const double step = round_step(high_ - low_, ticks);
  return Scale(kind_, std::floor(low_ / step + 1e-9) * step, std::ceil(high_ / step - 1e-9) * step);
}

void Scale::place(double from, double to) {
  from_ = from;
  to_ = to;
}

/// The position between low (0) and high (1).
double Scale::position(double value) const {
  if (kind_ == ScaleKind::kLog) return std::log(value / low_) / std::log(high_ / low_);
  return (value - low_) / (high_ - low_);
}

double Scale::at(double value) const { return from_ + (to_ - from_) * position(value); }

bool Scale::shows(double value) const { return std::isfinite(value) && (kind_ == ScaleKind::kLinear || value > 0); }

std::vector<double> Scale::ticks(int count) const {
  return kind_ == ScaleKind::kLog ? log_ticks(low_, high_, count) : linear_ticks(low_, high_, count);
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  double most = 0;
  for (const double tick : ticks) most = std::max(most, std::abs(tick));
  std::vector<std::string> labels;
  for (const double exact : ticks) {
    const double tick = std::abs(exact) < most * 1e-9 ? 0 : exact;  // -0, and rounding errors around 0
    if (most >= 1e9)
      labels.push_back(in_unit(tick, 1e9, "G"));
    else if (most >= 1e6)
      labels.push_back(in_unit(tick, 1e6, "M"));
    else if (most >= 1e4)
      labels.push_back(in_unit(tick, 1e3, "k"));
    else if (most < 1e-2)
      labels.push_back(scientific(tick));
    else
      labels.push_back(fmt::format("{:.6g}", tick));
  }
  return labels;
}

namespace {

void draw_x_ticks(Svg& svg, const Frame& frame, const Scale& x, const AxisMarks& marks) {
  const TextStyle style{kTickSize, Anchor::kMiddle, kQuiet};
  const auto draw = [&](double at, const std::string& label) {
    svg.line(at, frame.bottom, at, frame.bottom + 4, {kQuiet});
    svg.text(at, frame.bottom + 17, label, style);
  };
  const bool marked = !marks.last_label.empty();
  if (marked) draw(x.at(marks.last), marks.last_label);
  const auto ticks = x.ticks(std::max(2, static_cast<int>((frame.right - frame.left) / 80)));
  const auto labels = tick_labels(ticks);
  for (size_t i = 0; i < ticks.size(); ++i) {
    const double room = (text_width(labels[i], kTickSize) + text_width(marks.last_label, kTickSize)) / 2 + 4;
    if (!marked || x.at(ticks[i]) + room < x.at(marks.last)) draw(x.at(ticks[i]), labels[i]);
  }
}

void draw_y_ticks(Svg& svg, const Frame& frame, const Scale& y) {
  const auto ticks = y.ticks(std::max(2, static_cast<int>((frame.bottom - frame.top) / 40)));
  const auto labels = tick_labels(ticks);
  for (size_t i = 0; i < ticks.size(); ++i) {
    const double at = y.at(ticks[i]);
    svg.line(frame.left, at, frame.right, at, {kGrid});
    svg.text(frame.left - 7, at + 4, labels[i], {kTickSize, Anchor::kEnd, kQuiet});
  }
}

}  // namespace

void draw_axes(Svg& svg, const Frame& frame, const ChartTexts& texts, Scale& x, Scale& y, const AxisMarks& marks) {
  x.place(frame.left, frame.right);
  y.place(frame.bottom, frame.top);
  draw_y_ticks(svg, frame, y);
  draw_x_ticks(svg, frame, x, marks);
  svg.line(frame.left, frame.bottom, frame.right, frame.bottom, {kQuiet});
  const double middle = (frame.left + frame.right) / 2;
  svg.text(frame.left, 20, texts.title, {kTitleSize, Anchor::kStart, kTitle, true});
  svg.text(middle, frame.bottom + 35, texts.x_label, {kLabelSize, Anchor::kMiddle, kQuiet});
  if (texts.y_label.empty()) return;
  svg.text(15, (frame.top + frame.bottom) / 2, texts.y_label, {kLabelSize, Anchor::kMiddle, kQuiet, false, -90});
}

Colour LegendEntry::colour() const { return series_colour(series); }

LineStyle LegendEntry::line() const {
  static constexpr std::array<std::string_view, 3> kDashes{"", "6 3", "2 3"};
  return {colour(), 1.8, kDashes[series / kSeriesColours % kDashes.size()]};
}

std::vector<LegendEntry> legend_of(const std::vector<std::string>& names, double width) {
  std::vector<LegendEntry> entries;
  if (names.size() == 1 && names[0].empty()) return entries;
  LegendEntry next;
  for (next.series = 0; next.series < names.size(); ++next.series) {
    next.name = shortened(names[next.series], kLongestName);
    const double wide = kSwatchGap + text_width(next.name, kTickSize);
    if (next.x > 0 && next.x + wide > width) {
      next.x = 0;
      ++next.row;
    }
    entries.push_back(next);
    next.x += wide + kNameGap;
  }
  return entries;
}

double legend_height(const std::vector<LegendEntry>& legend) {
  return legend.empty() ? 0 : legend.back().row * kLegendRow;
}

void draw_legend(Svg& svg, double x, double y, const std::vector<LegendEntry>& legend) {
  for (const LegendEntry& entry : legend) {
    const double left = x + entry.x, base = y + entry.row * kLegendRow;
    LineStyle style = entry.line();
    style.width = 4;
    svg.line(left, base - 5, left + kSwatchWidth, base - 5, style);
    svg.text(left + kSwatchGap, base, entry.name, {kTickSize});
  }
}

}  // namespace ventris::figures
