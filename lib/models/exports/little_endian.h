#pragma once
#include <string>

namespace ventris::exports {

/// Appends the bytes of a number. The processors that Ventris runs on are little-endian, as these formats are.
template <typename Number>
void append(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace ventris::exports
