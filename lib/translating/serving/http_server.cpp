#include "serving/http_server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <poll.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/log.h"
#include "core/process.h"
#include "core/resources.h"
#include "serving/careful_log.h"
#include "serving/form.h"

namespace ventris::serving {
namespace {

constexpr unsigned kThreads = 2;                 // that read requests; translating has its own
constexpr size_t kConnectionMemory = 32 << 10;   // bytes: the longest header that is accepted
constexpr rlim_t kOtherFiles = 64;               // descriptors besides connections

std::string text_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address == nullptr) return "";
  if (address->sa_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text.data(), text.size());
  }
  return text.data();
}

/// A header that each proxy adds to, or adds once more: the last one, which is that of the nearest proxy.
std::string last_header_of(MHD_Connection* connection, const std::string& name) {
  struct Search {
    const std::string& name;
    std::string last;
  } search{name, ""};
  const auto look = [](void* to, MHD_ValueKind /*kind*/, const char* key, const char* value) -> MHD_Result {
    auto& wanted = *static_cast<Search*>(to);
    if (strcasecmp(key, wanted.name.c_str()) == 0) wanted.last = value == nullptr ? "" : value;
    return MHD_YES;
  };
  using Look = MHD_Result (*)(void*, MHD_ValueKind, const char*, const char*);
  MHD_get_connection_values(connection, MHD_HEADER_KIND, static_cast<Look>(look), &search);
  return search.last;
}

/// The last address of X-Forwarded-For, which the nearest proxy has added.
std::string last_of(const std::string& list) {
  const size_t comma = list.rfind(',');
  std::string last = comma == std::string::npos ? list : list.substr(comma + 1);
  last.erase(0, last.find_first_not_of(' '));
  return last.substr(0, 64);
}

std::string header_of(MHD_Connection* connection, const char* name) {
  const char* const value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? "" : value;
}

/// Raises the limit of open files as far as it may be.
void allow_files(int64_t connections) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = static_cast<rlim_t>(connections) + kOtherFiles;
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < wanted) core::log_warning("connections: the system allows fewer open files (ulimit -n)");
}

MHD_Result queue(MHD_Connection* connection, HttpResponse given, bool last) {
  // The library keeps it until it was sent.
  auto kept = std::make_unique<HttpResponse>(std::move(given));
  const auto forget = [](void* sent) { delete static_cast<HttpResponse*>(sent); };
  MHD_Response* const made = MHD_create_response_from_buffer_with_free_callback_cls(
      kept->body.size(), kept->body.data(), static_cast<void (*)(void*)>(forget), kept.get());
  if (made == nullptr) return MHD_NO;
  const HttpResponse& response = *kept.release();
  if (!response.content_type.empty()) {
    MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, response.content_type.c_str());
  }
  for (const auto& [name, value] : response.headers) MHD_add_response_header(made, name.c_str(), value.c_str());
  if (last) MHD_add_response_header(made, MHD_HTTP_HEADER_CONNECTION, "close");
  const MHD_Result result = MHD_queue_response(connection, static_cast<unsigned>(response.status), made);
  MHD_destroy_response(made);
  return result;
}

}  // namespace

class HttpServer::Implementation {
 public:
  Implementation(Api& api, ListeningSocket& socket, const ServeLimits& limits, bool forwarded_for)
      : api_(api), socket_(socket), limits_(limits), forwarded_for_(forwarded_for) {
    allow_files(limits.connections);
    start();
  }
  ~Implementation() {
    stop_accepting();  // so that the library does not close the socket, too
    MHD_stop_daemon(daemon_);
  }

  void sweep();
  size_t unanswered() const;
  size_t in_work() const;
  void stop_accepting() {
    if (stopping_.exchange(true)) return;
    MHD_quiesce_daemon(daemon_);
    socket_.close();
  }

 private:
  enum class Phase { kReceiving, kWorking, kSending };

  /// A connection, for the sweep.
  struct Connection {
    int descriptor = -1;
    double since = 0;  // when the phase began
    Phase phase = Phase::kReceiving;
    bool begun = false;    // the headers of a request are there, and its answer is not sent
    bool closing = false;  // it was too slow
    uint64_t work = 0;     // what is translated for it
  };

  static Connection* connection_of(MHD_Connection* connection) {
    const MHD_ConnectionInfo* const info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == nullptr ? nullptr : static_cast<Connection*>(info->socket_context);
  }
  double longest_of(Phase phase) const {
    return static_cast<double>(phase == Phase::kSending ? limits_.send_seconds : limits_.receive_seconds);
  }

  /// A request from its headers until its answer is sent.
  struct Exchange {
    HttpRequest request;
    std::optional<RequestError> refused;  // while the body arrives
    int64_t body_bytes = 0;               // that count in Api::body_bytes
    std::mutex mutex;
    std::optional<HttpResponse> response;
    bool begun = false;  // the Api has the request
  };
  using ExchangePointer = std::shared_ptr<Exchange>;

  void start();
  MHD_Result first_call(MHD_Connection* connection, const char* url, const char* method, void** context);
  MHD_Result receive(Exchange& exchange, const char* data, size_t* size);
  MHD_Result answer(MHD_Connection* connection, const ExchangePointer& exchange);
  MHD_Result respond(MHD_Connection* connection, HttpResponse response);
  HttpRequest request_of(MHD_Connection* connection, const char* url, const char* method) const;
  void enter_phase(MHD_Connection* connection, Phase phase, uint64_t work = 0);
  void completed(MHD_Connection* connection, void** context);
  void connected(MHD_Connection* connection, MHD_ConnectionNotificationCode code, void** context) noexcept;
  void add_connection(MHD_Connection* connection, void** context);

  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* url, const char* method,
                               const char* version, const char* data, size_t* size, void** context);

  Api& api_;
  ListeningSocket& socket_;
  const ServeLimits limits_;
  const bool forwarded_for_;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::set<Connection*> connections_;
  MHD_Daemon* daemon_ = nullptr;
};

namespace {

MHD_Result add_field(void* fields, MHD_ValueKind /*kind*/, const char* key, size_t key_size, const char* value,
                     size_t value_size) {
  if (static_cast<Fields*>(fields)->size() == kMostFields) return MHD_NO;
  static_cast<Fields*>(fields)->emplace_back(std::string(key, key_size),
                                             value == nullptr ? "" : std::string(value, value_size));
  return MHD_YES;
}

}  // namespace

void HttpServer::Implementation::start() {
  const auto on_completed = [](void* self, MHD_Connection* connection, void** context,
                               MHD_RequestTerminationCode /*code*/) {
    static_cast<Implementation*>(self)->completed(connection, context);
  };
  const auto on_connection = [](void* self, MHD_Connection* connection, void** context,
                                MHD_ConnectionNotificationCode code) {
    static_cast<Implementation*>(self)->connected(connection, code, context);
  };
  using Completed = void (*)(void*, MHD_Connection*, void**, MHD_RequestTerminationCode);
  using Connected = void (*)(void*, MHD_Connection*, void**, MHD_ConnectionNotificationCode);
  const auto idle = static_cast<unsigned>(std::max(limits_.receive_seconds, limits_.send_seconds));
  daemon_ = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (socket_.is_ipv6() ? MHD_USE_IPv6 : MHD_NO_FLAG), 0,
      nullptr, nullptr, &on_request, this, MHD_OPTION_LISTEN_SOCKET, socket_.descriptor(), MHD_OPTION_THREAD_POOL_SIZE,
      kThreads, MHD_OPTION_CONNECTION_LIMIT, static_cast<unsigned>(std::max<int64_t>(limits_.connections, kThreads)),
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, static_cast<unsigned>(limits_.address_connections),
      MHD_OPTION_CONNECTION_TIMEOUT, idle, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionMemory,
      MHD_OPTION_NOTIFY_COMPLETED, static_cast<Completed>(on_completed), this, MHD_OPTION_NOTIFY_CONNECTION,
      static_cast<Connected>(on_connection), this, MHD_OPTION_END);
  if (daemon_ == nullptr) fail<core::ResourceError>("the HTTP server could not be started: out of memory or threads");
}

void HttpServer::Implementation::connected(MHD_Connection* connection, MHD_ConnectionNotificationCode code,
                                           void** context) noexcept {
  const std::lock_guard lock(mutex_);
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    add_connection(connection, context);
  } else {
    auto* const gone = static_cast<Connection*>(*context);
    connections_.erase(gone);  // from now on, the sweep does not touch its descriptor
    delete gone;
  }
  api_.connections = static_cast<int64_t>(connections_.size());
}

/// Without memory for it, the sweep could not end the connection, so it is ended now.
void HttpServer::Implementation::add_connection(MHD_Connection* connection, void** context) {
  const int descriptor = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  try {
    auto added = std::make_unique<Connection>(Connection{.descriptor = descriptor, .since = core::seconds_now()});
    connections_.insert(added.get());
    *context = added.release();
  } catch (const std::bad_alloc&) {  // no exception may pass through the library
    *context = nullptr;
    shutdown(descriptor, SHUT_RDWR);
  }
}

void HttpServer::Implementation::enter_phase(MHD_Connection* connection, Phase phase, uint64_t work) {
  const std::lock_guard lock(mutex_);
  Connection* const known = connection_of(connection);
  if (known == nullptr) return;
  known->phase = phase;
  known->begun = phase != Phase::kReceiving;
  known->since = core::seconds_now();
  known->work = work;
}

HttpRequest HttpServer::Implementation::request_of(MHD_Connection* connection, const char* url,
                                                   const char* method) const {
  HttpRequest request;
  request.method = method;
  request.path = url;
  request.content_type = header_of(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
  request.authorization = header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION);
  request.host = header_of(connection, MHD_HTTP_HEADER_HOST);
  if (forwarded_for_) request.forwarded_for = last_header_of(connection, "X-Forwarded-For");
  if (forwarded_for_) request.forwarded_proto = last_header_of(connection, "X-Forwarded-Proto");
  const auto* const info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  request.address = info == nullptr ? "" : text_of(info->client_addr);
  if (!request.forwarded_for.empty()) request.address = last_of(request.forwarded_for);
  MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, &add_field, &request.query);
  return request;
}

MHD_Result HttpServer::Implementation::on_request(void* self, MHD_Connection* connection, const char* url,
                                                  const char* method, const char* /*version*/, const char* data,
                                                  size_t* size, void** context) {
  auto& server = *static_cast<Implementation*>(self);
  try {
    if (*context == nullptr) return server.first_call(connection, url, method, context);
    const ExchangePointer& exchange = *static_cast<ExchangePointer*>(*context);
    return *size > 0 ? server.receive(*exchange, data, size) : server.answer(connection, exchange);
  } catch (const std::exception& error) {  // no exception may pass through the library
    log_error_if_possible("a connection was closed: ", error.what());
    return MHD_NO;
  }
}

/// The headers are there. A body that is said to be too long is refused before it comes.
MHD_Result HttpServer::Implementation::first_call(MHD_Connection* connection, const char* url, const char* method,
                                                  void** context) {
  auto exchange = std::make_unique<ExchangePointer>(std::make_shared<Exchange>());
  HttpRequest& request = (*exchange)->request;
  request = request_of(connection, url, method);
  {
    const std::lock_guard lock(mutex_);
    if (Connection* const known = connection_of(connection)) known->begun = true;
  }
  const std::string length = header_of(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
  uint64_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  *context = exchange.release();
  if (bytes <= static_cast<uint64_t>(limits_.body_kib) << 10) return MHD_YES;
  return respond(connection, api_.refuse(request, {413, "The body is too long: at most " +
                                                            std::to_string(limits_.body_kib) + " KiB are accepted"}));
}

/// Takes a part of the body. What is beyond a limit is read and forgotten, because the library can answer only when the
/// whole body is there.
MHD_Result HttpServer::Implementation::receive(Exchange& exchange, const char* data, size_t* size) {
  const auto bytes = static_cast<int64_t>(std::exchange(*size, 0));
  if (exchange.refused) return MHD_YES;
  if (exchange.body_bytes + bytes > limits_.body_kib << 10) {
    exchange.refused.emplace(413,
                             "The body is too long: at most " + std::to_string(limits_.body_kib) + " KiB are accepted");
  } else if (api_.body_bytes + bytes > limits_.bodies_mib << 20) {
    exchange.refused.emplace(503, "The server receives too much at the moment; try again later", kRetrySeconds);
  }
  if (exchange.refused) {
    api_.body_bytes -= std::exchange(exchange.body_bytes, 0);
    exchange.request.body = std::string();
    return MHD_YES;
  }
  exchange.request.body.append(data, static_cast<size_t>(bytes));
  exchange.body_bytes += bytes;
  api_.body_bytes += bytes;
  return MHD_YES;
}

/// The whole request is there, or its answer is.
MHD_Result HttpServer::Implementation::answer(MHD_Connection* connection, const ExchangePointer& exchange) {
  if (exchange->begun) {
    const std::lock_guard lock(exchange->mutex);
    return exchange->response ? respond(connection, std::move(*exchange->response)) : MHD_NO;
  }
  exchange->begun = true;
  const Api::Reply reply = [connection, exchange](HttpResponse response) {
    {
      const std::lock_guard lock(exchange->mutex);
      exchange->response = std::move(response);
    }
    MHD_resume_connection(connection);
  };
  if (exchange->refused) return respond(connection, api_.refuse(exchange->request, *exchange->refused));
  // The answer may come on another thread before handle() returns, so the connection waits from now on.
  enter_phase(connection, Phase::kWorking);
  MHD_suspend_connection(connection);
  const uint64_t work = api_.handle(exchange->request, reply);  // it throws nothing
  const std::lock_guard lock(mutex_);
  // While this thread is here, the library cannot go on with the connection, even if it was resumed.
  Connection* const known = connection_of(connection);
  if (known != nullptr && known->phase == Phase::kWorking) known->work = work;
  return MHD_YES;
}

MHD_Result HttpServer::Implementation::respond(MHD_Connection* connection, HttpResponse response) {
  enter_phase(connection, Phase::kSending);
  return queue(connection, std::move(response), stopping_);
}

void HttpServer::Implementation::completed(MHD_Connection* connection, void** context) {
  if (*context == nullptr) return;
  const std::unique_ptr<ExchangePointer> exchange(static_cast<ExchangePointer*>(std::exchange(*context, nullptr)));
  api_.body_bytes -= (*exchange)->body_bytes;
  enter_phase(connection, Phase::kReceiving);
}

void HttpServer::Implementation::sweep() {
  const double now = core::seconds_now();
  std::vector<uint64_t> abandoned;
  {
    const std::lock_guard lock(mutex_);
    for (Connection* connection : connections_) {
      const double seconds = now - connection->since;
      if (connection->phase == Phase::kWorking) {
        pollfd place{connection->descriptor, POLLRDHUP, 0};
        const bool gone = poll(&place, 1, 0) > 0 && (place.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
        if (gone && connection->work != 0) abandoned.push_back(connection->work);
      } else if (!connection->closing && seconds > longest_of(connection->phase)) {
        shutdown(connection->descriptor, SHUT_RDWR);  // the library then closes it
        connection->closing = true;
        api_.slow_connections += 1;
      }
    }
  }
  for (const uint64_t work : abandoned) api_.abandon(work);
}

size_t HttpServer::Implementation::in_work() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(connections_, [](const Connection* one) { return one->phase == Phase::kWorking; }));
}

size_t HttpServer::Implementation::unanswered() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::ranges::count_if(connections_, [](const Connection* one) { return one->begun; }));
}

HttpServer::HttpServer(Api& api, ListeningSocket& socket, const ServeLimits& limits, bool forwarded_for)
    : implementation_(std::make_unique<Implementation>(api, socket, limits, forwarded_for)) {}
HttpServer::~HttpServer() = default;
void HttpServer::sweep() { implementation_->sweep(); }
void HttpServer::stop_accepting() { implementation_->stop_accepting(); }
size_t HttpServer::unanswered() const { return implementation_->unanswered(); }
size_t HttpServer::in_work() const { return implementation_->in_work(); }

}  // namespace ventris::serving
