#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Writes model.bin of CTranslate2 by hand, in any version, also such as CTranslate2 would not write.
namespace ventris::imports {

enum CTranslate2Type : uint8_t { kF32, kI8, kI16, kI32, kF16, kBf16 };

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

class CTranslate2Writer {
 public:
  explicit CTranslate2Writer(uint32_t version = 6, std::string kind = "TransformerSpec", uint32_t revision = 7)
      : version_(version), kind_(std::move(kind)), revision_(revision) {}

  static std::string number(uint64_t value, size_t bytes) { return {reinterpret_cast<const char*>(&value), bytes}; }
  static std::string text(const std::string& text) { return number(text.size() + 1, 2) + text + '\0'; }

  CTranslate2Writer& add(const std::string& name, const std::vector<uint32_t>& shape, uint8_t type,
                         const std::string& data) {
    static constexpr size_t kSizes[] = {4, 1, 2, 4, 2, 2};
    variables_ += text(name) + number(shape.size(), 1) + bytes_of(shape);
    const size_t item = type < std::size(kSizes) ? kSizes[type] : 1;
    variables_ +=
        version_ >= 4 ? number(type, 1) + number(data.size(), 4) : number(item, 1) + number(data.size() / item, 4);
    variables_ += data;
    ++count_;
    return *this;
  }
  CTranslate2Writer& floats(const std::string& name, const std::vector<uint32_t>& shape,
                            const std::vector<float>& values) {
    return add(name, shape, kF32, bytes_of(values));
  }
  CTranslate2Writer& flag(const std::string& name, int8_t value) {
    return add(name, {}, kI8, std::string(1, static_cast<char>(value)));
  }
  CTranslate2Writer& alias(const std::string& name, const std::string& other) {
    aliases_ += text(name) + text(other);
    ++alias_count_;
    return *this;
  }

  std::string finish() const {
    return number(version_, 4) + (version_ >= 2 ? text(kind_) + number(revision_, 4) : "") + number(count_, 4) +
           variables_ + (version_ >= 3 ? number(alias_count_, 4) + aliases_ : "");
  }

 private:
  uint32_t version_;
  std::string kind_;
  uint32_t revision_;
  std::string variables_, aliases_;
  uint64_t count_ = 0, alias_count_ = 0;
};

/// A model.bin of version 6 with one more variable. `bytes` must be well-formed.
inline std::string with_variable(std::string bytes, const std::string& name, const std::vector<uint32_t>& shape,
                                 uint8_t type, const std::string& data) {
  const std::string kind = "TransformerSpec";
  const size_t at = 4 + 2 + kind.size() + 1 + 4;  // of the number of variables
  uint32_t count = 0;
  bytes.copy(reinterpret_cast<char*>(&count), sizeof count, at);
  std::string variable = CTranslate2Writer::text(name) + CTranslate2Writer::number(shape.size(), 1) + bytes_of(shape) +
                         CTranslate2Writer::number(type, 1) + CTranslate2Writer::number(data.size(), 4) + data;
  bytes.replace(at, sizeof count, CTranslate2Writer::number(count + 1, 4));
  return bytes.insert(at + sizeof count, variable);
}

}  // namespace ventris::imports
