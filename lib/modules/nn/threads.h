#pragma once

namespace ventris::nn {

/// Call this before starting several threads that compute. From then on, each LibTorch operation runs in the thread
/// that calls it. Also makes the first call to oneMKL's vector functions (tanh, exp, log...): if two threads made it at
/// the same moment, one of them could get results that differ in the last bit.
void use_one_thread_per_operation();

}  // namespace ventris::nn
