#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Numbers in a form that is easy to read.
namespace ventris::core {

/// 1234567 -> "1,234,567".
std::string grouped(int64_t number);

/// Bytes in a suitable unit: "999 bytes", "1.5 MiB".
std::string size_text(uint64_t bytes);

/// Seconds as hours, minutes and seconds: "0:05", "1:02:03". Negative times count as 0.
std::string time_text(double seconds);

/// How many per second: "0.4", "12.5", "1,234"; one digit after the point below 100.
std::string rate_text(int64_t count, double seconds);

/// The noun for a count: "line" for 1, "lines" for any other.
std::string plural(int64_t count, std::string_view noun);

/// "1 line", "2 lines".
std::string count_of(int64_t count, std::string_view noun);

/// Counts lines, and remembers the first few of the file, for messages.
class FirstLines {
 public:
  /// `number` counts from 1. A line that is the same as the last one, or as one of the first, does not count again.
  void add(int64_t number);
  int64_t count() const { return count_; }

  /// "line 7", "lines 7, 9", or with more than five lines "first: lines 7, 9, 10, 11, 30".
  std::string text() const;

 private:
  std::vector<int64_t> numbers_;
  int64_t count_ = 0, last_ = 0;
};

}  // namespace ventris::core
