#include "data/labels.h"

#include <set>

#include "core/error.h"
#include "core/process.h"
#include "core/progress.h"
#include "data/pair_lines.h"
#include "text/valid_utf8.h"

namespace ventris::data {
namespace {

/// Adds the labels of one file.
void add_labels(const CorpusFiles& files, core::Progress& progress, std::set<std::string>& labels) {
  PairLines lines(files);
  std::string text, label;
  for (int64_t number = 1; lines.next(text, label); ++number) {
    progress.add();
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, "stopped by a signal while reading the labels");
    }
    if (!lines.has_text() || text::is_blank(text)) continue;
    if (label.empty()) {
      fail<DataError>(files.source, ":", number, ": the label is empty; expected a label, a TAB and a text");
    }
    labels.insert(label);
  }
}

}  // namespace

std::vector<std::string> collect_labels(std::span<const CorpusSpec> corpora) {
  core::Progress progress("reading the labels", "lines");
  std::set<std::string> labels;
  for (const CorpusSpec& corpus : corpora) add_labels(corpus.files, progress, labels);
  if (labels.size() < 2) {
    fail<DataError>(corpora.front().files.source, ": expected texts with at least 2 different labels, found ",
                    labels.empty() ? "no text" : "only '" + *labels.begin() + "'",
                    "; each line has a label, a TAB and a text");
  }
  return {labels.begin(), labels.end()};
}

}  // namespace ventris::data
