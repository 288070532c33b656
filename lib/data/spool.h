#pragma once
#include <string>

namespace ventris::data {

/// Copies standard input to this file, as it is, so that it can be read more than once. The file is there when all of
/// it has been read, and not before. Throws DataError if there is nothing to read, WriteError, and Interrupted when a
/// stop signal arrives.
void spool_standard_input(const std::string& path);

}  // namespace ventris::data
