#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ventris::text {

/// The numbers of labels: their positions in a list.
class LabelNumbers {
 public:
  explicit LabelNumbers(const std::vector<std::string>& labels);

  /// Throws DataError with `path`, `line` (from 1) and the known labels if the label is not one of them.
  int32_t number_of(const std::string& label, const std::string& path, int64_t line) const;

 private:
  std::map<std::string, int32_t> numbers_;
};

/// "a, b, c", or the first ten and how many more there are.
std::string list_labels(const std::vector<std::string>& labels);

}  // namespace ventris::text
