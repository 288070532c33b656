#include "filters/losses.h"

#include "core/error.h"

namespace ventris::filters {

void Losses::add_cut(const text::LineReader& reader) {
  const text::LineCounts& counts = reader.counts();
  int64_t& before = cut_[reader.path()];
  if (counts.too_long > before) add(reader.path() + ": over " + reader.limit() + ", cut", counts.lines);
  before = counts.too_long;
}

void Losses::fail_if_any() const {
  if (lines_.empty()) return;
  std::string all;
  for (const auto& [what, lines] : lines_) all += (all.empty() ? "" : "; ") + what + " (" + lines.text() + ")";
  fail<DataError>("strict: text was lost: ", all, "; the output has everything else");
}

}  // namespace ventris::filters
