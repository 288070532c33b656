#include "markup/fences.h"

#include "markup/characters.h"

namespace ventris::markup {

bool Fences::take(std::string_view line) {
  constexpr std::string_view kBehindFence = " \t\r";
  constexpr size_t kShortest = 3;
  const std::string_view sign = fence_.empty() ? line.substr(0, 1) : std::string_view(fence_).substr(0, 1);
  if (sign != "`" && sign != "~") return !fence_.empty();
  const size_t size = run_of(line, 0, sign);
  const std::string_view rest = line.substr(size);
  if (!fence_.empty()) {
    if (size >= fence_.size() && rest.find_first_not_of(kBehindFence) == std::string_view::npos) fence_.clear();
    return true;
  }
  if (size < kShortest || (sign == "`" && rest.find('`') != std::string_view::npos)) return false;
  fence_ = std::string(line.substr(0, size));
  return true;
}

}  // namespace ventris::markup
