#pragma once
#include <initializer_list>
#include <string>
#include <utility>

#include "architecture/transformer_options.h"
#include "imports/config_file.h"

/// Settings that the toolkits have in common.
namespace ventris::imports {

/// An activation by its name in a toolkit.
using ActivationNames = std::initializer_list<std::pair<const char*, architecture::Activation>>;

/// The activation that `key` names; `missing` if it is not there. Throws ModelError with the names that are known.
architecture::Activation activation_named(const ConfigFile& config, const std::string& key, const char* missing,
                                          const ActivationNames& names);

/// Throws ModelError unless the width is an even multiple of the number of heads under `key`.
void check_heads(const ConfigFile& config, const std::string& key, const architecture::TransformerOptions& options);

/// Throws ModelError for a setting other than this one, or missing: "expected VALUE, found OTHER; REASON".
void expect_text(const ConfigFile& config, const std::string& key, const std::string& value, const std::string& reason);

/// Throws ModelError unless the number is missing or `value`.
void expect_number(const ConfigFile& config, const std::string& key, double value, const std::string& reason);

/// The epsilon of norms, "norm_eps"; `missing` if it is not there. Throws ModelError unless it is between 0 and 1.
double norm_epsilon_of(const ConfigFile& config, double missing);

/// A probability of dropout, or the first of a list; `missing` if there is none, or none that can be used.
double dropout_of(const ConfigFile& config, const std::string& key, double missing);

}  // namespace ventris::imports
