#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// What an interrupted program leaves of its output.
namespace ventris::files {

/// "FILE.partial", or "FILE.partial-2" for number 2. A suffix ".gz" stays at the end: "out.partial.gz".
std::string partial_name(const std::string& path, int number);

/// The highest number that is tried.
inline constexpr int kMostPartial = 1000;

/// An open file with its name.
struct NamedFile {
  std::string name;
  int descriptor = -1;
};

/// Creates partial_name() of `path` with the first free number, and locks it as long as it is open (unless the file
/// system has no locks). With descriptor -1, errno says why it is not possible.
NamedFile create_partial(const std::string& path, mode_t mode);

/// Whether a process has locked this file.
bool is_locked(const std::string& partial);

/// Removes such a file if it belongs to this user and no process has locked it. Returns whether it is gone.
bool remove_abandoned(const std::string& partial);

/// The files of this kind that exist for the output `path`, in the order of their numbers. A link at `path` is
/// followed.
std::vector<std::string> partial_files(const std::string& path);

/// Calls each(line) for each line, without its line feed. A last line without one is left out, and so is what cannot be
/// unpacked at the end of a file whose name ends in ".gz". Throws DataError if the file cannot be read.
void for_each_whole_line(const std::string& path, const std::function<void(std::string_view line)>& each);

}  // namespace ventris::files
