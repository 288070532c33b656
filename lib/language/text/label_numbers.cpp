#include "text/label_numbers.h"

#include "core/error.h"

namespace ventris::text {
namespace {

constexpr size_t kMostInAMessage = 10;

}  // namespace

LabelNumbers::LabelNumbers(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) numbers_.emplace(label, static_cast<int32_t>(numbers_.size()));
}

int32_t LabelNumbers::number_of(const std::string& label, const std::string& path, int64_t line) const {
  if (const auto found = numbers_.find(label); found != numbers_.end()) return found->second;
  std::vector<std::string> known(numbers_.size());
  for (const auto& [name, number] : numbers_) known[static_cast<size_t>(number)] = name;
  fail<DataError>(path, ":", line, ": the label '", label, "' is not a label of the model, which has ",
                  list_labels(known), "; the label is the text before the TAB");
}

std::string list_labels(const std::vector<std::string>& labels) {
  std::string list;
  for (size_t i = 0; i < labels.size() && i < kMostInAMessage; ++i) list += (i == 0 ? "" : ", ") + labels[i];
  if (labels.size() > kMostInAMessage) list += " and " + std::to_string(labels.size() - kMostInAMessage) + " more";
  return list;
}

}  // namespace ventris::text
