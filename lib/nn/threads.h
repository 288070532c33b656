#pragma once

namespace ventris::nn {

/// To be called before threads that compute side by side are started: from then on each LibTorch operation runs in the
/// thread that calls it. Also makes the first call of oneMKL's vector functions (tanh, exp, log...): where two threads
/// make it at the same moment, one of them can get results that differ in the last bit.
void use_one_thread_per_operation();

}  // namespace ventris::nn
