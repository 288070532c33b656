#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The file format of TensorBoard, written without TensorFlow or the library of protocol buffers.
namespace ventris::events {

/// crc32c (Castagnoli) of the bytes. Source: RFC 3720, appendix B.4.
uint32_t crc32c(std::string_view bytes);

/// A record of an event file: the length (8 bytes, little-endian), its masked crc32c, the bytes, and their masked
/// crc32c.
std::string framed(std::string_view bytes);

/// A name ("train/loss") and its value.
using Scalar = std::pair<std::string, double>;

/// Events as serialised protocol buffers (message tensorflow.Event). `time` is in seconds since 1970.
std::string version_event(double time);  ///< the first of a file
std::string start_event(double time, int64_t step);  ///< readers forget what earlier files have from `step` on
std::string scalar_event(double time, int64_t step, const std::vector<Scalar>& scalars);

}  // namespace ventris::events
