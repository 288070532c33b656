#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/error.h"
#include "core/printable.h"
#include "core/process.h"
#include "figures/svg.h"
#include "files/files.h"
#include "report/charts.h"
#include "report/page.h"
#include "report/run_names.h"
#include "report/run_values.h"

namespace ventris::report {
using figures::escape;
using nlohmann::json;
namespace {

using Runs = std::vector<RunData>;

/// The labels of all values, in the order of the first run that has them.
std::vector<std::string> labels_of(const std::vector<std::vector<FinalValue>>& values) {
  std::vector<std::string> labels;
  for (const auto& of_run : values) {
    for (const FinalValue& value : of_run) {
      if (std::ranges::find(labels, value.label) == labels.end()) labels.push_back(value.label);
    }
  }
  return labels;
}

const FinalValue* find(const std::vector<FinalValue>& values, const std::string& label) {
  const auto found = std::ranges::find(values, label, &FinalValue::label);
  return found == values.end() ? nullptr : &*found;
}

/// Whether no other run has a better value.
bool is_best(const std::vector<std::vector<FinalValue>>& values, const FinalValue& value) {
  return value.better != 0 && std::ranges::all_of(values, [&](const std::vector<FinalValue>& of_run) {
           const FinalValue* other = find(of_run, value.label);
           return other == nullptr || other->value * value.better <= value.value * value.better;
         });
}

std::string final_section(const Runs& runs) {
  std::vector<std::vector<FinalValue>> values;
  for (const RunData& run : runs) values.push_back(final_values(run));
  Table table{{""}, {}, /*numbers=*/true};
  for (const RunData& run : runs) table.heads.push_back(run.name);
  for (const std::string& label : labels_of(values)) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{label});
    for (size_t run = 0; run < runs.size(); ++run) {
      const FinalValue* value = find(values[run], label);
      row.push_back(value == nullptr ? kDash : value->text);
      if (value != nullptr && is_best(values, *value)) table.strong.emplace_back(table.rows.size() - 1, run + 1);
    }
  }
  return section("Results",
                 html(table) + note("The best scores are bold. Perplexities can be compared only between runs "
                                    "with the same target tokenizer."));
}

std::string curve_section(const Runs& runs) {
  std::string figures;
  for (const std::string& chart : curves_together(runs)) figures += figure(chart);
  return figures.empty() ? "" : section("Curves", side_by_side(Columns::kThree, figures));
}

std::string settings_section(const Runs& runs) {
  std::map<std::string, std::vector<std::string>> settings;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const auto& [name, value] : flat_settings(runs[run].settings)) {
      auto& values = settings[name];
      values.resize(runs.size(), kDash);
      values[run] = value;
    }
  }
  Table table{{"setting"}, {}, /*numbers=*/false};
  for (const RunData& run : runs) table.heads.push_back(run.name);
  for (const auto& [name, values] : settings) {
    if (std::ranges::count(values, values.front()) == std::ssize(values)) continue;
    auto& row = table.rows.emplace_back(std::vector<std::string>{name});
    row.insert(row.end(), values.begin(), values.end());
  }
  return section("Settings that differ",
                 table.rows.empty() ? note("All settings of these runs are the same.") : html(table));
}

/// The newest translation of a source; null if the run has none.
const json* translation_of(const RunData& run, const json& source) {
  if (run.samples.empty()) return nullptr;
  for (const json& sample : run.samples.back().at("samples")) {
    if (sample.at("source") == source) return &sample;
  }
  return nullptr;
}

std::string sample_section(const Runs& runs) {
  std::string text;
  std::set<json> done;
  for (const RunData& with_sources : runs) {
    if (with_sources.samples.empty()) continue;
    for (const json& sample : with_sources.samples.back().at("samples")) {
      const json& source = sample.at("source");
      if (!done.insert(source).second) continue;
      Table table{{"run", "newest translation"}, {}, /*numbers=*/false};
      for (const RunData& run : runs) {
        const json* found = translation_of(run, source);
        if (found != nullptr) table.rows.push_back({run.name, shown(found->value("translation", ""), "(empty)")});
      }
      table.rows.push_back({"reference", shown(sample.value("reference", ""), "(empty)")});
      const RunNames names = names_of(with_sources);
      table.language = names.target_language;
      text += fmt::format("<h3{}>{}</h3>\n{}", language_attributes(names.source_language),
                          escape(source.get<std::string>()), html(table));
    }
  }
  return text.empty() ? "" : section("Translations", text);
}

/// A part of the page; empty if its data are damaged.
template <typename Part>
std::string part_or_nothing(const Part& part, const Runs& runs) {
  try {
    return part(runs);
  } catch (const std::exception&) {
    return "";
  }
}

void refuse_repeated(const std::vector<std::string>& folders) {
  std::set<std::filesystem::path> seen;
  for (const std::string& folder : folders) {
    std::error_code error;
    const auto place = std::filesystem::weakly_canonical(folder, error);
    if (!seen.insert(error ? std::filesystem::path(folder) : place).second) {
      fail<ConfigError>(folder, ": this run is given twice; give each run once");
    }
  }
}

}  // namespace

std::string comparison(const std::vector<RunData>& runs) {
  std::string names;
  for (const RunData& run : runs) names += (names.empty() ? "" : ", ") + run.name;
  std::string body =
      fmt::format("<header><h1 dir=\"auto\">{}</h1><p>Comparison of {} training runs, by Ventris {}{}</p></header>\n",
                  escape(names), runs.size(), core::version(),
                  runs.front().written.empty() ? "" : ", written " + escape(runs.front().written));
  for (const auto& part : {final_section, curve_section, settings_section, sample_section}) {
    body += part_or_nothing(part, runs);
  }
  return page(names + ": comparison", body);
}

void write_comparison(const std::vector<std::string>& folders, const std::string& path) {
  refuse_repeated(folders);
  Runs runs;
  std::map<std::string, int> called;
  for (const std::string& folder : folders) ++called[runs.emplace_back(read_run(folder)).name];
  for (size_t i = 0; i < runs.size(); ++i) {
    if (called[runs[i].name] > 1) runs[i].name = core::printable(folders[i]);
  }
  files::write_file(path, comparison(runs));
}

}  // namespace ventris::report
