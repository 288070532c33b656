#pragma once
#include <cstdint>
#include <optional>

#include "architecture/reading.h"
#include "core/fields.h"

/// Visitors of the settings of a family (core/fields.h), with the kinds of settings that families have in common.
namespace ventris::architecture {

using core::Field;

/// Reads settings of the section "model".
class SettingsReader : public core::FieldReader {
 public:
  using core::FieldReader::FieldReader;

  /// A number from `least` to `most`.
  void size(const Field& field, int64_t& value, int64_t least = 1, int64_t most = kLargestSize) {
    read_size(reader(), field.key, value, least, most);
  }
  /// A probability: at least 0 and under 1.
  void dropout(const Field& field, double& value) { read_dropout(reader(), field.key, value); }
  void dropout(const Field& field, std::optional<double>& value) {
    if (!reader().has(field.key)) return;
    double given = 0;
    dropout(field, given);
    value = given;
  }
};

class SettingsWriter : public core::FieldWriter {
 public:
  void size(const Field& field, int64_t value, int64_t /*least*/ = 1, int64_t /*most*/ = kLargestSize) {
    (*this)(field, value);
  }
  void dropout(const Field& field, double value) { (*this)(field, value); }
  void dropout(const Field& field, const std::optional<double>& value) {
    if (value) (*this)(field, *value);
  }
};

class SettingsList : public core::FieldList {
 public:
  SettingsList() : FieldList("model") {}

  void size(const Field& field, int64_t value, int64_t least = 1, int64_t most = kLargestSize) {
    (*this)(field, value, {.least = least, .most = most});
  }
  void dropout(const Field& field, double value) { (*this)(field, value, {.least = 0, .under = 1}); }
  void dropout(const Field& field, const std::optional<double>& value) {
    dropout(field, value.value_or(0));
    if (!value) sections.front().settings.back().fallback.clear();
  }
};

}  // namespace ventris::architecture
