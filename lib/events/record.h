#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What TensorBoard reads, made without TensorFlow or protocol buffers' own library.
namespace ventris::events {

/// crc32c (Castagnoli) of the bytes. Source: RFC 3720, appendix B.4.
uint32_t crc32c(std::string_view bytes);

/// A record of an event file: its length (8 bytes, little-endian), the masked crc32c of these, the bytes, their masked
/// crc32c.
std::string framed(std::string_view bytes);

/// The records of a file's bytes, checked. Throws DataError, naming `where` and the byte, for a damaged one; what a
/// process left that was killed while it wrote the last one is passed over.
std::vector<std::string> unframed(std::string_view bytes, const std::string& where);

/// A figure and its name ("train/loss").
using Scalar = std::pair<std::string, double>;

/// Events as serialised protocol buffers (message tensorflow.Event). `time` is in seconds since 1970.
std::string version_event(double time);  ///< the first of a file
std::string start_event(double time, int64_t step);  ///< readers forget what earlier files have from `step` on
std::string scalar_event(double time, int64_t step, const std::vector<Scalar>& scalars);

}  // namespace ventris::events
