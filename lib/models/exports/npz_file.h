#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exports/stored_zip.h"

namespace ventris::exports {

/// An .npz file of NumPy: arrays with names.
class NpzFile {
 public:
  /// Throws ModelError as StoredZip.
  void add(const std::string& name, const std::vector<int64_t>& shape, const std::vector<float>& values);
  void add_bytes(const std::string& name, std::string_view bytes);  ///< an array of int8

  /// The file's bytes.
  std::string finish() && { return std::move(zip_).finish(); }

 private:
  void add(const std::string& name, const char* type, const std::vector<int64_t>& shape, std::string_view data);

  StoredZip zip_;
};

}  // namespace ventris::exports
