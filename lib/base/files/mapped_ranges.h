#pragma once
#include <cstdint>
#include <memory>
#include <string>

/// The files that are mapped into memory at the moment. If another program makes such a file shorter, the system sends
/// the signal SIGBUS to a program that uses a byte beyond the new end, and usually ends it without a message.
namespace ventris::files {

/// Notes the mapping of `size` bytes of the file `path` at `begin`. `descriptor` is open for this file; the list keeps
/// a copy of it. The mapping is noted as long as the result exists.
std::shared_ptr<const void> note_mapping(const void* begin, uint64_t size, const std::string& path, int descriptor);

/// What to tell about the file that is mapped at this address; null = none is. May be called in a signal handler.
const char* mapping_at(const void* address);

/// Throws ModelError if the file that is mapped at this address is shorter now than when it was mapped. Takes less than
/// a microsecond. A file that becomes shorter later is not seen. Other addresses are fine.
void check_mapping(const void* address);

/// From now on, a SIGBUS at an address of a mapped file ends the process with the exit code for models (4) after one
/// line on stderr, which begins with `program`. Any other SIGBUS has the effect that it had before. For programs; a
/// library leaves the signals of its process alone.
void explain_shortened_files(const std::string& program);

}  // namespace ventris::files
