#include "doctor/doctor_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/human.h"
#include "core/printable.h"
#include "training/batch_size.h"

namespace ventris::doctor {
namespace {

using core::grouped;
using core::size_text;
using core::time_text;
using nlohmann::ordered_json;

/// "corpora      29,000 pairs, ...".
std::string line(const char* name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, core::printable(text));
}

std::string run_line(const ordered_json& run) {
  const std::string folder = run["folder"];
  if (!run.contains("goes_on_from")) return line("run", folder + ", starts from the beginning");
  std::string text = line("run", fmt::format("{}, resumes from update {}", folder, run["goes_on_from"].get<int64_t>()));
  for (const std::string change : run["changes"]) text += line("", "changed setting: " + change);
  return text;
}

/// "1 line", "1,234 lines".
std::string counted(const ordered_json& count, const std::string& noun) {
  return grouped(count) + " " + core::plural(count.get<int64_t>(), noun);
}

/// The same of running text.
std::string text_lines(const ordered_json& corpora) {
  std::string text = line(
      "training", fmt::format("{}, {} tokens", counted(corpora["passages"], "passage"), grouped(corpora["tokens"])));
  for (const ordered_json& one : corpora["training"]) {
    text += line("", fmt::format("{}: {} from {}", one["source"].get<std::string>(), counted(one["kept"], "passage"),
                                 counted(one["lines"], "line")));
  }
  if (!corpora.contains("validation")) return text;
  return text + line("validation", counted(corpora["validation"]["passages"], "passage"));
}

std::string corpora_lines(const ordered_json& corpora) {
  if (corpora.contains("passages")) return text_lines(corpora);
  const bool labelled = corpora.contains("texts");
  std::string text =
      line("training", labelled ? fmt::format("{} with {}, {} tokens", counted(corpora["texts"], "text"),
                                              counted(corpora["labels"].size(), "label"), grouped(corpora["tokens"]))
                                : fmt::format("{}, {} source and {} target tokens", counted(corpora["pairs"], "pair"),
                                              grouped(corpora["source_tokens"]), grouped(corpora["target_tokens"])));
  for (const ordered_json& one : corpora["training"]) {
    text += line("", fmt::format("{}: {} of {}", one["source"].get<std::string>(), grouped(one["kept"]),
                                 counted(one["lines"], "line")));
  }
  if (!corpora.contains("validation")) return text;
  const ordered_json& valid = corpora["validation"];
  const std::string example = labelled ? "text" : "pair";
  return text + line("validation",
                     fmt::format("{}, {} of the {} are in the training corpus", counted(valid[example + "s"], example),
                                 grouped(valid["sources_in_training"]), labelled ? "texts" : "sources"));
}

std::string tokenizer_lines(const ordered_json& tokenizers) {
  std::string text;
  for (const char* side : {"source", "target"}) {
    if (!tokenizers.contains(side)) continue;
    const ordered_json& one = tokenizers[side];
    text += line("tokenizer", fmt::format("{}: {} pieces{}, {} of them rare, {:.3f} % of the tokens unknown", side,
                                          grouped(one["pieces"]), tokenizers["shared"] == true ? " (shared)" : "",
                                          grouped(one["rare_pieces"]), 100 * one["unknown_share"].get<double>()));
  }
  return text;
}

std::string batches_line(const ordered_json& batches) {
  const training::BatchSize size{batches["tokens"], batches["length_cost"]};
  std::vector<int64_t> lengths;
  for (const ordered_json& one : batches["sentences_of_length"]) lengths.push_back(one["length"]);
  return line("batches", fmt::format("within {}: {}", batches["memory"].get<std::string>(),
                                     training::largest_batches(size, lengths)));
}

std::string cost_lines(const ordered_json& report) {
  const ordered_json &measured = report["measured"], &expected = report["expected"];
  std::string text = line("model", grouped(report["model"]["parameters"]) + " parameters");
  text +=
      line("speed", fmt::format("{:.3f} s per update, {:.0f} target tokens/s (from {} updates)",
                                measured["seconds_per_update"].get<double>(),
                                measured["target_tokens_per_second"].get<double>(), measured["updates"].get<int>()));
  if (report.contains("batches")) text += batches_line(report["batches"]);
  text += line("epoch", fmt::format("about {}, {}", counted(expected["updates_per_epoch"], "update"),
                                    time_text(expected["seconds_per_epoch"])));
  if (expected.contains("seconds")) {
    text += line("whole run", fmt::format("{}: about {} updates, {:.1f} epochs, {}, without validations and saves",
                                          expected["length"].get<std::string>(), grouped(expected["updates"]),
                                          expected["epochs"].get<double>(), time_text(expected["seconds"])));
  } else {
    text += line("whole run", "until it is stopped, or until early stopping");
  }
  return text + line("memory", fmt::format("about {:.0f} MiB, {:.0f} MiB are available",
                                           expected["peak_memory_mib"].get<double>(),
                                           expected["available_memory_mib"].get<double>()));
}

}  // namespace

std::string doctor_text(const ordered_json& report) {
  const ordered_json& disk = report["disk"];
  std::string text = run_line(report["run"]) + corpora_lines(report["corpora"]) +
                     tokenizer_lines(report["tokenizers"]) + cost_lines(report);
  text += line("disk", fmt::format("{} per checkpoint, {} per bundle, {} in total; {} free",
                                   size_text(disk["checkpoint_bytes"]), size_text(disk["bundle_bytes"]),
                                   size_text(disk["needed_bytes"]), size_text(disk["free_bytes"])));
  for (const std::string warning : report["warnings"]) text += line("WARNING", warning);
  return report["warnings"].empty() ? text + "no warnings\n" : text;
}

}  // namespace ventris::doctor
