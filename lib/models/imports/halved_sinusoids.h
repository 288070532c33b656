#pragma once
#include <cstdint>
#include <vector>

/// The sinusoids of programs that have all sines of a position before all its cosines.
namespace ventris::imports {

/// As architecture::halved_frequency_step(), but in 64 bits, as fairseq, OpenNMT-py and Hugging Face's transformers
/// compute it.
float step_in_64_bits(int64_t width);

/// Of `count` positions from `first`, [count, width]: the frequencies are exp(i step) for i = 0 to width / 2 - 1.
std::vector<float> halved_sinusoids(int64_t first, int64_t count, int64_t width, float step);

}  // namespace ventris::imports
