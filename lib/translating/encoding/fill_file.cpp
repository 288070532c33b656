#include "encoding/fill_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "encoding/line_work.h"
#include "encoding/mask_filler.h"
#include "filters/json_lines.h"

namespace ventris::encoding {
namespace {

using nlohmann::ordered_json;
using FillLine = Line<FilledLine>;

constexpr int64_t kMostWords = 100;  // they are kept for a whole window of lines

std::string as_text(const FillLine& line) {
  std::string text;
  for (size_t mask = 0; mask < line.result.size(); ++mask) {
    if (mask > 0) text += " ||| ";
    const auto& words = line.result[mask];
    for (size_t i = 0; i < words.size(); ++i) {
      text += fmt::format("{}{} {:.4f}", i == 0 ? "" : "\t", words[i].word, words[i].probability);
    }
  }
  return text + "\n";
}

std::string as_json(const FillLine& line, int64_t number) {
  ordered_json masks = ordered_json::array();
  for (const auto& words : line.result) {
    ordered_json list = ordered_json::array();
    for (const FilledWord& one : words) {
      list.push_back({{"word", one.word}, {"piece", one.piece}, {"probability", filters::rounded(one.probability)}});
    }
    masks.push_back(std::move(list));
  }
  return filters::to_line({{"id", number}, {"text", line.text}, {"masks", masks}, {"cut", line.input.cut}}) + "\n";
}

}  // namespace

void fill_file(const FillOptions& options) {
  check(options.lines);
  if (options.n_best < 1 || options.n_best > kMostWords) {
    fail<ConfigError>("--n-best: must be from 1 to ", kMostWords, ", got ", options.n_best);
  }
  model::check_output(options.model, options.lines.output);
  const EncoderPool encoders(options.model, options.lines);
  const MaskFiller filler(encoders, options.n_best);
  LineWork<FilledLine> work;
  work.task = "filling";
  work.encode = [&](const std::string& line) { return filler.encode(line); };
  work.has_work = [&](const Input& input) { return filler.has_mask(input); };
  work.compute = [&](const std::vector<const Input*>& batch) { return filler.fill(batch); };
  work.format = [&](const FillLine& line, int64_t number) {
    return options.format == FillFormat::kText ? as_text(line) : as_json(line, number);
  };
  log_report(run_lines(options.lines, work));
}

}  // namespace ventris::encoding
