#pragma once
#include <cmath>
#include <filesystem>
#include <string>

#include "files/files.h"
#include "report/run_data.h"

namespace ventris::test {

/// What a run of 600 updates leaves for its report; with texts that try to be markup, and some from right to left.
inline report::RunData small_run() {
  report::RunData run;
  run.name = "run <b>one</b>";
  run.settings = {{"training", {{"after", "600u"}, {"schedule", {{"warmup_updates", 100}}}}},
                  {"model", {{"heads", 2}}}};
  for (int updates = 20; updates <= 600; updates += 20) {
    const double nll = 1.5 + 6 * std::exp(-updates / 150.0);
    run.metrics.push_back({{"kind", "train"},
                           {"updates", updates},
                           {"epoch", updates / 100 + 1},
                           {"target_tokens", updates * 3000},
                           {"loss", nll + 0.2},
                           {"nll", nll},
                           {"learning_rate", 1e-3 * std::min(updates, 100) / 100},
                           {"gradient_norm", 10.0 / updates},
                           {"target_tokens_per_second", 7000 + 100 * (updates % 7)},
                           {"minutes", updates / 10.0}});
    if (updates % 100 != 0) continue;
    run.metrics.push_back({{"kind", "valid"},
                           {"updates", updates},
                           {"epoch", updates / 100 + 1},
                           {"target_tokens", updates * 3000},
                           {"loss", nll + 0.5},
                           {"nll", nll + 0.3},
                           {"perplexity", std::exp(nll + 0.3)},
                           {"bleu", updates / 20.0},
                           {"chrf", updates / 10.0},
                           {"best", updates != 600},
                           {"stalled", 0},
                           {"seconds", 2.5}});
    run.samples.push_back(
        {{"kind", "valid"},
         {"updates", updates},
         {"samples",
          {{{"source", "two <script>dogs</script>"}, {"reference", "zwei Hunde"}, {"translation", "ein & zwei"}},
           {{"source", "\u0643\u0644\u0628\u0627\u0646"},
            {"reference", "\u05E9\u05E0\u05D9"},
            {"translation", "\u202E\u05DB\u05DC\u05D1"}}}}});
  }
  const nlohmann::json map{0.9, 0.1, 0.2, 0.8};
  run.attention = {{"updates", 600},
                   {"source", {"\u2581two", "</s>"}},
                   {"produced", {"\u2581zwei", "</s>"}},
                   {"layers", {map, map}},
                   {"heads", {map, map, map, map}}};
  run.statistics = {{"pairs", 600},
                    {"counted_pairs", 600},
                    {"source_tokens", 6000},
                    {"target_tokens", 6600},
                    {"source_lengths", {0, 100, 300, 200}},
                    {"target_lengths", {0, 0, 100, 300, 150, 50}}};
  return run;
}

/// The same as the files of a run folder.
inline void write_small_run(const std::string& folder) {
  const report::RunData run = small_run();
  std::filesystem::create_directories(folder + "/report");
  const auto lines = [](const std::vector<nlohmann::json>& all) {
    std::string text;
    for (const auto& line : all) text += line.dump() + "\n";
    return text;
  };
  files::write_file(folder + "/config.json", run.settings.dump());
  files::write_file(folder + "/metrics.jsonl", lines(run.metrics));
  files::write_file(folder + "/report/" + report::kSamples, lines(run.samples));
  files::write_file(folder + "/report/" + report::kAttention, run.attention.dump());
  files::write_file(folder + "/report/" + report::kStatistics, run.statistics.dump());
}

}  // namespace ventris::test
