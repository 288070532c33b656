#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "events/record.h"

namespace ventris::events {

/// An event file for TensorBoard. Each start of the program makes a new one, whose name sorts after the existing ones.
class EventFile {
 public:
  /// `first_step` is the first step that will be written. Readers then ignore events of earlier files (of a killed
  /// program) from this step on. Does not create the file yet.
  EventFile(std::string folder, int64_t first_step);

  /// Appends an event with the current time; the first event creates the file. Throws WriteError, and then leaves no
  /// file without events. The next event begins a new file, because readers cannot continue after half an event.
  void write(int64_t step, const std::vector<Scalar>& scalars);

  /// Empty until the first event is written.
  const std::string& path() const { return path_; }

 private:
  std::string fresh_path() const;
  std::string opening() const;
  void append(const std::string& records);

  std::string folder_, path_;
  int64_t first_step_;
  bool started_ = false;  // first_step_ was written
};

/// The event files of a folder, in the order in which they are read; empty if the folder does not exist.
std::vector<std::string> event_files(const std::string& folder);

/// Only those that an EventFile made, because other programs write event files, too.
std::vector<std::string> own_event_files(const std::string& folder);

}  // namespace ventris::events
