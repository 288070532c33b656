#include "files/gzip_packer.h"

#include <array>
#include <new>

namespace ventris::files {
namespace {

constexpr size_t kPackedBytes = 1 << 14;
constexpr int kGzipOnly = 16 + MAX_WBITS;
constexpr int kMemoryLevel = 8;  // zlib's own default

int flush_of(GzipPacker::Then then) {
  return then == GzipPacker::Then::kEnd ? Z_FINISH : then == GzipPacker::Then::kFlush ? Z_SYNC_FLUSH : Z_NO_FLUSH;
}

}  // namespace

GzipPacker::GzipPacker() {
  const int made =
      deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel, Z_DEFAULT_STRATEGY);
  if (made != Z_OK) throw std::bad_alloc();
}

GzipPacker::~GzipPacker() { deflateEnd(&stream_); }

std::string GzipPacker::pack(std::string_view bytes, Then then) {
  std::string packed;
  std::array<char, kPackedBytes> block{};
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());  // pieces are far under 4 GiB
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_out = static_cast<uInt>(block.size());
    deflate(&stream_, flush_of(then));
    packed.append(block.data(), block.size() - stream_.avail_out);
  } while (stream_.avail_out == 0);
  return packed;
}

}  // namespace ventris::files
