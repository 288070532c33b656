#include "nn/dropout.h"

#include <stdexcept>
#include <string>

#include "nn/random_scope.h"

namespace ventris::nn {

DropoutImpl::DropoutImpl(double probability) : p(probability) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument("Dropout: p must be in [0, 1), got " + std::to_string(p));
}

torch::Tensor DropoutImpl::forward(const torch::Tensor& x) {
  if (!is_training() || p == 0) return x;
  torch::Tensor mask;
  {
    const torch::NoGradGuard no_grad;
    mask = torch::empty_like(x).bernoulli_(1 - p, RandomScope::current()).div_(1 - p);
  }
  return x * mask;
}

void DropoutImpl::pretty_print(std::ostream& out) const { out << "ventris::nn::Dropout(p=" << p << ")"; }

}  // namespace ventris::nn
