#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace ventris::doctor {

/// How often short sequences of bytes occur in lines, by which texts of one language are more similar than those of
/// two (Cavnar and Trenkle 1994).
class LanguageProfile {
 public:
  LanguageProfile();

  /// Counts a line, unless enough have been counted.
  void add(std::string_view line);

  /// From 0 (nothing in common) to 1 (the same shares); 0 if one of them has no lines.
  double similarity(const LanguageProfile& other) const;

 private:
  std::vector<double> counts_;  ///< by the hash of the bytes
  size_t lines_ = 0;
};

/// Source and target side of a corpus.
struct SideProfiles {
  LanguageProfile source, target;
};

/// Whether the sides of one corpus are those of the other, exchanged. False for two sides in the same language.
bool are_swapped(const SideProfiles& one, const SideProfiles& other);

}  // namespace ventris::doctor
