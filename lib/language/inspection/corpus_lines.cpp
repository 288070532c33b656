#include "inspection/corpus_lines.h"

#include <memory>

#include "core/error.h"
#include "memories/tmx_reader.h"
#include "text/valid_utf8.h"

namespace ventris::inspection {

namespace {

/// A translation memory becomes a file with two columns.
text::LineReader open_source(const CorpusPaths& paths) {
  if (!paths.tsv && memories::is_memory(paths.source)) {
    fail<DataError>(paths.source, ": is a translation memory; give it with --tsv, with its languages: --tsv ",
                    paths.source, ":en:de");
  }
  const memories::NamedMemory memory = memories::parse_memory(paths.source);
  if (!paths.tsv || !memories::is_memory(memory.path)) return text::LineReader(paths.source);
  return {memory.path, std::make_unique<memories::TmxReader>(memory.path, memory.languages)};
}

}  // namespace

CorpusLines::CorpusLines(const CorpusPaths& paths) : paths_(paths), source_(open_source(paths)) {
  if (!paths.target.empty()) target_.emplace(paths.target);
}

void CorpusLines::split(CorpusLine& line) {
  if (text::is_blank(line.source)) {
    line.has_source = line.has_target = true;
    line.source.clear();
    line.target.clear();
    return;
  }
  const auto columns = text::find_columns(line.source);
  line.has_source = line.has_target = columns.size() == 2;
  if (!line.has_source) return bad_rows_.add(line.number);
  line.target = columns[1];
  line.source.resize(columns[0].size());
}

bool CorpusLines::next(CorpusLine& line) {
  const int64_t cut = source_.counts().too_long;
  line.has_source = source_.next(line.source);
  line.has_target = target_ && target_->next(line.target);
  if (!line.has_source && !line.has_target) return false;
  line.number = ++lines_;
  if (paths_.tsv && source_.counts().too_long > cut) line.source.clear();  // its columns are not all there
  if (paths_.tsv) split(line);
  return true;
}

}  // namespace ventris::inspection
