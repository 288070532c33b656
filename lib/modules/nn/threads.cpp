#include "nn/threads.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

namespace ventris::nn {

void use_one_thread_per_operation() {
  at::set_num_threads(1);
  torch::ones({1}).tanh();
}

}  // namespace ventris::nn
