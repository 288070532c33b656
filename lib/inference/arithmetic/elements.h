#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ventris::arithmetic {

/// What memory that grows step by step may take, if its largest content has so many bytes: half as much again.
constexpr int64_t grown(int64_t bytes) { return bytes + bytes / 2; }

/// Memory that starts at a cache line and is never filled with zeros first.
template <typename T>
class Aligned {
 public:
  Aligned() = default;
  /// Makes room for `size` elements. The content is lost if it grows.
  T* room(int64_t size) {
    if (size > size_) {
      size_ = size_ == 0 ? size : size + size / 2;  // it grows step by step: not at every step
      memory_ = std::vector<Line>(static_cast<size_t>((size_ * static_cast<int64_t>(sizeof(T)) + 63) / 64));
    }
    return data();
  }
  /// Makes room for `size` elements, and keeps the first `used`.
  T* extend(int64_t size, int64_t used) {
    if (size <= size_) return data();
    Aligned old = std::move(*this);
    size_ = used == 0 ? 0 : old.size_;
    return std::copy_n(old.data(), used, room(size)) - used;
  }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }

 private:
  struct alignas(64) Line {
    Line() {}  // NOLINT(modernize-use-equals-default): = default would fill it with zeros
    unsigned char bytes[64];
  };
  std::vector<Line> memory_;
  int64_t size_ = 0;
};

/// Elements of weights that no longer change: in memory that all copies share, or in a mapped file.
template <typename T>
class Elements {
 public:
  Elements() = default;  ///< empty
  Elements(std::vector<T> values) {  // NOLINT(google-explicit-constructor): a vector of weights is weights
    auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    data_ = kept->data();
    size_ = static_cast<int64_t>(kept->size());
    owner_ = std::move(kept);
  }
  Elements(std::initializer_list<T> values) : Elements(std::vector<T>(values)) {}
  /// `size` elements at `data`, which `owner` keeps.
  Elements(std::shared_ptr<const void> owner, const T* data, int64_t size)
      : owner_(std::move(owner)), data_(data), size_(size) {}

  const T* data() const { return data_; }
  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::shared_ptr<const void> owner_;
  const T* data_ = nullptr;
  int64_t size_ = 0;
};

/// Elements of `size`, which `fill` writes to a place that starts at a cache line.
template <typename T, typename Fill>
Elements<T> filled(int64_t size, const Fill& fill) {
  auto memory = std::make_shared<Aligned<T>>();
  fill(memory->room(size));
  const T* data = memory->data();
  return {std::move(memory), data, size};
}

}  // namespace ventris::arithmetic
