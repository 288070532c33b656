#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ventris::serving {

/// How many requests each client makes in a minute. A client may make so many at once; each of them is free again after
/// a minute divided by their number. Several threads may use it.
class RequestRate {
 public:
  /// Counts a request of a client that may make `per_minute` of them; 0 = as many as it likes. `now`: seconds. Throws
  /// RequestError (429), which says when the next one is free.
  void count(const std::string& client, int64_t per_minute, double now);

  size_t clients() const;  ///< that are remembered: those with requests that are not free again

 private:
  struct Use {
    double requests = 0;  // that are not free again, at this time
    double time = 0;
    double per_second = 0;
  };
  void forget_idle(double now);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Use> uses_;
  size_t most_ = 1024;  // clients before idle ones are forgotten
};

/// Whom an address stands for: the same IPv4 address, also if it is written as IPv6; of IPv6, the network of 64 bits,
/// because who has one has all its addresses. Any other text stays as it is.
std::string client_of(const std::string& address);

}  // namespace ventris::serving
