#include "report/run_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/human.h"
#include "metrics/validation_metrics.h"
#include "report/page.h"

namespace ventris::report {
using nlohmann::json;
namespace {

/// Collects the values that are there.
class Values {
 public:
  void add(const std::string& label, const json& line, std::string_view key, const std::string& text, int better = 0) {
    const double value = number_or_nan(line, key);
    if (std::isfinite(value)) values_.push_back({label, text, value, better});
  }

  std::vector<FinalValue> take() { return std::move(values_); }

 private:
  std::vector<FinalValue> values_;
};

/// The metrics by which models are compared; `label` makes a name of a metric's title.
template <typename Label>
void add_leading(Values& values, const json& line, const Label& label) {
  for (const metrics::MetricFacts& facts : metrics::all_metric_facts()) {
    if (!facts.leads) continue;
    values.add(label(std::string(facts.title)), line, facts.name, fixed(line, facts.name, facts.digits),
               facts.more_is_better ? 1 : -1);
  }
}

void add_best(Values& values, const json& best) {
  add_leading(values, best, [](const std::string& title) { return "best " + title; });
  const bool alone = std::ranges::none_of(metrics::all_metric_facts(), [&](const metrics::MetricFacts& facts) {
    return facts.leads && best.contains(facts.name);
  });
  values.add(alone ? "best perplexity" : "perplexity of the best model", best, "perplexity",
             fixed(best, "perplexity", 2), -1);
  values.add("update of the best model", best, "updates", count(best, "updates"));
}

/// What a validation measured on further corpora, by name.
const json& all_further(const json& line) {
  static const json none = json::object();
  const auto found = line.find("further");
  return found != line.end() && found->is_object() ? *found : none;
}

void flatten(const json& value, const std::string& name, std::vector<std::pair<std::string, std::string>>& rows) {
  if (!value.is_object()) {
    rows.emplace_back(name, value.is_string() ? shown(value.get<std::string>(), kDash) : value.dump());
    return;
  }
  for (const auto& [key, inner] : value.items()) flatten(inner, name.empty() ? key : name + "." + key, rows);
}

}  // namespace

const json* last_of(const RunData& run, const char* kind) {
  const auto found = std::find_if(run.metrics.rbegin(), run.metrics.rend(),
                                  [&](const json& line) { return line.value("kind", "") == kind; });
  return found == run.metrics.rend() ? nullptr : &*found;
}

const json* best_of(const RunData& run) {
  const auto found = std::find_if(run.metrics.rbegin(), run.metrics.rend(),
                                  [](const json& line) { return line.value("best", false); });
  return found == run.metrics.rend() ? nullptr : &*found;
}

std::vector<std::string> further_corpora(const RunData& run) {
  std::set<std::string> names;
  for (const json& line : run.metrics) {
    if (line.value("kind", "") != "valid") continue;
    for (const auto& [name, measured] : all_further(line).items()) names.insert(name);
  }
  return {names.begin(), names.end()};
}

const json& of_further_corpus(const json& line, const std::string& name) {
  static const json nothing;
  const json& all = all_further(line);
  const auto found = all.find(name);
  return found == all.end() ? nothing : *found;
}

double number_or_nan(const json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string fixed(const json& line, std::string_view key, int digits) {
  const double value = number_or_nan(line, key);
  if (!std::isfinite(value)) return kDash;
  return std::abs(value) < 1e9 ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.3e}", value);
}

std::string count(const json& line, std::string_view key) {
  const double value = number_or_nan(line, key);
  return std::abs(value) < 1e18 ? core::grouped(static_cast<int64_t>(value)) : kDash;
}

std::vector<FinalValue> final_values(const RunData& run) {
  Values values;
  if (!run.metrics.empty()) {
    const json& newest = run.metrics.back();
    values.add("updates", newest, "updates", count(newest, "updates"));
    values.add("epoch", newest, "epoch", count(newest, "epoch"));
    values.add("target tokens", newest, "target_tokens", rounded(number_or_nan(newest, "target_tokens")));
  }
  if (const json* train = last_of(run, "train")) {
    values.add("h:min trained", *train, "minutes", hours_text(number_or_nan(*train, "minutes")));
    values.add("training loss", *train, "loss", fixed(*train, "loss", 3));
    values.add("tokens per second", *train, "target_tokens_per_second", count(*train, "target_tokens_per_second"));
  }
  if (const json* best = best_of(run)) add_best(values, *best);
  if (const json* averaged = last_of(run, "averaged")) {
    add_leading(values, *averaged, [](const std::string& title) { return title + " of the average"; });
  }
  return values.take();
}

std::vector<std::pair<std::string, std::string>> flat_settings(const json& settings) {
  std::vector<std::pair<std::string, std::string>> rows;
  flatten(settings, "", rows);
  return rows;
}

std::string shown(const std::string& text, const char* if_empty) { return text.empty() ? if_empty : text; }

}  // namespace ventris::report
