#include "report/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/process.h"
#include "figures/svg.h"
#include "files/files.h"
#include "metrics/validation_metrics.h"
#include "report/charts.h"
#include "report/page.h"
#include "report/run_names.h"
#include "report/run_state.h"
#include "report/run_values.h"

namespace ventris::report {
using figures::escape;
using nlohmann::json;
namespace {

constexpr size_t kValidationsShown = 30, kTranslationsShown = 8;

std::string header(const RunData& run) {
  const std::string state = state_sentence(run);
  return fmt::format("<header><h1 dir=\"auto\">{}</h1>{}<p>Training report of Ventris {}{}</p></header>\n",
                     escape(title_of(run)), state.empty() ? "" : fmt::format("<p dir=\"auto\">{}</p>", escape(state)),
                     core::version(), run.written.empty() ? "" : ", written " + escape(run.written));
}

/// The numbers at the top.
std::string cards(const RunData& run) {
  std::vector<Card> cards;
  for (const FinalValue& value : final_values(run)) cards.push_back({value.text, value.label});
  return card_row(cards);
}

std::string curve_section(const RunData& run) {
  std::string figures;
  for (const std::string& chart : curves(run)) figures += figure(chart);
  return figures.empty() ? "" : section("Curves", side_by_side(Columns::kThree, figures));
}

/// The columns of a table of validations: the metrics of what the model makes.
std::vector<const metrics::MetricFacts*> metrics_of(const json* validation) {
  const auto of_labels = metrics::metrics_on(metrics::MeasuredOn::kLabels);
  const bool labelled = validation != nullptr && std::ranges::any_of(of_labels, [&](const metrics::MetricFacts* facts) {
                          return validation->contains(facts->name);
                        });
  return labelled ? of_labels : metrics::metrics_on(metrics::MeasuredOn::kTranslations);
}

/// The table of the further validation corpora, for the best model, or for the newest if the best was not measured on
/// any: they may have been added later.
std::string further_table(const RunData& run) {
  const json* best = best_of(run);
  const json* line = best != nullptr && best->contains("further") ? best : last_of(run, "valid");
  if (line == nullptr || !line->contains("further")) return "";
  const std::vector<const metrics::MetricFacts*> columns = metrics_of(line);
  Table table{{"corpus", "loss", "perplexity"}, {}, /*numbers=*/true};
  for (const metrics::MetricFacts* metric : columns) table.heads.emplace_back(metric->title);
  for (const std::string& corpus : further_corpora(run)) {
    const json& measured = of_further_corpus(*line, corpus);
    if (!measured.is_object()) continue;
    auto& row = table.rows.emplace_back();
    row = {corpus, fixed(measured, "loss", 4), fixed(measured, "perplexity", 3)};
    for (const metrics::MetricFacts* metric : columns) {
      row.push_back(fixed(measured, metric->name, metric->digits));
    }
  }
  return fmt::format("<h3>Further corpora, after update {}</h3>\n{}", count(*line, "updates"), html(table));
}

std::string validation_section(const RunData& run) {
  const json *best = best_of(run), *newest = last_of(run, "valid");
  const std::vector<const metrics::MetricFacts*> columns = metrics_of(newest);
  Table table{{"update", "epoch", "loss", "perplexity"}, {}, /*numbers=*/true};
  for (const metrics::MetricFacts* metric : columns) table.heads.emplace_back(metric->title);
  table.heads.insert(table.heads.end(), {"seconds", ""});
  for (auto it = run.metrics.rbegin(); it != run.metrics.rend() && table.rows.size() < kValidationsShown; ++it) {
    const json& line = *it;
    if (line.value("kind", "") != "valid") continue;
    auto& row = table.rows.emplace_back();
    row = {count(line, "updates"), fmt::format("{}", line.value("epoch", int64_t{0})), fixed(line, "loss", 4),
           fixed(line, "perplexity", 3)};
    for (const metrics::MetricFacts* metric : columns) {
      row.push_back(fixed(line, metric->name, metric->digits));
    }
    row.push_back(fixed(line, "seconds", 1));
    row.push_back(&line == best ? "best" : "");
    if (&line == best) {
      for (size_t column = 0; column < row.size(); ++column) table.strong.emplace_back(table.rows.size() - 1, column);
    }
  }
  if (table.rows.empty()) return "";
  std::string remark = "Newest first; at most " + std::to_string(kValidationsShown) + ".";
  const auto signature = newest->find("bleu_signature");
  if (signature != newest->end() && signature->is_string()) remark += " BLEU: " + signature->get<std::string>() + ".";
  return section("Validations", html(table) + note(remark) + further_table(run));
}

/// Evenly spaced lines, including the first and the last.
std::vector<const json*> spread(const std::vector<json>& lines, size_t most) {
  std::vector<const json*> chosen;
  const size_t count = std::min(lines.size(), most);
  for (size_t i = 0; i < count; ++i) chosen.push_back(&lines[count == 1 ? 0 : i * (lines.size() - 1) / (count - 1)]);
  return chosen;
}

std::string sample_section(const RunData& run) {
  if (run.samples.empty()) return "";
  const RunNames names = names_of(run);
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
    table.language = names.target_language;
    text += fmt::format("<h3{}>{}</h3>\n{}", language_attributes(names.source_language),
                        escape(newest[sample].value("source", "")), html(table));
  }
  return section("Translations over time", text);
}

std::string maps_html(const char* heading, const std::string& sentence, const std::vector<std::string>& maps) {
  std::string figures;
  for (const std::string& map : maps) figures += figure(map);
  return maps.empty() ? "" : fmt::format("<h3>{}</h3>\n{}{}", heading, sentence, side_by_side(Columns::kTwo, figures));
}

std::string attention_section(const RunData& run) {
  const AttentionFigures maps = attention_figures(run.attention);
  if (maps.layers.empty()) return "";
  const RunNames names = names_of(run);
  const std::string sentence = fmt::format(
      "<blockquote>\n<p{}><span>source</span> {}</p>\n<p{}><span>translation</span> {}</p>\n</blockquote>\n",
      language_attributes(names.source_language), escape(maps.source), language_attributes(names.target_language),
      escape(maps.translation));
  return section(
      "Attention of a sample",
      note(fmt::format("The decoder's attention to the source (columns) when it predicts each token of "
                       "its translation (rows), after update {}. Each colour scale ends at the greatest weight.",
                       count(run.attention, "updates"))) +
          maps_html("Each layer, mean of its heads", sentence, maps.layers) +
          maps_html("Heads of the last layer", sentence, maps.heads));
}

std::string data_section(const RunData& run) {
  const json& data = run.statistics;
  if (!data.is_object()) return "";
  const std::string examples = data.value("examples", "sentence pairs");  // or "passages", "texts" with one side
  Table table{{""}, {{"tokens"}, {"tokens on average"}}, /*numbers=*/true};
  const auto add_side = [&](const char* name, const char* tokens) {
    const double mean = number_or_nan(data, tokens) / std::max(number_or_nan(data, "pairs"), 1.0);
    table.heads.emplace_back(name);
    table.rows[0].push_back(count(data, tokens));
    table.rows[1].push_back(fmt::format("{:.1f}", mean));
  };
  const bool two_sides = data.contains("target_tokens");
  add_side(two_sides ? "source" : "", "source_tokens");
  if (two_sides) add_side("target", "target_tokens");
  const std::string facts = "<div><p class=\"big\">" + count(data, "pairs") + " " + escape(examples) + "</p>" +
                            html(table) +
                            note("Without eos. Lengths are counted over " + count(data, "counted_pairs") +
                                 " of them; the last bar includes all longer ones.") +
                            "</div>";
  return section("Training data", side_by_side(Columns::kTwo, facts + figure(length_chart(data))));
}

std::string settings_section(const RunData& run) {
  if (!run.settings.is_object()) return "";
  std::string tables;
  for (const auto& [name, part] : run.settings.items()) {
    Table table{{name, ""}, {}, /*numbers=*/false};
    for (const auto& [setting, value] : flat_settings(part)) table.rows.push_back({setting, value});
    tables += "<div>" + html(table) + "</div>";
  }
  return folded_section("Settings", side_by_side(Columns::kTwo, tables));
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
  std::string body = header(run);
  for (const auto& part :
       {cards, curve_section, sample_section, validation_section, attention_section, data_section, settings_section}) {
    body += part_or_nothing(part, run);
  }
  return page(title_of(run) + ": training report", body);
}

void write_run_report(const std::string& folder, const std::string& path) {
  files::write_file(path, run_report(read_run(folder)));
}

}  // namespace ventris::report
