#include "doctor/language_profile.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace ventris::doctor {
namespace {

constexpr size_t kBins = 1 << 14, kBytes = 4, kMostLines = 20000;
constexpr double kClear = 0.2;  // of two sums of two similarities

}  // namespace

LanguageProfile::LanguageProfile() : counts_(kBins) {}

void LanguageProfile::add(std::string_view line) {
  if (lines_ == kMostLines) return;
  ++lines_;
  for (size_t at = 0; at + kBytes <= line.size(); ++at) {
    counts_[std::hash<std::string_view>()(line.substr(at, kBytes)) % kBins] += 1;
  }
}

double LanguageProfile::similarity(const LanguageProfile& other) const {
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const double norms = std::sqrt(product(counts_, counts_) * product(other.counts_, other.counts_));
  return norms > 0 ? product(counts_, other.counts_) / norms : 0;
}

bool are_swapped(const SideProfiles& one, const SideProfiles& other) {
  const double straight = one.source.similarity(other.source) + one.target.similarity(other.target);
  const double crossed = one.source.similarity(other.target) + one.target.similarity(other.source);
  return crossed > straight + kClear;
}

}  // namespace ventris::doctor
