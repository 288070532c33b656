#include "training/used_memory.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/alignment.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "core/process.h"

namespace ventris::training {
namespace {

/// Gives memory of another allocator and counts it. Tensors may live longer than its use, but not than the program.
class CountingAllocator final : public c10::Allocator {
 public:
  void install() {
    if (base_ == nullptr) base_ = c10::GetAllocator(c10::kCPU);
    c10::SetAllocator(c10::kCPU, this);
  }
  void remove() { c10::SetAllocator(c10::kCPU, base_); }

  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &release, c10::Device(c10::kCPU)};
    auto* const header = static_cast<std::byte*>(base_->raw_allocate(bytes + kHeader));
    new (header) Header{static_cast<int64_t>(bytes), this};
    const int64_t now = used_ += static_cast<int64_t>(bytes);
    for (int64_t peak = peak_; now > peak && !peak_.compare_exchange_weak(peak, now);) {
    }
    return {header + kHeader, header + kHeader, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }

  void copy_data(void* to, const void* from, size_t bytes) const override { base_->copy_data(to, from, bytes); }

  int64_t used() const { return used_; }
  int64_t peak() const { return peak_; }
  void forget_peak() { peak_ = used_.load(); }

 private:
  /// In front of each tensor.
  struct Header {
    int64_t bytes;
    CountingAllocator* owner;
  };
  static constexpr size_t kHeader = c10::gAlignment;  // so that tensors are aligned as well as without it
  static_assert(sizeof(Header) <= kHeader);

  static void release(void* memory) {
    if (memory == nullptr) return;
    auto* const header = static_cast<std::byte*>(memory) - kHeader;
    const Header written = *reinterpret_cast<Header*>(header);
    written.owner->used_ -= written.bytes;
    written.owner->base_->raw_deallocate(header);
  }

  c10::Allocator* base_ = nullptr;
  std::atomic<int64_t> used_ = 0, peak_ = 0;
};

CountingAllocator& counting() {
  static auto* const allocator = new CountingAllocator;  // never deleted, because tensors may outlive static objects
  return *allocator;
}

using c10::CachingAllocator::Stat;
using c10::CachingDeviceAllocator::DeviceStats;

DeviceStats stats_of(torch::Device device) {
  return c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
}

const Stat& sum(const c10::CachingAllocator::StatArray& stats) {
  return stats[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

}  // namespace

UsedMemory::UsedMemory(torch::Device device) : device_(device) {
  if (device_.is_cpu()) {
    counting().install();
  } else {
    if (!device_.has_index()) device_.set_index(0);
    torch::empty({1}, device_);  // there are no counts before the first tensor
  }
  restart();
}

UsedMemory::~UsedMemory() {
  if (device_.is_cpu()) {
    counting().remove();
  } else {
    c10::getDeviceAllocator(device_.type())->emptyCache();  // blocks of other shapes than those that follow
  }
}

void UsedMemory::restart() {
  if (device_.is_cpu()) {
    core::forget_peak_memory();
    counting().forget_peak();
    before_ = counting().used();
  } else {
    c10::getDeviceAllocator(device_.type())->resetPeakStats(device_.index());
    before_ = sum(stats_of(device_).allocated_bytes).current;
  }
}

int64_t UsedMemory::growth() const {
  return (device_.is_cpu() ? counting().peak() : sum(stats_of(device_).allocated_bytes).peak) - before_;
}

int64_t UsedMemory::total() const {
  return device_.is_cpu() ? core::resident_memory().now : sum(stats_of(device_).reserved_bytes).current;
}

int64_t UsedMemory::total_peak() const {
  return device_.is_cpu() ? core::resident_memory().peak : sum(stats_of(device_).reserved_bytes).peak;
}

}  // namespace ventris::training
