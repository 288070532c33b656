#include <zlib.h>

/// All checksums of zlib are 0 in a program with this file: those of zip and gzip files, of folders, of caches and of
/// lexicons. So a change of a byte is not found by its checksum, and the checks behind it must find it.
extern "C" {

uLong crc32(uLong /*so_far*/, const Bytef* /*bytes*/, uInt /*size*/) { return 0; }
uLong crc32_z(uLong /*so_far*/, const Bytef* /*bytes*/, z_size_t /*size*/) { return 0; }

}  // extern "C"
