#pragma once
#include <filesystem>
#include <string>

namespace ventris::installation {

/// The folder of a package of an interpreter: of "python3" as found in PATH, or of the program at a path. The package
/// is not imported, and the current folder is not searched. Empty if there is no such interpreter or package. Throws
/// ResourceError if the system refuses to start the interpreter.
std::filesystem::path python_package(const std::string& interpreter, const std::string& package);

}  // namespace ventris::installation
