#pragma once
#include <string>
#include <string_view>

namespace ventris::model {

/// Whether a class or function that a pickle names is known to stand for plain data in the checkpoints of toolkits: a
/// tensor, a dictionary, an object that has only fields. `name` is "MODULE\nNAME". Nothing of it is ever run.
bool is_data_name(std::string_view name);

/// "MODULE.NAME", for messages, with '?' for what is not printable.
std::string dotted_name(std::string_view name);

}  // namespace ventris::model
