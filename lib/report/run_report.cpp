#include "report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "files/files.h"
#include "core/human.h"
#include "core/process.h"
#include "figures/svg.h"
#include "report/charts.h"
#include "report/page.h"

namespace ventris::report {
using figures::escape;
using nlohmann::json;
namespace {

constexpr size_t kValidationsShown = 30, kTranslationsShown = 8;

const json* last_of(const RunData& run, const char* kind) {
  const auto found = std::find_if(run.metrics.rbegin(), run.metrics.rend(),
                                  [&](const json& line) { return line.value("kind", "") == kind; });
  return found == run.metrics.rend() ? nullptr : &*found;
}

/// The validation of the model in best/.
const json* best_of(const RunData& run) {
  const auto found = std::find_if(run.metrics.rbegin(), run.metrics.rend(),
                                  [](const json& line) { return line.value("best", false); });
  return found == run.metrics.rend() ? nullptr : &*found;
}

std::string fixed(const json& line, const char* key, int digits) {
  const double value = number_or_nan(line, key);
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "\u2013";
}

std::string count(const json& line, const char* key) {
  const double value = number_or_nan(line, key);
  return std::isfinite(value) ? core::grouped(static_cast<int64_t>(value)) : "\u2013";
}

/// The numbers at the top.
std::string cards(const RunData& run) {
  std::vector<Card> cards;
  if (!run.metrics.empty()) {
    const json& newest = run.metrics.back();
    cards.push_back({count(newest, "updates"), "updates"});
    cards.push_back({fmt::format("{}", newest.value("epoch", int64_t{0})), "epoch"});
    cards.push_back({rounded(number_or_nan(newest, "target_tokens")), "target tokens"});
  }
  if (const json* train = last_of(run, "train")) {
    cards.push_back({hours_text(number_or_nan(*train, "minutes")), "h:min trained"});
    cards.push_back({fixed(*train, "loss", 3), "training loss"});
    cards.push_back({count(*train, "target_tokens_per_second"), "tokens per second"});
  }
  if (const json* best = best_of(run)) {
    if (best->contains("bleu")) cards.push_back({fixed(*best, "bleu", 2), "best BLEU"});
    if (best->contains("accuracy")) cards.push_back({fixed(*best, "accuracy", 4), "best accuracy"});
    const bool alone = !best->contains("bleu") && !best->contains("accuracy");
    cards.push_back({fixed(*best, "perplexity", 2), alone ? "best perplexity" : "its perplexity"});
    cards.push_back({count(*best, "updates"), "its update"});
  }
  const json* averaged = last_of(run, "averaged");
  if (averaged != nullptr && averaged->contains("bleu"))
    cards.push_back({fixed(*averaged, "bleu", 2), "BLEU of the average"});
  if (averaged != nullptr && averaged->contains("accuracy"))
    cards.push_back({fixed(*averaged, "accuracy", 4), "accuracy of the average"});
  return card_row(cards);
}

std::string curve_section(const RunData& run) {
  std::string figures;
  for (const std::string& chart : curves(run)) figures += figure(chart);
  return figures.empty() ? "" : section("Curves", "<div class=\"two\">" + figures + "</div>");
}

/// A metric in the table of validations.
struct Column {
  const char* name;
  const char* key;
  int digits;
};

std::string validation_section(const RunData& run) {
  const json *best = best_of(run), *newest = last_of(run, "valid");
  const bool classifies = newest != nullptr && newest->contains("accuracy");
  const std::vector<Column> metrics = classifies ? std::vector<Column>{{"accuracy", "accuracy", 4}}
                                                 : std::vector<Column>{{"BLEU", "bleu", 2}, {"chrF", "chrf", 2}};
  Table table{{"update", "epoch", "loss", "perplexity"}, {}, /*numbers=*/true};
  for (const Column& metric : metrics) table.heads.emplace_back(metric.name);
  table.heads.insert(table.heads.end(), {"seconds", ""});
  for (auto it = run.metrics.rbegin(); it != run.metrics.rend() && table.rows.size() < kValidationsShown; ++it) {
    const json& line = *it;
    if (line.value("kind", "") != "valid") continue;
    auto& row = table.rows.emplace_back();
    row = {count(line, "updates"), fmt::format("{}", line.value("epoch", int64_t{0})), fixed(line, "loss", 4),
           fixed(line, "perplexity", 3)};
    for (const Column& metric : metrics) row.push_back(fixed(line, metric.key, metric.digits));
    row.push_back(fixed(line, "seconds", 1));
    row.push_back(&line == best ? "best" : "");
  }
  if (table.rows.empty()) return "";
  return section("Validations", html(table) + note("Newest first; at most " + std::to_string(kValidationsShown) + "."));
}

/// Evenly spaced lines, including the first and the last.
std::vector<const json*> spread(const std::vector<json>& lines, size_t most) {
  std::vector<const json*> chosen;
  const size_t count = std::min(lines.size(), most);
  for (size_t i = 0; i < count; ++i) chosen.push_back(&lines[count == 1 ? 0 : i * (lines.size() - 1) / (count - 1)]);
  return chosen;
}

/// A text of the model or the user as a cell.
std::string shown(const std::string& text, const char* if_empty) { return text.empty() ? if_empty : text; }

std::string sample_section(const RunData& run) {
  if (run.samples.empty()) return "";
  std::string text;
  const json& newest = run.samples.back().at("samples");
  for (size_t sample = 0; sample < newest.size(); ++sample) {
    Table table{{"update", "translation"}, {}, /*numbers=*/false};
    for (const json* line : spread(run.samples, kTranslationsShown)) {
      const json& then = line->at("samples");
      if (sample >= then.size()) continue;
      table.rows.push_back({count(*line, "updates"), shown(then[sample].value("translation", ""), "(empty)")});
    }
    table.rows.push_back({"reference", shown(newest[sample].value("reference", ""), "(empty)")});
    text += fmt::format("<h3 dir=\"auto\">{}</h3>\n{}", escape(newest[sample].value("source", "")), html(table));
  }
  return section("Translations over time", text);
}

std::string attention_section(const RunData& run) {
  const auto charts = attention_charts(run.attention);
  if (charts.empty()) return "";
  std::string text =
      note(fmt::format("The decoder's attention to the source (columns) when it predicts each token of "
                       "its translation (rows), after update {}.",
                       count(run.attention, "updates")));
  for (const std::string& chart : charts) text += figure(chart);
  return section("Attention of a sample", text);
}

std::string data_section(const RunData& run) {
  const json& data = run.statistics;
  if (!data.is_object()) return "";
  const double pairs = std::max(number_or_nan(data, "pairs"), 1.0);
  Table table{{"", "source", "target"}, {}, /*numbers=*/true};
  table.rows.push_back({"tokens", count(data, "source_tokens"), count(data, "target_tokens")});
  table.rows.push_back({"tokens per sentence", fmt::format("{:.1f}", number_or_nan(data, "source_tokens") / pairs),
                        fmt::format("{:.1f}", number_or_nan(data, "target_tokens") / pairs)});
  const std::string facts = "<div><p class=\"big\">" + count(data, "pairs") + " sentence pairs</p>" + html(table) +
                            note("Without eos. Lengths are counted over " + count(data, "counted_pairs") +
                                 " pairs; the last bar includes all longer ones.") +
                            "</div>";
  return section("Training data", "<div class=\"two\">" + facts + figure(length_chart(data)) + "</div>");
}

/// Rows such as "schedule.warmup_updates" with its value, for all settings of a section.
void flatten(const json& value, const std::string& name, Table& table) {
  if (!value.is_object()) {
    table.rows.push_back({name, value.is_string() ? shown(value.get<std::string>(), "\u2013") : value.dump()});
    return;
  }
  for (const auto& [key, inner] : value.items()) flatten(inner, name.empty() ? key : name + "." + key, table);
}

std::string settings_section(const RunData& run) {
  if (!run.settings.is_object()) return "";
  std::string tables;
  for (const auto& [name, part] : run.settings.items()) {
    Table table{{name, ""}, {}, /*numbers=*/false};
    flatten(part, "", table);
    tables += "<div>" + html(table) + "</div>";
  }
  return section("Settings", "<div class=\"two\">" + tables + "</div>");
}

/// A part of the report; empty if its data are damaged.
template <typename Part>
std::string part_or_nothing(const Part& part, const RunData& run) {
  try {
    return part(run);
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace

std::string run_report(const RunData& run) {
  std::string body =
      fmt::format("<header><h1 dir=\"auto\">{}</h1><p>Training report of Ventris {}{}</p></header>\n", escape(run.name),
                  core::version(), run.written.empty() ? "" : ", written " + escape(run.written));
  for (const auto& part :
       {cards, curve_section, sample_section, attention_section, validation_section, data_section, settings_section}) {
    body += part_or_nothing(part, run);
  }
  return page(run.name + ": training report", body);
}

void write_run_report(const std::string& folder, const std::string& path) {
  files::write_file(path, run_report(read_run(folder)));
}

}  // namespace ventris::report
