#pragma once
#include <zlib.h>

#include <string>
#include <string_view>

namespace ventris::core {

/// Packs bytes, piece by piece, into one gzip member. The same bytes in the same pieces give the same member.
class GzipPacker {
 public:
  enum class Then {
    kMore,   ///< more will follow; what comes out may lag behind
    kFlush,  ///< all so far can be unpacked from what has come out
    kEnd     ///< the member is complete; no further call
  };

  /// Throws std::bad_alloc.
  GzipPacker();
  ~GzipPacker();
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  /// What comes out next, perhaps nothing.
  std::string pack(std::string_view bytes, Then then);

 private:
  z_stream stream_{};
};

}  // namespace ventris::core
