#include "encoding/classify_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "encoding/classifier.h"
#include "encoding/line_work.h"
#include "filters/json_lines.h"
#include "metrics/classification.h"
#include "metrics/unicode.h"
#include "text/label_numbers.h"
#include "text/line_reader.h"

namespace ventris::encoding {
namespace {

using nlohmann::ordered_json;
using ClassifyLine = Line<Classified>;

/// The text of a line: the second column if there are labels. (A line with other columns is refused later, when its
/// number is known.)
std::string text_of(const std::string& line, bool gold) {
  if (!gold) return line;
  const auto columns = text::find_columns(line);
  return columns.size() == 2 ? std::string(columns[1]) : line;
}

/// The labels of the input against those that were predicted.
class GoldLabels {
 public:
  GoldLabels(const std::string& path, const std::vector<std::string>& labels)
      : path_(path == "-" ? "standard input" : path), labels_(labels), numbers_(labels), matrix_(labels.size()) {}

  /// Returns the label of the line. `number` counts from 0.
  std::string add(const ClassifyLine& line, int64_t number) {
    const auto columns = text::split_columns(line.text, 2, path_, number + 1);
    if (line.result.empty()) {
      ++blank_;
      return columns[0];
    }
    const int32_t gold = numbers_.number_of(columns[0], path_, number + 1);
    matrix_.add(static_cast<size_t>(gold), line.result.front().label);
    return columns[0];
  }

  std::string accuracy() const {
    return fmt::format("accuracy {:.4f} ({} of {} texts), macro F1 {:.4f}", matrix_.accuracy(), matrix_.correct(),
                       matrix_.texts(), matrix_.macro_f1());
  }
  std::string table() const;
  std::string json_line() const;

 private:
  std::string path_;
  const std::vector<std::string>& labels_;
  text::LabelNumbers numbers_;
  metrics::ConfusionMatrix matrix_;
  int64_t blank_ = 0;
};

std::string GoldLabels::table() const {
  size_t width = std::string("label").size();
  for (const std::string& label : labels_) width = std::max(width, metrics::decode(label).size());
  const auto padded = [width](const std::string& label) {
    return label + std::string(width - metrics::decode(label).size(), ' ');
  };
  std::string out = accuracy() + "\n";
  out += fmt::format("{}  precision  recall      F1      gold  predicted   correct\n", padded("label"));
  for (size_t i = 0; i < labels_.size(); ++i) {
    const metrics::LabelScores one = matrix_.scores(i);
    out += fmt::format("{}     {:.4f}  {:.4f}  {:.4f}  {:>8}   {:>8}  {:>8}\n", padded(labels_[i]), one.precision,
                       one.recall, one.f1, one.gold, one.predicted, one.correct);
  }
  return out;
}

std::string GoldLabels::json_line() const {
  ordered_json labels = ordered_json::array(), confusion = ordered_json::array();
  for (size_t i = 0; i < labels_.size(); ++i) {
    const metrics::LabelScores one = matrix_.scores(i);
    labels.push_back({{"label", labels_[i]},
                      {"precision", filters::rounded(one.precision)},
                      {"recall", filters::rounded(one.recall)},
                      {"f1", filters::rounded(one.f1)},
                      {"gold", one.gold},
                      {"predicted", one.predicted},
                      {"correct", one.correct}});
    ordered_json row = ordered_json::array();
    for (size_t k = 0; k < labels_.size(); ++k) row.push_back(matrix_.count(i, k));
    confusion.push_back(std::move(row));
  }
  return filters::to_line({{"texts", matrix_.texts()},
                           {"blank", blank_},
                           {"correct", matrix_.correct()},
                           {"accuracy", filters::rounded(matrix_.accuracy())},
                           {"macro_f1", filters::rounded(matrix_.macro_f1())},
                           {"labels", labels},
                           {"confusion", confusion}}) +
         "\n";
}

/// Writes what was predicted for a line.
class LabelWriter {
 public:
  LabelWriter(const ClassifyOptions& options, const std::vector<std::string>& labels)
      : options_(options), labels_(labels) {}

  /// `gold` is the label of the line, if there are labels.
  std::string line(const ClassifyLine& line, int64_t number, const std::string& gold) const {
    return options_.format == ClassifyFormat::kText ? text(line) : json(line, number, gold);
  }

 private:
  size_t count(const ClassifyLine& line) const {
    return options_.n_best == 0 ? line.result.size() : std::min(line.result.size(), size_t(options_.n_best));
  }

  std::string text(const ClassifyLine& line) const {
    if (line.result.empty()) return "\n";
    if (options_.n_best == 0) return labels_[line.result.front().label] + "\n";
    std::string out;
    for (size_t i = 0; i < count(line); ++i) {
      const LabelGuess& one = line.result[i];
      out += fmt::format("{}{} {:.4f}", i == 0 ? "" : "\t", labels_[one.label], one.probability);
    }
    return out + "\n";
  }

  std::string json(const ClassifyLine& line, int64_t number, const std::string& gold) const {
    ordered_json out{{"id", number}, {"text", text_of(line.text, options_.gold)}};
    if (options_.gold) out["gold"] = gold;
    out["label"] = line.result.empty() ? ordered_json() : ordered_json(labels_[line.result.front().label]);
    out["labels"] = ordered_json::array();
    for (size_t i = 0; i < count(line); ++i) {
      const LabelGuess& one = line.result[i];
      out["labels"].push_back({{"label", labels_[one.label]}, {"probability", filters::rounded(one.probability)}});
    }
    out["cut"] = line.input.cut;
    return filters::to_line(out) + "\n";
  }

  const ClassifyOptions& options_;
  const std::vector<std::string>& labels_;
};

void check_flags(const ClassifyOptions& options) {
  check(options.lines);
  if (options.n_best < 0) fail<ConfigError>("--n-best: must be at least 0, got ", options.n_best);
  if (options.summary && !options.gold) {
    fail<ConfigError>("--summary: needs --gold, and an input with a label and a TAB before each text");
  }
}

}  // namespace

void classify_file(const ClassifyOptions& options) {
  check_flags(options);
  model::check_output(options.model, options.lines.output);
  const EncoderPool encoders(options.model, options.lines);
  const Classifier classifier(encoders);
  const LabelWriter writer(options, classifier.labels());
  GoldLabels gold(options.lines.input, classifier.labels());
  LineWork<Classified> work;
  work.task = "classifying";
  work.encode = [&](const std::string& line) { return classifier.encode(text_of(line, options.gold)); };
  work.has_work = [](const Input&) { return true; };
  work.compute = [&](const std::vector<const Input*>& batch) { return classifier.classify(batch); };
  work.format = [&](const ClassifyLine& line, int64_t number) {
    const std::string label = options.gold ? gold.add(line, number) : "";
    return options.summary ? "" : writer.line(line, number, label);
  };
  if (options.summary) {
    work.finish = [&] { return options.format == ClassifyFormat::kText ? gold.table() : gold.json_line(); };
  }
  log_report(run_lines(options.lines, work));
  if (options.gold && !options.summary) core::log_info(gold.accuracy());
}

}  // namespace ventris::encoding
