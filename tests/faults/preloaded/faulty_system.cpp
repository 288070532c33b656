/// To be preloaded (LD_PRELOAD) into a program: a call of the system, or an allocation of C++, fails once.
///
/// VENTRIS_FAULT is "CALL ERROR N", such as "write ENOSPC 3": the N-th call (from 1) fails. CALL is open, read, write,
/// fsync, rename, mmap, close or new; ERROR is the name of an error, or SHORT (only half is read or written), DELAY
/// (the call takes 20 ms longer) or KILL (the process is killed instead). When it has happened, the file
/// VENTRIS_FAULT_DONE is there. Calls count from the beginning of main() to its end. The numbers of all calls are
/// written into the file VENTRIS_FAULT_COUNTS when the program ends. Calls for standard input, output and error do not
/// count. SentencePiece always gets memory, because its code does not survive without: the next allocation fails then.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum Call : int { kOpen, kRead, kWrite, kFsync, kRename, kMmap, kClose, kNew, kCalls };
constexpr const char* kNames[kCalls] = {"open", "read", "write", "fsync", "rename", "mmap", "close", "new"};

constexpr int kShort = -1, kDelay = -2, kKill = -3;
constexpr struct {
  const char* name;
  int number;
} kErrors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},      {"EINTR", EINTR},  {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
               {"EACCES", EACCES}, {"SHORT", kShort}, {"DELAY", kDelay}, {"KILL", kKill}};

std::atomic<long> counts[kCalls];
std::atomic<bool> ready = false;
int planned_call = -1, planned_error = 0;
std::atomic<long> planned_number = 0;

void write_file(const char* variable, const char* text, size_t size) {
  const char* path = getenv(variable);
  if (path == nullptr) return;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  syscall(SYS_write, file, text, size);
  syscall(SYS_close, file);
}

__attribute__((constructor)) void read_plan() {
  char call[16] = "", error[16] = "";
  long number = 0;
  const char* plan = getenv("VENTRIS_FAULT");
  if (plan != nullptr && sscanf(plan, "%15s %15s %ld", call, error, &number) == 3) {
    planned_number = number;
    for (int i = 0; i < kCalls; ++i) {
      if (strcmp(call, kNames[i]) == 0) planned_call = i;
    }
    for (const auto& known : kErrors) {
      if (strcmp(error, known.name) == 0) planned_error = known.number;
    }
  }
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

/// Counts from the beginning of main() to its end.
int counted_main(int count, char** arguments, char** environment) {
  ready = true;
  const int code = real_main(count, arguments, environment);
  ready = false;
  return code;
}

__attribute__((destructor)) void write_counts() {
  char text[256];
  int size = 0;
  ready = false;
  for (int i = 0; i < kCalls; ++i) {
    size += snprintf(text + size, sizeof text - static_cast<size_t>(size), "%s %ld\n", kNames[i], counts[i].load());
  }
  write_file("VENTRIS_FAULT_COUNTS", text, static_cast<size_t>(size));
}

/// Whether an allocation is made by SentencePiece, whose code does not survive without memory.
bool is_for_sentencepiece() {
  void* frames[48];
  const int found = backtrace(frames, 48);
  for (int i = 0; i < found; ++i) {
    Dl_info place;
    if (dladdr(frames[i], &place) != 0 && place.dli_fname != nullptr && strstr(place.dli_fname, "libsentencepiece")) {
      return true;
    }
  }
  return false;
}

/// The error with which this call fails; 0 = it does not.
int next_error(Call call) {
  if (!ready || ++counts[call] != planned_number || call != planned_call) return 0;
  if (call == kNew) {
    ready = false;  // for allocations of backtrace()
    const bool leave_out = is_for_sentencepiece();
    ready = true;
    if (leave_out) {
      ++planned_number;
      return 0;
    }
  }
  write_file("VENTRIS_FAULT_DONE", "", 0);
  if (planned_error == kKill) syscall(SYS_kill, getpid(), SIGKILL);
  if (planned_error == kDelay) {
    usleep(20'000);
    return 0;
  }
  return planned_error;
}

/// The same for a call that cannot be short.
bool fails(Call call) {
  const int error = next_error(call);
  if (error <= 0) return false;
  errno = error;
  return true;
}

size_t half(size_t size) { return size > 1 ? size / 2 : size; }

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  return fails(kOpen) ? -1 : static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

ssize_t transfer(Call call, int descriptor, size_t& size) {
  const int error = descriptor > STDERR_FILENO ? next_error(call) : 0;
  if (error == kShort) size = half(size);
  if (error <= 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

#define MODE_OF(flags)                          \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list more;                               \
    va_start(more, flags);                      \
    mode = va_arg(more, mode_t);                \
    va_end(more);                               \
  }

extern "C" {

int __libc_start_main(Main* main, int count, char** arguments, Main* begin, void (*end)(), void (*loader_end)(),
                      void* stack) {
  real_main = main;
  using Start = int(Main*, int, char**, Main*, void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, count, arguments, begin, end, loader_end, stack);
}

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_at(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return fails(kOpen) ? nullptr : next<FILE*(const char*, const char*)>("fopen")(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fails(kOpen) ? nullptr : next<FILE*(const char*, const char*)>("fopen64")(path, mode);
}
ssize_t read(int descriptor, void* bytes, size_t size) {
  return transfer(kRead, descriptor, size) < 0 ? -1 : syscall(SYS_read, descriptor, bytes, size);
}
ssize_t pread(int descriptor, void* bytes, size_t size, off_t place) {
  return transfer(kRead, descriptor, size) < 0 ? -1 : syscall(SYS_pread64, descriptor, bytes, size, place);
}
ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t place) {
  return transfer(kRead, descriptor, size) < 0 ? -1 : syscall(SYS_pread64, descriptor, bytes, size, place);
}
ssize_t write(int descriptor, const void* bytes, size_t size) {
  return transfer(kWrite, descriptor, size) < 0 ? -1 : syscall(SYS_write, descriptor, bytes, size);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  size_t all = 2;
  if (transfer(kWrite, descriptor, all) < 0) return -1;
  return syscall(SYS_writev, descriptor, parts, all == 1 ? 1 : count);
}
int fsync(int descriptor) { return fails(kFsync) ? -1 : static_cast<int>(syscall(SYS_fsync, descriptor)); }
int fdatasync(int descriptor) { return fails(kFsync) ? -1 : static_cast<int>(syscall(SYS_fdatasync, descriptor)); }
int rename(const char* from, const char* to) noexcept {
  return fails(kRename) ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return fails(kRename) ? -1 : static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return fails(kRename) ? -1 : static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
void* mmap(void* where, size_t size, int protection, int flags, int descriptor, off_t place) noexcept {
  if (descriptor >= 0 && fails(kMmap)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, where, size, protection, flags, descriptor, place));
}
void* mmap64(void* where, size_t size, int protection, int flags, int descriptor, off64_t place) noexcept {
  return mmap(where, size, protection, flags, descriptor, place);
}
int close(int descriptor) {  // which frees the descriptor even if it fails
  const int error = descriptor > STDERR_FILENO ? next_error(kClose) : 0;
  const long result = syscall(SYS_close, descriptor);
  if (error <= 0) return static_cast<int>(result);
  errno = error;
  return -1;
}

}  // extern "C"

void* operator new(size_t size) {
  if (next_error(kNew) > 0) throw std::bad_alloc();
  if (void* memory = malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
