#pragma once
#include <zlib.h>

#include <string>
#include <string_view>

namespace ventris::files {

/// The end of the names of compressed files.
inline constexpr std::string_view kGzipSuffix = ".gz";

/// Compresses bytes, piece by piece, into one gzip member. The same pieces always give the same member.
class GzipPacker {
 public:
  enum class Then {
    kMore,   ///< more will follow; the output may lag behind
    kFlush,  ///< the output so far can be unpacked to the whole input so far
    kEnd     ///< completes the member; no call may follow
  };

  /// Throws std::bad_alloc.
  GzipPacker();
  ~GzipPacker();
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  /// Returns the next part of the output, which may be empty.
  std::string pack(std::string_view bytes, Then then);

 private:
  z_stream stream_{};
};

}  // namespace ventris::files
