#include "engine/shortlist.h"

#include <algorithm>
#include <utility>

namespace ventris::engine {

void Columns::add(const Matrix& generator, std::span<const int32_t> more) {
  ids.insert(ids.end(), more.begin(), more.end());
  weights.add(generator, more);
}

Shortlist::Shortlist(const Matrix& generator, std::shared_ptr<const model::Lexicon> lexicon,
                     const ShortlistOptions& options, std::span<const int32_t> always, bool shared)
    : generator_(generator),
      lexicon_(std::move(lexicon)),
      best_(static_cast<size_t>(options.best)),
      shared_(shared),
      is_common_(static_cast<size_t>(generator.n())) {
  for (const int32_t id : always) is_common_[static_cast<size_t>(id)] = 1;
  const std::span<const int32_t> frequent = lexicon_->frequent();
  for (const int32_t id : frequent.first(std::min(frequent.size(), static_cast<size_t>(options.first)))) {
    is_common_[static_cast<size_t>(id)] = 1;
  }
  std::vector<int32_t> ids;
  for (int32_t id = 0; id < generator.n(); ++id) {
    if (is_common(id)) ids.push_back(id);
  }
  common_.add(generator, ids);
}

ShortlistRows::ShortlistRows(const Shortlist& shortlist)
    : shortlist_(shortlist), seen_(static_cast<size_t>(shortlist.generator().n())) {}

int64_t ShortlistRows::most_memory() const {
  const auto columns = static_cast<int64_t>(shortlist_.most_own()) + kPanel;
  const auto width = static_cast<int64_t>(sizeof(float)) * (shortlist_.generator().k() + 4);
  return columns * width * 3 / 2;  // memory that grows half as large again
}

void ShortlistRows::reset() { rows_.clear(); }

void ShortlistRows::admit(std::span<const std::span<const int32_t>> sources) {
  used_.assign(own_.size(), 0);
  for (const size_t number : rows_) used_[number] = 1;
  size_t free = 0;
  for (const auto& source : sources) {
    while (free < own_.size() && used_[free] != 0) ++free;
    if (free == own_.size()) own_.emplace_back();
    if (free == used_.size()) used_.push_back(0);
    used_[free] = 1;
    rows_.push_back(free);
    fill(own_[free], source);
  }
}

void ShortlistRows::fill(Columns& own, std::span<const int32_t> source) {
  ids_.clear();
  shortlist_.each_own_id(source, [this](int32_t id) {
    if (std::exchange(seen_[static_cast<size_t>(id)], 1) == 0) ids_.push_back(id);
    return ids_.size() < shortlist_.most_own();
  });
  for (const int32_t id : ids_) seen_[static_cast<size_t>(id)] = 0;
  std::ranges::sort(ids_);  // neighbours are copied from the same place
  own.ids.clear();
  own.weights.clear();
  own.add(shortlist_.generator(), ids_);
}

void ShortlistRows::follow(std::span<const int32_t> parents) {
  next_rows_.clear();
  for (const int32_t parent : parents) next_rows_.push_back(rows_.at(static_cast<size_t>(parent)));
  rows_.swap(next_rows_);
}

void ShortlistRows::allow(const decoding::StepRequest& request) {
  for (size_t row = 0; row < request.forced.size(); ++row) {
    if (request.forced[row] >= 0) allow(row, request.forced[row]);
  }
  for (const auto& [row, id] : request.wanted) allow(static_cast<size_t>(row), id);
}

void ShortlistRows::allow(size_t row, int32_t id) {
  if (shortlist_.is_common(id)) return;
  Columns& own = own_[rows_[row]];
  if (std::ranges::find(own.ids, id) == own.ids.end()) own.add(shortlist_.generator(), {&id, 1});
}

std::span<const OutputPart> ShortlistRows::parts() {
  const Columns& common = shortlist_.common();
  parts_.assign(1, {0, rows_.size(), &common.weights.matrix(), common.ids.data()});
  for (size_t first = 0, end = 0; first < rows_.size(); first = end) {
    while (end < rows_.size() && rows_[end] == rows_[first]) ++end;
    const Columns& own = own_[rows_[first]];
    if (!own.ids.empty()) parts_.push_back({first, end - first, &own.weights.matrix(), own.ids.data()});
  }
  return parts_;
}

}  // namespace ventris::engine
