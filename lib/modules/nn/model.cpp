#include "nn/model.h"

#include "nn/module_parameters.h"

namespace ventris::nn {

void ModelImpl::initialise() {
  for (const torch::Tensor& parameter : distinct_parameters(*this)) {
    if (parameter.dim() == 2) torch::nn::init::xavier_uniform_(parameter);
  }
}

}  // namespace ventris::nn
