#include "data/pair_lines.h"

#include <memory>
#include <utility>

#include "core/error.h"

namespace ventris::data {

text::LineReader open_one_file(const CorpusFiles& files, const memories::TmxReader** memory) {
  for (const std::string& path : {files.source, files.target}) {
    const bool alone = files.target.empty() && !files.running_text && !files.labelled;
    if (alone || !memories::is_memory(path)) continue;
    fail<DataError>(path, ": is a translation memory, which has both sides of a corpus; give it as the only file");
  }
  if (!memories::is_memory(files.source)) return text::LineReader(files.source);
  auto reader = std::make_unique<memories::TmxReader>(files.source, files.languages);
  if (memory != nullptr) *memory = reader.get();
  return {files.source, std::move(reader)};
}

PairLines::PairLines(const CorpusFiles& files) : source_(open_one_file(files, &memory_)), labelled_(files.labelled) {
  if (!files.target.empty()) target_.emplace(files.target);
}

bool PairLines::next(std::string& source, std::string& target) {
  const auto total = [this](int64_t text::LineCounts::* field) {
    return source_.counts().*field + (target_ ? target_->counts().*field : 0);
  };
  const int64_t cut = total(&text::LineCounts::too_long), replaced = total(&text::LineCounts::invalid_utf8);
  if (!source_.next(source) || (target_ && !target_->next(target))) return false;
  cut_ = total(&text::LineCounts::too_long) > cut;
  replaced_ = total(&text::LineCounts::invalid_utf8) > replaced;
  if (target_) return true;
  if (!has_text()) {
    source.clear();
    target.clear();
    return true;
  }
  const int64_t number = source_.counts().lines;
  auto columns = labelled_ ? text::split_columns(source, 2, source_.path(), number)
                           : text::split_pair(source, source_.path(), number);
  source = std::move(columns[labelled_ ? 1 : 0]);
  target = std::move(columns[labelled_ ? 0 : 1]);
  return true;
}

}  // namespace ventris::data
