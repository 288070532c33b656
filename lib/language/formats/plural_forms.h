#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ventris::formats {

/// Which form of a message gettext takes for a number: "nplurals=2; plural=n != 1;", the field Plural-Forms of a header
/// (GNU gettext, section 12.6, "Additional functions for plural forms").
class PluralForms {
 public:
  /// Nothing for a text that cannot be read, such as that of a template ("nplurals=INTEGER").
  static std::optional<PluralForms> parse(std::string_view field);

  /// The number of the form, from 0; nothing if the formula divides by 0.
  std::optional<uint64_t> form_of(uint64_t number) const;

  /// Whether no other number from 0 to 1000 has the form of 1.
  bool has_form_for_one() const { return for_one_; }

  uint64_t count() const { return count_; }

 private:
  bool is_only_for_one() const;

  uint64_t count_ = 0;
  bool for_one_ = false;
  std::string formula_;
};

}  // namespace ventris::formats
