#pragma once
#include <string>

namespace ventris::data {

/// Copies standard input unchanged to this file, so that it can be read more than once. The file appears only when all
/// input has been read. Throws DataError if the input is empty, WriteError, and Interrupted when a stop signal
/// arrives.
void spool_standard_input(const std::string& path);

}  // namespace ventris::data
