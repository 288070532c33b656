#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ventris::exports {

/// model.bin of a Transformer of CTranslate2, version 6 of the format: named arrays, and other names for some of them.
/// All numbers are little-endian.
class CTranslate2File {
 public:
  /// `values` are row-major. Throws ModelError for 4 GiB or more, which the format has no number for.
  void tensor(const std::string& name, const std::vector<int64_t>& shape, const std::vector<float>& values);
  /// Attributes of the model.
  void flag(const std::string& name, int8_t value);
  void number(const std::string& name, int16_t value);
  /// `name` stands for the array `other`.
  void alias(const std::string& name, const std::string& other);

  /// The file's bytes. Empties the object, so that the arrays are not in memory twice.
  std::string bytes();

 private:
  std::map<std::string, std::string> arrays_;  // name -> the bytes after it: shape, type, data
  std::map<std::string, std::string> aliases_;
};

}  // namespace ventris::exports
