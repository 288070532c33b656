#pragma once
#include <torch/torch.h>

namespace ventris::attention {

/// The weight of a point at distance u, in widths, before the weights of a query are divided by their sum.
enum class RegressionKernel {
  kGaussian,      ///< exp(-u^2 / 2)
  kBoxcar,        ///< 1 up to u = 1, then 0
  kEpanechnikov,  ///< 1 - u^2 up to u = 1, then 0 (Epanechnikov 1969)
};

struct KernelRegressionOptions {
  KernelRegressionOptions(RegressionKernel kernel) : kernel_(kernel) {}  // NOLINT(google-explicit-constructor)
  TORCH_ARG(RegressionKernel, kernel);
  TORCH_ARG(double, width) = 1;     ///< of the kernel, in the unit of the points; the first one if it is learned
  TORCH_ARG(bool, learned) = false;  ///< whether the width is a parameter
};

/// Nadaraya-Watson regression: the estimate at a query is the mean of the values, weighted by how near their keys are.
/// It is attention whose score is a distance. Source: Nadaraya 1964; Watson 1964.
class KernelRegressionImpl : public torch::nn::Module {
 public:
  /// Throws std::invalid_argument unless the width is finite and over 0, and if the width of a boxcar is to be learned:
  /// its estimates do not change with small changes of the width, so there is no gradient.
  explicit KernelRegressionImpl(const KernelRegressionOptions& options);

  /// query [..., q_len, features], key [..., k_len, features], value [..., k_len, targets]; mask bool, broadcast to
  /// [..., q_len, k_len], true = may look (undefined = everywhere) -> estimates [..., q_len, targets]. Where no key is
  /// in reach, the estimate is 0. Throws c10::Error for other shapes.
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {});

  /// The weights of the values [..., q_len, k_len]. They sum to 1 for each query, or to 0 where no key is in reach.
  torch::Tensor weights(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& mask = {}) const;

  torch::Tensor width() const { return log_width.exp(); }  ///< a scalar
  void pretty_print(std::ostream& out) const override;

  const KernelRegressionOptions options;
  torch::Tensor log_width;  ///< a scalar; a parameter if it is learned, otherwise a buffer
};
TORCH_MODULE(KernelRegression);

}  // namespace ventris::attention
