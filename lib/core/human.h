#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// Numbers in a form that is easy to read.
namespace ventris::core {

/// 1234567 -> "1,234,567".
std::string grouped(int64_t number);

/// Bytes in a suitable unit: "999 bytes", "1.5 MiB".
std::string size_text(uint64_t bytes);

/// Seconds as hours, minutes and seconds: "0:05", "1:02:03". Negative times count as 0.
std::string time_text(double seconds);

/// The noun for a count: "line" for 1, "lines" for any other.
std::string plural(int64_t count, std::string_view noun);

}  // namespace ventris::core
