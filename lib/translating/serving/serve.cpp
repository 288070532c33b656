#include "serving/serve.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <iostream>
#include <new>
#include <thread>

#include "core/error.h"
#include "core/human.h"
#include "core/log.h"
#include "core/process.h"
#include "core/resources.h"
#include "serving/api.h"
#include "serving/careful_log.h"
#include "serving/http_server.h"
#include "serving/listening_socket.h"

namespace ventris::serving {
namespace {

constexpr double kSecondsToSend = 1;  // the last answers, after the drain

/// Signals as numbers that can be waited for, in every thread that is started later.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGHUP);  // also under nohup: it asks for a reload
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) {
      if (!core::is_ignored(signal)) sigaddset(&set_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  /// A signal that came too late to matter must not end the process afterwards.
  ~Signals() {
    const timespec none{};
    while (sigtimedwait(&set_, nullptr, &none) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The next signal; 0 if there is none within a fifth of a second.
  int wait() const {
    const timespec fifth{0, 200'000'000};
    const int signal = sigtimedwait(&set_, nullptr, &fifth);
    return signal > 0 ? signal : 0;
  }

 private:
  sigset_t set_ = {}, before_ = {};
};

std::shared_ptr<const Catalogue> open_catalogue(const ServeSettings& settings) {
  const double started = core::seconds_now();
  auto catalogue = std::make_shared<const Catalogue>(settings);
  core::log_info(fmt::format("{} {} for {} {} of languages, loaded in {:.1f} s", catalogue->models(),
                             core::plural(static_cast<int64_t>(catalogue->models()), "model"), settings.models.size(),
                             core::plural(static_cast<int64_t>(settings.models.size()), "pair"),
                             core::seconds_now() - started));
  return catalogue;
}

/// Loads the models on a thread of its own, so that the server goes on meanwhile.
class Reloader {
 public:
  Reloader(const ServeSettings& settings, Api& api) : settings_(settings), api_(api) {}

  void begin() {
    reopen_files();
    if (wanted_.fetch_add(1) > 0) {
      core::log_info("SIGHUP: the models are being loaded; when that is done, they will be loaded again");
      return;
    }
    try {
      thread_ = core::start_thread<std::jthread>([this] { load_until_done(); });
    } catch (const std::exception& error) {
      core::log_error(std::string("SIGHUP: nothing has changed, because ") + error.what());
      wanted_ = 0;
    }
  }

 private:
  void load_until_done() {
    int done = 0;
    do {
      done = wanted_;
      load();
    } while (!wanted_.compare_exchange_strong(done, 0));  // files may have changed after they were read
  }

  void load() {
    try {
      api_.reload(open_catalogue(settings_));
    } catch (const std::exception& error) {
      core::log_error(std::string("SIGHUP: nothing has changed, because ") + error.what());
    }
  }

  void reopen_files() {
    try {
      api_.reopen_files();
    } catch (const std::exception& error) {
      core::log_error(std::string("SIGHUP: the log files stay as they are, because ") + error.what());
    }
  }

  const ServeSettings& settings_;
  Api& api_;
  std::atomic<int> wanted_ = 0;  // signals since the models were last loaded
  std::jthread thread_;
};

class Server {
 public:
  explicit Server(const ServeSettings& settings)
      : settings_(settings),
        socket_(settings.address, static_cast<int>(settings.port)),
        api_(settings, open_catalogue(settings)),
        reloader_(settings_, api_) {
    socket_.listen();
    http_.emplace(api_, socket_, settings.limits, settings.forwarded_for);
  }

  void run() {
    announce();
    int signal = 0;
    while (signal == 0 || signal == SIGHUP) {
      signal = tick();
      if (signal == SIGHUP) reloader_.begin();
    }
    core::log_info(fmt::format("stopping after signal {}; {} {} left to answer", signal, http_->unanswered(),
                               core::plural(static_cast<int64_t>(http_->unanswered()), "request")));
    drain(signal);
  }

 private:
  void announce() const {
    if (!socket_.is_loopback() && settings_.api_keys.empty()) {
      core::log_warning("everybody who can reach this machine can use the server; restrict that with --api-keys");
    }
    core::log_info("listening on " + socket_.url());
    std::cout << socket_.url() << std::endl;  // for whoever has started the program
  }

  int tick() {
    const int signal = signals_.wait();
    try {
      api_.expire(core::seconds_now());
      http_->sweep();
    } catch (const std::bad_alloc&) {
      log_error_if_possible("out of memory");  // the next tick does it
    }
    return signal;
  }

  /// Waits until all requests are answered; false if it took too long, or after a second signal.
  bool wait_for_answers(double seconds) {
    const double until = core::seconds_now() + seconds;
    while (http_->unanswered() > 0) {
      const int signal = tick();
      if (core::seconds_now() > until || (signal != 0 && signal != SIGHUP)) return false;
    }
    return true;
  }

  void drain(int signal) {
    api_.stop_accepting();
    http_->stop_accepting();
    const bool answered = wait_for_answers(static_cast<double>(settings_.limits.drain_seconds));
    const size_t lost = api_.give_up();
    if (!answered) wait_for_answers(kSecondsToSend);
    while (http_->in_work() > 0) tick();  // the library does not end with connections that wait
    http_.reset();
    if (lost == 0) return;
    throw Interrupted(signal, fmt::format("stopped by a signal; {} {} got no translation", lost,
                                          core::plural(static_cast<int64_t>(lost), "request")));
  }

  const ServeSettings& settings_;
  Signals signals_;  // before all threads
  ListeningSocket socket_;
  Api api_;
  Reloader reloader_;
  std::optional<HttpServer> http_;
};

}  // namespace

void serve(const ServeSettings& settings) {
  if (settings.models.empty()) {
    fail<ConfigError>("--model: the models are missing; give -m SOURCE-TARGET=MODEL, such as -m en-de=run/best");
  }
  Server(settings).run();
}

}  // namespace ventris::serving
