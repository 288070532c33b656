#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// Figures as people read them.
namespace ventris::core {

/// 1234567 -> "1,234,567".
std::string grouped(int64_t number);

/// Bytes in the unit that fits: "999 bytes", "1.5 MiB".
std::string size_text(uint64_t bytes);

/// Seconds as hours, minutes and seconds: "0:05", "1:02:03". At least 0.
std::string time_text(double seconds);

/// The noun behind a count: "line" for 1, "lines" for any other.
std::string plural(int64_t count, std::string_view noun);

}  // namespace ventris::core
