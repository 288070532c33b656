#include "serving/request_rate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "serving/http_message.h"

namespace ventris::serving {

void RequestRate::count(const std::string& client, int64_t per_minute, double now) {
  constexpr double kRounding = 1e-6;
  if (per_minute == 0) return;
  const std::lock_guard lock(mutex_);
  if (uses_.size() >= most_) forget_idle(now);
  Use& use = uses_[client];
  const double per_second = static_cast<double>(per_minute) / 60;
  use = {std::max(use.requests - (now - use.time) * per_second, 0.0), now, per_second};
  const double over = use.requests + 1 - static_cast<double>(per_minute);
  if (over > kRounding) {
    throw RequestError(429, "Slowdown: " + std::to_string(per_minute) + " per 1 minute",
                       static_cast<int>(std::ceil(over / per_second - kRounding)));
  }
  use.requests += 1;
}

void RequestRate::forget_idle(double now) {
  std::erase_if(uses_, [&](const auto& one) {
    const Use& use = one.second;
    return use.requests <= (now - use.time) * use.per_second;
  });
  most_ = std::max<size_t>(1024, 2 * uses_.size());
}

size_t RequestRate::clients() const {
  const std::lock_guard lock(mutex_);
  return uses_.size();
}

std::string client_of(const std::string& address) {
  in6_addr bytes{};
  if (inet_pton(AF_INET6, address.c_str(), &bytes) != 1) return address;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IN6_IS_ADDR_V4MAPPED(&bytes)) return inet_ntop(AF_INET, &bytes.s6_addr[12], text.data(), text.size());
  std::fill(std::begin(bytes.s6_addr) + 8, std::end(bytes.s6_addr), 0);
  return std::string(inet_ntop(AF_INET6, &bytes, text.data(), text.size())) + "/64";
}

}  // namespace ventris::serving
