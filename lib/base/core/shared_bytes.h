#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace ventris::core {

/// Bytes that all copies share: a text in memory, or a file that is mapped into memory (files/mapped_file.h).
class SharedBytes {
 public:
  SharedBytes() = default;  ///< none
  explicit SharedBytes(std::string text);
  /// Bytes of a mapping, which `owner` keeps.
  static SharedBytes of_mapping(std::shared_ptr<const void> owner, std::string_view bytes);

  explicit operator bool() const { return owner_ != nullptr; }  ///< false = none
  std::string_view view() const { return bytes_; }
  /// What keeps the bytes valid.
  const std::shared_ptr<const void>& owner() const { return owner_; }
  /// Whether the pages belong to a file: they can then be released, and other processes share them.
  bool mapped() const { return mapped_; }
  /// If the bytes are mapped, those of `part` no longer count as memory of this process. They are read from the file
  /// again when they are used again.
  void release(std::string_view part) const;

 private:
  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
  bool mapped_ = false;
};

}  // namespace ventris::core
