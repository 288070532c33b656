#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json_reader.h"
#include "core/utf8.h"
#include "files/json_file.h"
#include "files/output_name.h"
#include "support/choices.h"

namespace ventris::apps {

/// Throws ConfigError for values that merging would accept silently: a null, which erases a key, and a value of another
/// type where `known` has an object. `path` names the object in messages ("training"); "" is the whole file.
inline void check_mergeable(const nlohmann::json& json, const nlohmann::json& known, const std::string& file,
                            const std::string& path = "") {
  const std::string where = file + ": " + (path.empty() ? "" : path + ": ");
  if (json.is_null() && !path.empty()) {
    fail<ConfigError>(where, "expected a value, got null; leave the setting out for its default");
  }
  if (!json.is_object()) {
    fail<ConfigError>(where, "expected an object {...}, got ", core::cut_utf8(json.dump(), 60));
  }
  static const nlohmann::json unknown;
  for (const auto& [key, value] : json.items()) {
    const auto found = known.find(key);
    const auto& counterpart = found == known.end() ? unknown : *found;
    if (!value.is_null() && !value.is_object() && !counterpart.is_object()) continue;
    check_mergeable(value, counterpart, file, path.empty() ? key : path + "." + key);
  }
}

/// For --dump-config. Bytes of a path that are not valid UTF-8 become U+FFFD.
inline void print_settings(const nlohmann::json& settings) {
  std::cout << settings.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

/// Settings from defaults, files and flags. A later file overrides an earlier one; a flag overrides all files.
class Settings {
 public:
  /// The help of the flags shows `defaults`. Adds -c/--config to `app`.
  Settings(CLI::App& app, nlohmann::json defaults) : app_(app), defaults_(std::move(defaults)) {
    app.add_option("-c,--config", files_,
                   "Settings file (JSON, repeatable; a later file overrides an earlier one, a flag overrides all)")
        ->type_name("FILE")
        ->allow_extra_args(false);
  }

  /// A flag that sets the value at this JSON pointer ("/training/after").
  template <typename T>
  CLI::Option* flag(const std::string& name, const std::string& pointer, const std::string& help,
                    const std::string& group) {
    auto* option = app_.add_option_function<T>(
        name, [this, pointer](const T& value) { flags_[nlohmann::json::json_pointer(pointer)] = value; }, help);
    const nlohmann::json::json_pointer at(pointer);
    if (defaults_.contains(at) && !defaults_.at(at).empty()) {
      const auto& value = defaults_.at(at);
      option->default_str(value.is_string() ? value.get<std::string>() : value.dump());
    }
    return option->check(sets(pointer))->group(group);
  }

  /// A flag whose value is passed to `take`, which may call set() for these pointers.
  template <typename T>
  CLI::Option* flag(const std::string& name, const std::vector<std::string>& pointers,
                    const std::function<void(const T&)>& take, const std::string& help, const std::string& group) {
    auto* option = app_.add_option_function<T>(name, take, help);
    for (const std::string& pointer : pointers) option->check(sets(pointer));
    return option->group(group);
  }

  /// A flag without a value that turns the setting on; `--NAME=false` turns it off, even if a settings file turned it
  /// on. (With an optional value, a file name after the flag would be read as the value.)
  CLI::Option* add_switch(const std::string& name, const std::string& pointer, const std::string& help,
                          const std::string& group) {
    return app_.add_flag_function(
                   name, [this, pointer](int64_t count) { set(pointer, count > 0); }, help)
        ->check(sets(pointer))
        ->group(group);
  }

  /// Sets a value in the same way as a flag.
  void set(const std::string& pointer, const nlohmann::json& value) {
    flags_[nlohmann::json::json_pointer(pointer)] = value;
  }

  /// Calls `action` with the merged settings. If they have an unknown setting, the message names the settings file that
  /// it is in. Throws what merged() and `action` throw.
  template <typename Action>
  void with_merged(const Action& action) const {
    const nlohmann::json all = merged();
    try {
      action(all);
    } catch (const core::UnknownSetting& unknown) {
      const std::string file = file_of(unknown.path);
      if (file.empty()) throw;
      fail<ConfigError>(file, ": ", unknown.what());
    }
  }

  /// The value that flags have set at this pointer; null = none has.
  nlohmann::json of_flags(const std::string& pointer) const {
    return flags_.value(nlohmann::json::json_pointer(pointer), nlohmann::json());
  }

  /// The merged settings. Throws ConfigError for a file that cannot be read, parsed or merged, and for one that is also
  /// the output.
  nlohmann::json merged() const {
    nlohmann::json all = of_files();
    all.merge_patch(flags_);
    const auto output = all.find("output");
    if (output != all.end() && output->is_string()) files::check_is_no_input(output->get<std::string>(), files_);
    return all;
  }

  /// The same without flags.
  nlohmann::json of_files() const {
    nlohmann::json all = nlohmann::json::object(), known = defaults_;
    known.merge_patch(flags_);
    read_files();
    for (size_t i = 0; i < files_.size(); ++i) {
      check_mergeable(contents_[i], known, files_[i]);
      all.merge_patch(contents_[i]);
    }
    return all;
  }

 private:
  /// The last settings file with the setting of this path ("data.corpora[0].weight"); "" = none has it.
  std::string file_of(const std::string& path) const {
    std::string pointer = "/";
    for (const char c : path) {
      if (c == '.' || c == '[')
        pointer += '/';
      else if (c == '~')
        pointer += "~0";
      else if (c == '/')
        pointer += "~1";
      else if (c != ']')
        pointer += c;
    }
    for (size_t i = files_.size(); i > 0; --i) {
      if (has(contents_[i - 1], pointer)) return files_[i - 1];
    }
    return "";
  }

  static bool has(const nlohmann::json& settings, const std::string& pointer) {
    try {
      return settings.contains(nlohmann::json::json_pointer(pointer));
    } catch (const nlohmann::json::exception&) {  // a number that is no place in a list
      return false;
    }
  }

  /// Reads each file once: a pipe (`-c <(COMMAND)`) can be read no second time.
  void read_files() const {
    for (size_t i = contents_.size(); i < files_.size(); ++i) contents_.push_back(files::read_json_file(files_[i]));
  }

  CLI::App& app_;
  nlohmann::json defaults_;
  nlohmann::json flags_ = nlohmann::json::object();
  std::vector<std::string> files_;
  mutable std::vector<nlohmann::json> contents_;  // of files_, once they have been read
};

}  // namespace ventris::apps
