#pragma once
#include <torch/torch.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What the scripts of this folder wrote, as tensors.
namespace ventris::test {

inline nlohmann::json expected_file(const std::string& name) {
  std::ifstream stream(std::string(VENTRIS_SOURCE "/tests/parity/") + name);
  return nlohmann::json::parse(stream);
}

inline torch::Tensor stored(const nlohmann::json& entry) {
  const auto values = entry.at("values").get<std::vector<float>>();
  return torch::tensor(values).view(entry.at("shape").get<std::vector<int64_t>>());
}

inline torch::Tensor stored_ids(const nlohmann::json& rows) {
  std::vector<torch::Tensor> tensors;
  for (const nlohmann::json& row : rows) tensors.push_back(torch::tensor(row.get<std::vector<int64_t>>()));
  return torch::stack(tensors);
}

/// The largest difference in units of `tolerance` x max(1, |expected|); at most 1 is agreement.
inline double distance(const torch::Tensor& got, const torch::Tensor& want, double tolerance) {
  if (got.sizes() != want.sizes()) return std::numeric_limits<double>::infinity();
  return ((got - want).abs() / want.abs().clamp_min(1)).max().item<double>() / tolerance;
}

}  // namespace ventris::test
