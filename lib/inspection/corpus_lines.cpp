#include "inspection/corpus_lines.h"

namespace ventris::inspection {

CorpusLines::CorpusLines(const CorpusPaths& paths) : paths_(paths), source_(paths.source) {
  if (!paths.target.empty()) target_.emplace(paths.target);
}

void CorpusLines::split(CorpusLine& line) {
  const size_t tab = line.source.find('\t');
  line.has_source = line.has_target = tab != std::string::npos && line.source.find('\t', tab + 1) == std::string::npos;
  if (!line.has_source) return bad_rows_.add(line.number);
  line.target = line.source.substr(tab + 1);
  line.source.resize(tab);
}

bool CorpusLines::next(CorpusLine& line) {
  line.has_source = source_.next(line.source);
  line.has_target = target_ && target_->next(line.target);
  if (!line.has_source && !line.has_target) return false;
  line.number = ++lines_;
  if (paths_.tsv) split(line);
  return true;
}

}  // namespace ventris::inspection
