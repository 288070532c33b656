#pragma once
#include <cstdint>
#include <string>

/// SVG figures of what the modules compute, made with these modules.
namespace ventris::plotting {

/// Sinusoidal position vectors as a heat map: rows are positions, columns features. Throws ConfigError for sizes under
/// 1 or over 2,000, and for more than 250,000 cells.
std::string positions_map(int64_t positions, int64_t d_model);

/// The same vectors as curves over the positions, for four adjacent features from `first_feature` on. Also throws
/// ConfigError if these features do not exist.
std::string positions_curves(int64_t positions, int64_t d_model, int64_t first_feature);

/// The masks of a target of `size` tokens whose last `padding` tokens are padding: the padding mask, the mask of later
/// positions, and both together. Throws ConfigError for a size not in [1, 200] or a padding not in [0, size).
std::string mask_figure(int64_t size, int64_t padding);

/// The distribution that the loss compares predictions with, for each target of a vocabulary whose token 0 is padding.
/// Throws ConfigError for a vocabulary not in [3, 40] or a smoothing outside [0, 1).
std::string smoothing_figure(int64_t vocab, double smoothing);

}  // namespace ventris::plotting
