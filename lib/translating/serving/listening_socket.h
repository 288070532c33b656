#pragma once
#include <string>

namespace ventris::serving {

/// A socket that listens for connections.
class ListeningSocket {
 public:
  /// Takes a port, on which connections are refused until listen(). `address`: IPv4 or IPv6; `port` 0 = one that is
  /// free. Throws ConfigError if it is no address, or if nobody may listen there, such as a port that is in use.
  ListeningSocket(const std::string& address, int port);
  ~ListeningSocket();
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  /// Throws ConfigError as the constructor.
  void listen();

  int descriptor() const { return descriptor_; }
  bool is_ipv6() const { return ipv6_; }
  bool is_loopback() const { return loopback_; }
  int port() const { return port_; }
  std::string url() const;  ///< "http://127.0.0.1:5000"

  /// From now on, the system refuses connections.
  void close();

 private:
  [[noreturn]] void refuse(int port, int reason);

  std::string address_;
  int descriptor_ = -1, port_ = 0;
  bool ipv6_ = false, loopback_ = false;
};

}  // namespace ventris::serving
