#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "events/record.h"

namespace ventris::events {

/// An event file in a folder for TensorBoard: a fresh one a sitting, whose name sorts behind those that are there.
class EventFile {
 public:
  /// `first_step` is the first that this sitting will write: what earlier files have from there on, of a sitting that
  /// was killed, is forgotten by readers. Makes no file yet.
  EventFile(std::string folder, int64_t first_step);

  /// Appends an event with the time of now; the file is made with the first. Throws WriteError and leaves no file
  /// that has no event; the next event then begins another, since nothing can be read behind half an event.
  void write(int64_t step, const std::vector<Scalar>& scalars);

  /// Empty until the first event is written.
  const std::string& path() const { return path_; }

 private:
  std::string fresh_path() const;
  std::string opening() const;
  void append(const std::string& records);

  std::string folder_, path_;
  int64_t first_step_;
  bool started_ = false;  // readers have been told of first_step_
};

/// The event files of a folder, in the order in which they are read; none if there is no such folder.
std::vector<std::string> event_files(const std::string& folder);

/// Those that an EventFile made: other programs write such files, too.
std::vector<std::string> own_event_files(const std::string& folder);

}  // namespace ventris::events
