#include "serving/admission.h"

#include "serving/http_message.h"

namespace ventris::serving {

void Admission::enter(const std::string& client, int64_t characters) {
  const std::lock_guard lock(mutex_);
  const auto found = of_clients_.find(client);
  const int64_t before = found == of_clients_.end() ? 0 : found->second;
  if (before + characters > most_of_client_) {
    throw RequestError(429,
                       "Slowdown: " + std::to_string(before) + " characters of yours wait already, and at most " +
                           std::to_string(most_of_client_) + " may",
                       kRetrySeconds);
  }
  if (characters_ + characters > most_) {
    throw RequestError(503, "The server has too much to do at the moment; try again later", kRetrySeconds);
  }
  of_clients_[client] += characters;
  characters_ += characters;
}

void Admission::leave(const std::string& client, int64_t characters) {
  const std::lock_guard lock(mutex_);
  characters_ -= characters;
  const auto found = of_clients_.find(client);
  if (found != of_clients_.end() && (found->second -= characters) <= 0) of_clients_.erase(found);
}

int64_t Admission::characters() const {
  const std::lock_guard lock(mutex_);
  return characters_;
}

}  // namespace ventris::serving
