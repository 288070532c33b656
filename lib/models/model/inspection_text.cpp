#include "model/inspection_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/human.h"
#include "core/printable.h"

namespace ventris::model {
namespace {

using nlohmann::ordered_json;

using core::grouped;
using core::size_text;

/// A value on one line.
std::string shown(const ordered_json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_string()) return core::printable(value.get<std::string>());
  return core::printable(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

/// "d_model 128, heads 4"; members that are objects appear only in --format json.
std::string settings_text(const ordered_json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", shown(ordered_json(key)), shown(value));
    }
  }
  return text;
}

/// Turns the report of one model or folder into readable lines.
class InspectionText {
 public:
  explicit InspectionText(const ordered_json& report) : report_(report) {}

  std::string text(bool tensors) {
    headline();
    for (const char* key : {"architecture", "settings", "decoding", "provenance", "state", "environment", "last_report",
                            "best_validation"}) {
      line(key);
    }
    tokenizers();
    optimizer();
    non_finite();
    files();
    run_parts();
    parameters();
    if (tensors) list_tensors();
    return std::move(text_);
  }

 private:
  template <typename... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + '\n';
  }

  void headline() {
    const std::string kind = report_["kind"];
    const std::string name = kind == "torchscript" ? "TorchScript export" : kind + (kind == "run" ? " folder" : "");
    add("{}: {}, {}, {}", shown(report_["path"]), name, size_text(report_["bytes"]),
        report_.contains("non_finite") ? "NaN OR INFINITE VALUES; all checksums are correct"
        : report_.contains("problem")  ? "DAMAGED"
                                       : "all checksums are correct");
  }

  void line(const char* key) {
    if (!report_.contains(key) || report_[key].empty()) return;
    const ordered_json& value = report_[key];
    add("{:<15} {}", key, value.is_object() ? settings_text(value) : shown(value));
  }

  void tokenizers() {
    if (!report_.contains("tokenizers")) return;
    const ordered_json& all = report_["tokenizers"];
    for (const char* side : {"source", "target"}) {
      if (!all.contains(side)) continue;
      add("{:<15} {} pieces ({}), {}{}", fmt::format("{}.spm", side), grouped(all[side]["pieces"]),
          shown(all[side]["kind"]), size_text(all[side]["bytes"]),
          std::string(all["shared"] == true ? ", for both sides" : "") +
              (all[side].contains("foreign_rules") ? ", with the rules of another program" : ""));
    }
    add("{:<15} {}", "tokens", settings_text(all));
  }

  void optimizer() {
    if (!report_.contains("optimizer")) return;
    const ordered_json& optimizer = report_["optimizer"];
    add("{:<15} {} tensors, {}", "optimizer", grouped(optimizer["tensors"]), size_text(optimizer["bytes"]));
  }

  void non_finite() {
    constexpr size_t kShown = 20;
    const ordered_json all = report_.value("non_finite", ordered_json::array());
    for (size_t i = 0; i < all.size() && i < kShown; ++i) {
      add("{:<15} {}: {} NaN and {} infinite of {} values", i == 0 ? "not finite" : "", shown(all[i]["tensor"]),
          grouped(all[i]["nan"]), grouped(all[i]["infinite"]), grouped(all[i]["values"]));
    }
    if (all.size() > kShown) add("{:<15} and {} more tensors", "", all.size() - kShown);
  }

  void files() {
    if (!report_.contains("files")) return;
    add("\nfiles");
    for (const ordered_json& file : report_["files"]) {
      add("  {:<40} {:>12}", shown(file["name"]), size_text(file["bytes"]));
    }
  }

  void run_part(const std::string& name, const ordered_json& part) {
    const char* kind = part.contains("non_finite") ? "NOT FINITE: " : "DAMAGED: ";
    const std::string problem = part.contains("problem") ? kind + shown(part["problem"]) : "";
    ordered_json rest = part;
    for (const char* key : {"name", "bytes", "problem", "non_finite"}) rest.erase(key);
    add("  {:<40} {:>12}  {}", name, size_text(part["bytes"]), problem.empty() ? settings_text(rest) : problem);
  }

  void run_parts() {
    if (report_["kind"] != "run") return;
    add("\ncheckpoints and bundles");
    for (const char* name : {"checkpoints", "models"}) {
      for (const ordered_json& one : report_.value(name, ordered_json::array()))
        run_part(std::string(name) + "/" + shown(one["name"]), one);
    }
    for (const char* name : {"best", "final", "averaged"}) {
      if (report_.contains(name) && report_[name].is_object()) run_part(name, report_[name]);
    }
    if (report_.contains("latest")) add("  latest is {}", shown(report_["latest"]));
    if (report_.value("resumable", false)) {
      add("the same command resumes from checkpoints/{}{}", shown(report_["goes_on_from"]),
          report_["finished"] == true ? ", which is the end of the run" : "");
    } else {
      add("the run cannot be resumed: it has no intact checkpoint");
    }
  }

  void parameter_line(const std::string& name, const ordered_json& group, int64_t total) {
    const int64_t count = group["parameters"];
    std::string tied;
    for (const ordered_json& one : group.value("tied_to", ordered_json::array())) tied += "  = " + shown(one);
    const int64_t tensors = group["tensors"];
    add("  {:<30} {:>4} {:<7} {:>15} {:>6.1f} %{}", name, tensors, core::plural(tensors, "tensor"), grouped(count),
        total == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(total), tied);
  }

  void parameters() {
    if (!report_.contains("parameters")) return;
    const ordered_json& all = report_["parameters"];
    const int64_t total = all["total"];
    add("\n{} parameters", grouped(total));
    for (const ordered_json& module : all.value("modules", ordered_json::array())) {
      const std::string name = shown(module["name"]);
      parameter_line(name, module, total);
      if (module["parts"].size() < 2) continue;
      for (const ordered_json& part : module["parts"]) parameter_line("  " + shown(part["name"]), part, total);
    }
  }

  void list_tensors() {
    if (!report_.contains("tensors")) return;
    add("\ntensors");
    for (const ordered_json& tensor : report_["tensors"]) {
      add("  {:<56} {:<4} {}{}", shown(tensor["name"]), shown(tensor["dtype"]), shown(tensor["shape"]),
          tensor.contains("tied_to") ? "  = " + shown(tensor["tied_to"]) : "");
    }
  }

  const ordered_json& report_;
  std::string text_;
};

}  // namespace

std::string to_text(const ordered_json& report, bool tensors) { return InspectionText(report).text(tensors); }

}  // namespace ventris::model
