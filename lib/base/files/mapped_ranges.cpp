#include "files/mapped_ranges.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/error.h"

namespace ventris::files {
namespace {

constexpr int kBadModel = 4;  // the exit code of ModelError

/// A place in a list that only grows, so that a signal handler can read it at any time. Places are used again.
struct Place {
  std::atomic<uintptr_t> begin = 0, end = 0;  // equal = free
  std::string message;                        // changes only while the place is free
  int descriptor = -1;
  Place* next = nullptr;
};

std::atomic<Place*> first = nullptr;
std::mutex changing;  // of everything but begin and end
static_assert(std::atomic<uintptr_t>::is_always_lock_free && std::atomic<Place*>::is_always_lock_free);

/// A free place. The caller holds the lock.
Place& free_place() {
  for (Place* place = first; place != nullptr; place = place->next) {
    if (place->begin == place->end) return *place;
  }
  auto place = std::make_unique<Place>();
  place->next = first;
  first = place.get();
  return *place.release();
}

/// The mapping with this address; null = none.
const Place* place_at(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  for (const Place* place = first; place != nullptr; place = place->next) {
    if (place->begin <= wanted && wanted < place->end) return place;
  }
  return nullptr;
}

void forget(Place& place) {
  const std::lock_guard lock(changing);
  place.end = place.begin.load();
  if (place.descriptor >= 0) close(place.descriptor);
  place.descriptor = -1;
}

// What the handler needs.
struct sigaction former;
char prefix[256];
std::atomic<bool> explaining = false;

void write_text(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);
}

void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* message = info->si_code == BUS_ADRERR ? mapping_at(info->si_addr) : nullptr;
  if (message == nullptr) {
    sigaction(SIGBUS, &former, nullptr);
    if (info->si_code <= 0) raise(signal);  // sent by a process; otherwise the instruction is run again
    return;
  }
  while (explaining.exchange(true)) pause();  // another thread writes the message and ends the process
  write_text(prefix);
  write_text(message);
  write_text("\n");
  _exit(kBadModel);
}

}  // namespace

std::shared_ptr<const void> note_mapping(const void* begin, uint64_t size, const std::string& path, int descriptor) {
  const std::lock_guard lock(changing);
  Place& place = free_place();
  place.message = core::printable(
      path +
      ": the file became shorter, or can no longer be read, while it was in use; put a new version of a model in its "
      "place instead of writing into its files, and run the program again");
  place.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  place.begin = place.end = address;
  place.end = address + size;
  return {begin, [&place](const void*) { forget(place); }};
}

const char* mapping_at(const void* address) {
  const Place* place = place_at(address);
  return place == nullptr ? nullptr : place->message.c_str();
}

void check_mapping(const void* address) {
  const std::lock_guard lock(changing);
  const Place* place = place_at(address);
  struct stat status{};
  if (place == nullptr || place->descriptor < 0 || fstat(place->descriptor, &status) != 0) return;
  if (static_cast<uint64_t>(status.st_size) < place->end - place->begin) fail<ModelError>(place->message);
}

void explain_shortened_files(const std::string& program) {
  const std::string text = program + ": ";
  prefix[text.copy(prefix, sizeof prefix - 1)] = '\0';
  struct sigaction action{};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, &former);
}

}  // namespace ventris::files
