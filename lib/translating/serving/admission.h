#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace ventris::serving {

/// How many characters are in work, of all clients and of each. Several threads may use it.
class Admission {
 public:
  Admission(int64_t most, int64_t most_of_client) : most_(most), most_of_client_(most_of_client) {}

  /// Lets a request in. Throws RequestError: 429 if its client has too much in work, 503 if all clients have.
  void enter(const std::string& client, int64_t characters);
  /// The request is answered or given up.
  void leave(const std::string& client, int64_t characters);

  int64_t characters() const;

 private:
  const int64_t most_, most_of_client_;
  mutable std::mutex mutex_;
  int64_t characters_ = 0;
  std::map<std::string, int64_t> of_clients_;  // over 0
};

}  // namespace ventris::serving
