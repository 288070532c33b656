#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/setting_description.h"

/// A function that visits every setting of a struct names each of them once: with FieldReader it reads and checks them,
/// with FieldWriter it writes them, with FieldList it tells docs/settings.md of them.
///
///   template <typename V>
///   void fields(V& visit, ScheduleConfig& config) {
///     visit({"kind", "Shape of the schedule."}, config.kind, kSchedules);
///     visit({"warmup_updates", "Updates until the peak."}, config.warmup_updates, {.least = 0});
///   }
namespace ventris::core {

/// The key of a setting, and what docs/settings.md says of it: a sentence or two, or kHelpOfItsFlag.
struct Field {
  Field(std::string its_key, std::string its_meaning) : key(std::move(its_key)), meaning(std::move(its_meaning)) {}

  std::string key;
  std::string meaning;
};

/// As a meaning: the help of the flag that sets it says it all.
inline constexpr const char* kHelpOfItsFlag = "";

template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <typename T>
concept Enumeration = std::is_enum_v<T>;

/// How a type stands in settings files; other types have specialisations of their own. `kDescription` names it in
/// docs/settings.md.
template <typename T>
struct FieldType {
  static constexpr const char* kDescription = std::is_same_v<T, bool>          ? "true or false"
                                              : std::is_floating_point_v<T>    ? "number"
                                              : std::is_unsigned_v<T>          ? "whole number, at least 0"
                                              : std::is_integral_v<T>          ? "whole number"
                                              : std::is_same_v<T, std::string> ? "text"
                                                                               : "list of texts";
  static void read(JsonReader& reader, const std::string& key, T& value) { reader.optional(key, value); }
  static nlohmann::json write(const T& value) { return value; }
};

/// Reads settings from `reader`, which the caller finishes. Every visitor throws ConfigError naming the setting.
class FieldReader {
 public:
  explicit FieldReader(JsonReader& reader) : reader_(reader) {}

  template <typename T>
    requires(!Enumeration<T>)
  void operator()(const Field& field, T& value) {
    FieldType<T>::read(reader_, field.key, value);
  }
  template <Enumeration E>
  void operator()(const Field& field, E& value, const Choices<E>& choices) {
    reader_.choice(field.key, value, choices);
  }
  /// A number outside the limits is refused.
  template <Number T>
  void operator()(const Field& field, T& value, const Limits<std::type_identity_t<T>>& limits) {
    if constexpr (std::is_same_v<T, int32_t>) {
      int64_t wide = value;
      (*this)(field, wide, {limits.least, limits.over, limits.most, limits.under});
      constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
      if (wide > kMost) fail<ConfigError>(reader_.path_of(field.key), ": must be at most ", kMost, ", got ", wide);
      value = static_cast<int32_t>(wide);
    } else {
      reader_.optional(field.key, value);
      check(reader_.path_of(field.key), value, limits);
    }
  }
  /// A number whose limits another function checks, when all settings are read.
  template <Number T>
  void checked_later(const Field& field, T& value, const Limits<std::type_identity_t<T>>& /*limits*/) {
    (*this)(field, value);
  }
  /// The settings under a key of their own: `visit_them` is called with a visitor as this one.
  template <typename Visit>
  void section(const Field& field, const Visit& visit_them) {
    JsonReader inner = reader_.section(field.key);
    FieldReader visit(inner);
    visit_them(visit);
    inner.finish();
  }

 protected:
  JsonReader& reader() { return reader_; }

 private:
  template <typename T>
  static void check(const std::string& path, const T& value, const Limits<T>& limits) {
    if (limits.least && !(value >= *limits.least)) {
      fail<ConfigError>(path, ": must be at least ", *limits.least, ", got ", value);
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) fail<ConfigError>(path, ": must be a finite number, got ", value);
    }
    if (limits.over && value <= *limits.over) fail<ConfigError>(path, ": must be over ", *limits.over, ", got ", value);
    if (limits.under && value >= *limits.under) {
      fail<ConfigError>(path, ": must be under ", *limits.under, ", got ", value);
    }
    if (limits.most && value > *limits.most) {
      fail<ConfigError>(path, ": must be at most ", *limits.most, ", got ", value);
    }
  }

  JsonReader& reader_;
};

/// Writes settings as FieldReader reads them; an optional one that has no value is left out.
class FieldWriter {
 public:
  template <typename T>
    requires(!Enumeration<T>)
  void operator()(const Field& field, const T& value) {
    const auto json = FieldType<T>::write(value);
    if (!json.is_null()) out[field.key] = json;
  }
  template <Enumeration E>
  void operator()(const Field& field, const E& value, const Choices<E>& choices) {
    out[field.key] = name_of(value, choices);
  }
  template <Number T>
  void operator()(const Field& field, const T& value, const Limits<std::type_identity_t<T>>& /*limits*/) {
    out[field.key] = value;
  }
  template <Number T>
  void checked_later(const Field& field, const T& value, const Limits<std::type_identity_t<T>>& /*limits*/) {
    out[field.key] = value;
  }
  template <typename Visit>
  void section(const Field& field, const Visit& visit_them) {
    FieldWriter visit;
    visit_them(visit);
    out[field.key] = visit.out;
  }

  nlohmann::json out = nlohmann::json::object();
};

/// Lists settings; their values are the defaults.
class FieldList {
 public:
  /// `path` is that of the section whose settings are listed; "" is the whole file.
  explicit FieldList(std::string path = "", std::string meaning = "")
      : sections{{path, std::move(meaning)}}, path_(std::move(path)) {}

  template <typename T>
    requires(!Enumeration<T>)
  void operator()(const Field& field, const T& value) {
    add(field, FieldType<T>::kDescription, FieldType<T>::write(value));
  }
  template <Enumeration E>
  void operator()(const Field& field, const E& value, const Choices<E>& choices) {
    add(field, "text", name_of(value, choices)).choices = names_of(choices);
  }
  template <Number T>
  void operator()(const Field& field, const T& value, const Limits<std::type_identity_t<T>>& limits) {
    const auto wide = [](const std::optional<T>& end) -> std::optional<double> {
      if (!end) return {};
      return static_cast<double>(*end);
    };
    add(field, FieldType<T>::kDescription, value).limits = {wide(limits.least), wide(limits.over), wide(limits.most),
                                                            wide(limits.under)};
  }
  template <Number T>
  void checked_later(const Field& field, const T& value, const Limits<std::type_identity_t<T>>& limits) {
    (*this)(field, value, limits);
  }
  template <typename Visit>
  void section(const Field& field, const Visit& visit_them) {
    FieldList visit(path_of(field.key), field.meaning);
    visit_them(visit);
    sections.insert(sections.end(), visit.sections.begin(), visit.sections.end());
  }

  /// For what no type or function above fits.
  SettingDescription& add(const Field& field, const std::string& type, const nlohmann::json& value) {
    sections.front().settings.push_back({.path = path_of(field.key),
                                         .type = type,
                                         .fallback = value.is_null() ? "" : value.dump(),
                                         .meaning = field.meaning});
    return sections.front().settings.back();
  }

  std::vector<SettingsSection> sections;  ///< that of the settings themselves first, then the inner ones

 private:
  std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  std::string path_;
};

}  // namespace ventris::core
