#pragma once
#include <cstdint>
#include <vector>

/// The sinusoids of programs that have all sines of a position before all its cosines.
namespace ventris::imports {

/// The logarithm of the ratio of neighbouring frequencies, if the last is 1/10000 of the first, as CTranslate2 and
/// Marian compute it, in 32 bits. `width` is at least 4.
float frequency_step(int64_t width);

/// The same, as fairseq, OpenNMT-py and Hugging Face's transformers compute it, in 64 bits.
float step_in_64_bits(int64_t width);

/// Of `count` positions from `first`, [count, width]: the frequencies are exp(i step) for i = 0 to width / 2 - 1.
std::vector<float> halved_sinusoids(int64_t first, int64_t count, int64_t width, float step);

}  // namespace ventris::imports
