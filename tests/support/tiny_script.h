#pragma once
#include <torch/script.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

/// A TorchScript "model" without weights whose answers can be told in a line of C++.
namespace ventris::test {

inline constexpr int32_t kTinyScriptVocab = 8;

/// It has the methods of our exports. A token's logit is how often it stands in the target so far, and half of how
/// often it stands in the source.
inline std::string write_tiny_script(const std::string& path, const torch::jit::ExtraFilesMap& extra = {}) {
  torch::jit::Module generator("TinyGenerator");
  generator.define(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.log_softmax(x, -1)
)");
  torch::jit::Module model("TinyScript");
  model.register_buffer("table", torch::eye(kTinyScriptVocab));
  model.register_module("generator", generator);
  model.define(R"(
def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
    return torch.embedding(self.table, src)

def decode(self, memory: Tensor, src_mask: Tensor, tgt: Tensor, tgt_mask: Tensor) -> Tensor:
    source = torch.matmul(src_mask * 1.0, memory)
    return source * 0.5 + torch.matmul(tgt_mask * 1.0, torch.embedding(self.table, tgt))
)");
  model.save(path, extra);
  return path;
}

/// The log-probability it gives to `id` after `target`, which begins with bos.
inline double tiny_script_log_prob(const std::vector<int32_t>& source, const std::vector<int32_t>& target, int32_t id) {
  const auto logit = [&](int32_t token) {
    return 0.5 * static_cast<double>(std::count(source.begin(), source.end(), token)) +
           static_cast<double>(std::count(target.begin(), target.end(), token));
  };
  double total = 0;
  for (int32_t token = 0; token < kTinyScriptVocab; ++token) total += std::exp(logit(token));
  return logit(id) - std::log(total);
}

}  // namespace ventris::test
