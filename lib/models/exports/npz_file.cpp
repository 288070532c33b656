#include "exports/npz_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ventris::exports {

void NpzFile::add(const std::string& name, const std::vector<int64_t>& shape, const std::vector<float>& values) {
  add(name, "<f4", shape, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

void NpzFile::add_bytes(const std::string& name, std::string_view bytes) {
  add(name, "|i1", {static_cast<int64_t>(bytes.size())}, bytes);
}

/// The format of .npy files, version 1.0: the data begins at a multiple of 64 bytes.
void NpzFile::add(const std::string& name, const char* type, const std::vector<int64_t>& shape, std::string_view data) {
  constexpr size_t kAlignment = 64, kBeforeText = 10;
  // The comma behind one length is that of Python's tuples; readers take other shapes with one as vectors.
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  text.append(kAlignment - (kBeforeText + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(text.size() % 256);
  bytes += static_cast<char>(text.size() / 256);
  bytes += text;
  bytes += data;
  zip_.add(name + ".npy", bytes);
}

}  // namespace ventris::exports
