#pragma once
#include <memory>

#include "serving/api.h"
#include "serving/listening_socket.h"
#include "serving/serve_settings.h"

namespace ventris::serving {

/// Speaks HTTP with clients, by libmicrohttpd, and asks the Api for answers.
class HttpServer {
 public:
  /// Throws core::ResourceError if it cannot start.
  HttpServer(Api& api, ListeningSocket& socket, const ServeLimits& limits, bool forwarded_for);
  ~HttpServer();  ///< closes all connections; the Api must have answered or given up all requests
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// To be called a few times a second: closes connections that are too slow, and gives up the work of those whose
  /// client has gone.
  void sweep();

  /// No new connections; those that are open are closed after their answers.
  void stop_accepting();

  /// Requests that have begun to arrive or wait for their answer to be sent.
  size_t unanswered() const;
  size_t in_work() const;  ///< requests that wait for the answer of the Api

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ventris::serving
