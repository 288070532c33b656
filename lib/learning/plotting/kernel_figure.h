#pragma once
#include <cstdint>
#include <string>

namespace ventris::plotting {

/// Nadaraya-Watson regression (attention/kernel_regression.h) of noisy points of y = 2 sin(x) + x^0.8, as SVG: for a
/// Gaussian, an Epanechnikov and a boxcar kernel of this width, and for a Gaussian one whose width is learned by
/// leaving one point out, the estimates and, below them, the weights of the points. The noise is normal with standard
/// deviation 0.5 and follows from `seed`. The example is that of Zhang et al., "Dive into Deep Learning", section 11.2.
/// Throws ConfigError unless there are 2 to 200 points and the width is over 0 and at most 100.
std::string kernels_figure(int64_t points, double width, uint64_t seed);

}  // namespace ventris::plotting
