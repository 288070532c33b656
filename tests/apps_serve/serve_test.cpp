#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "serving/sha256.h"
#include "support/copy_model.h"
#include "support/http_client.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"

/// The real program, to which raw bytes are sent.
namespace ventris::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kLine = "The driver likes bread.";

/// A server on a port of its own; it does not outlive the object.
class RunningServer {
 public:
  /// What it writes goes to files of `folder`.
  RunningServer(const TempFolder& folder, std::vector<std::string> arguments)
      : out_(folder.path("serve.out")), log_(folder.path("serve.log")) {
    arguments.insert(arguments.end(), {"--port", "0"});
    const std::string path = program_path("ventris-serve");
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const auto& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      dup2(open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      dup2(open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      execv(path.c_str(), argv.data());
      _exit(127);
    }
    wait_until([&] {
      if (waitpid(child_, nullptr, WNOHANG) == child_) child_ = -1;
      return child_ == -1 || file_bytes(out_).ends_with("\n");
    });
    const std::string url = file_bytes(out_);
    if (url.starts_with("http://127.0.0.1:")) port = std::stoi(url.substr(17));
  }
  ~RunningServer() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  void send(int signal) const { kill(child_, signal); }
  /// Its exit code, or 128 + the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int stop() {
    send(SIGTERM);
    return wait();
  }
  std::string log() const { return file_bytes(log_); }

  HttpAnswer get(const std::string& path) const { return ask_server(port, "GET", path); }
  HttpAnswer post(const std::string& path, const json& body) const {
    return ask_server(port, "POST", path, body.dump());
  }
  /// The translation of a text, or what came instead of it.
  std::string translate(const std::string& text) const {
    const HttpAnswer answer = post("/translate", {{"q", text}, {"source", "en"}, {"target", "de"}});
    if (answer.status != 200) return std::to_string(answer.status) + " " + answer.body;
    return json::parse(answer.body).at("translatedText");
  }
  double metric(const std::string& name) const { return server_metric(port, name); }

  int port = 0;

 private:
  const std::string out_, log_;
  pid_t child_ = -1;
};

class ServeProgram : public testing::Test {
 protected:
  void SetUp() override { setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1); }

  std::vector<std::string> with_model(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"-m", "en-de=" + bundle});
    return more;
  }
  Outcome run(const std::vector<std::string>& arguments) const { return run_program("ventris-serve", arguments); }

  TempFolder folder;
  std::string bundle = write_copying_bundle(folder.path("bundle"));
};

TEST_F(ServeProgram, TranslatesUntilItIsStopped) {
  RunningServer server(folder, with_model());
  ASSERT_GT(server.port, 0) << server.log();
  EXPECT_EQ(server.get("/health").body, "{\"status\":\"ok\"}");
  EXPECT_EQ(server.translate(kLine), kLine);
  EXPECT_EQ(server.translate("The driver likes bread. Nobody sees Zürich."),
            "The driver likes bread. Nobody sees Zürich.");
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.log(), HasSubstr("stopping after signal 15"));
  EXPECT_FALSE(RawConnection(server.port).connected());
}

TEST_F(ServeProgram, FormsAndQueryStringsAreRead) {
  RunningServer server(folder, with_model());
  const std::string fields = "q=The%20driver+likes+bread.&source=en&target=de";
  const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
  for (const HttpAnswer& answer : {ask_server(server.port, "POST", "/translate", fields, form),
                                   ask_server(server.port, "POST", "/translate?" + fields, "", "")}) {
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(json::parse(answer.body).at("translatedText"), kLine);
  }
}

TEST_F(ServeProgram, OneConnectionCanAskManyTimes) {
  RunningServer server(folder, with_model());
  RawConnection connection(server.port);
  for (int i = 0; i < 3; ++i) {
    connection.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    std::string answer;
    while (answer.find("{\"status\":\"ok\"}") == std::string::npos) ASSERT_TRUE(connection.read_some(answer));
  }
}

TEST_F(ServeProgram, BytesThatAreNoRequestHarmNobody) {
  RunningServer server(folder, with_model());
  const std::string zeros(1000, '\0'), long_line(100'000, 'a');
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00", 7), zeros, "GET\r\n\r\n" + zeros, "GET /" + long_line,
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + long_line + "\r\n\r\n", std::string("POST /translate HTTP/9.9\r\n\r\n"),
        std::string("POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n"),
        std::string("POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        std::string("POST /translate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")}) {
    RawConnection connection(server.port);
    connection.send(bytes);
    connection.read_all(1);
  }
  EXPECT_EQ(server.translate(kLine), kLine);
}

TEST_F(ServeProgram, BadBodiesAreAnsweredWith400) {
  RunningServer server(folder, with_model());
  const std::string deep = "{\"q\":" + std::string(300'000, '[');
  for (const std::string& body : {std::string("{"), std::string("[]"), deep, std::string("{\"q\":\"\xff\xfe\"}"),
                                  std::string("{\"q\":{},\"source\":\"en\",\"target\":\"de\"}")}) {
    const HttpAnswer answer = ask_server(server.port, "POST", "/translate", body);
    EXPECT_EQ(answer.status, 400) << body.substr(0, 20);
    EXPECT_THAT(answer.body, HasSubstr("\"error\":\"Invalid request: "));
  }
  const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
  EXPECT_EQ(ask_server(server.port, "POST", "/translate", "q=%FF&source=en&target=de", form).status, 400);
}

TEST_F(ServeProgram, ABodyBeyondTheLimitIsAnsweredWith413) {
  RunningServer server(folder, with_model({"--max-body", "4"}));
  EXPECT_EQ(server.post("/translate", {{"q", std::string(5000, 'a')}, {"source", "en"}, {"target", "de"}}).status, 413);
  // Without a length: the limit is noticed while the body arrives.
  RawConnection chunked(server.port);
  chunked.send("POST /translate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 10; ++i) chunked.send("400\r\n" + std::string(0x400, 'a') + "\r\n");
  chunked.send("0\r\n\r\n");
  EXPECT_EQ(parse_answer(chunked.read_all()).status, 413);
  EXPECT_EQ(server.translate(kLine), kLine);
}

TEST_F(ServeProgram, ASlowRequestIsCutOff) {
  RunningServer server(folder, with_model({"--receive-seconds", "1"}));
  RawConnection headers(server.port), body(server.port), idle(server.port);
  headers.send("POST /translate HTTP/1.1\r\nHost:");
  body.send("POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
  std::atomic<bool> stop = false;
  std::jthread dripping([&] {  // a byte now and then does not help
    while (!stop && headers.send("a") && body.send(" ")) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  for (RawConnection* connection : {&headers, &body, &idle}) EXPECT_EQ(connection->read_all(), "");
  stop = true;
  // On a slow machine, these requests may be cut off, too.
  EXPECT_TRUE(wait_until([&] { return server.metric("ventris_slow_connections_total") >= 3; }));
  EXPECT_TRUE(wait_until([&] { return server.translate(kLine) == kLine; }));
}

/// A server that has much to do for a while.
class BusyServeProgram : public ServeProgram {
 protected:
  void SetUp() override {
    ServeProgram::SetUp();
    setenv("COPYING_BACKEND_MICROSECONDS", "100", 1);
    for (int i = 0; i < 1000; ++i) texts.push_back("The driver likes bread and sees a green umbrella.");
  }
  void TearDown() override { unsetenv("COPYING_BACKEND_MICROSECONDS"); }

  /// A server with small batches, so that a text does not wait for long.
  std::vector<std::string> with_model(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--mini-batch", "8"});
    return ServeProgram::with_model(more);
  }

  /// Sends all texts, and waits until the server works.
  RawConnection ask_for_all(const RunningServer& server) const {
    RawConnection connection(server.port);
    const json body{{"q", texts}, {"source", "en"}, {"target", "de"}};
    connection.send(request_bytes("POST", "/translate", body.dump(), "Content-Type: application/json\r\n"));
    EXPECT_TRUE(wait_until([&] { return server.metric("ventris_requests_in_work") > 0; }));
    return connection;
  }

  json texts = json::array();
};

TEST_F(BusyServeProgram, AClientThatGoesTakesItsTextWithIt) {
  RunningServer server(folder, with_model());
  RawConnection connection = ask_for_all(server);
  connection.close();
  ASSERT_TRUE(wait_until([&] { return server.metric("ventris_requests_in_work") == 0; }));
  EXPECT_EQ(server.metric("ventris_abandoned_total"), 1);
  EXPECT_LT(server.metric("ventris_sentences_total"), 1000);
  EXPECT_EQ(server.metric("ventris_characters_in_work"), 0);
}

TEST_F(BusyServeProgram, AShortTextDoesNotWaitForALongOne) {
  RunningServer server(folder, with_model());
  const RawConnection slow = ask_for_all(server);
  EXPECT_EQ(server.translate(kLine), kLine);
  EXPECT_GT(server.metric("ventris_sentences_waiting"), 0);  // of the long one
}

TEST_F(BusyServeProgram, ClientsOverTheirShareAreAskedToWait) {
  RunningServer server(folder, with_model({"--max-characters", "60000", "--client-characters", "60000"}));
  const RawConnection slow = ask_for_all(server);
  const json body{{"q", std::string(20'000, 'a')}, {"source", "en"}, {"target", "de"}};
  const HttpAnswer answer = server.post("/translate", body);
  EXPECT_EQ(answer.status, 429);
  EXPECT_THAT(answer.body, HasSubstr("Slowdown: "));
  EXPECT_EQ(answer.headers.count("Retry-After"), 1U);
}

TEST_F(BusyServeProgram, WhatIsNotReadyByTheDeadlineIsAnsweredWith503) {
  RunningServer server(folder, with_model({"--deadline", "1"}));
  RawConnection slow = ask_for_all(server);
  const HttpAnswer answer = parse_answer(slow.read_all());
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("The translation was not ready in time"));
  EXPECT_EQ(answer.headers.count("Retry-After"), 1U);
  EXPECT_EQ(server.metric("ventris_expired_total"), 1);
}

TEST_F(ServeProgram, ManyConnectionsAtOnceAreAllAnswered) {
  RunningServer server(folder, with_model({"--threads", "2"}));
  std::atomic<int> right = 0;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back([&] { right += server.translate(kLine) == kLine ? 1 : 0; });
  }
  clients.clear();
  EXPECT_EQ(right, 200);
}

TEST_F(ServeProgram, ConnectionsOfOneAddressAreBounded) {
  RunningServer server(folder, with_model({"--address-connections", "3"}));
  std::vector<RawConnection> open;
  for (int i = 0; i < 3; ++i) {
    open.emplace_back(server.port).send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    std::string answer;  // with it, the connection counts
    while (answer.find("{\"status\":\"ok\"}") == std::string::npos) ASSERT_TRUE(open.back().read_some(answer));
  }
  RawConnection more(server.port);
  more.send(request_bytes("GET", "/health"));
  EXPECT_EQ(parse_answer(more.read_all()).status, 0);
  open.clear();
  EXPECT_TRUE(wait_until([&] { return server.get("/health").status == 200; }));
}

TEST_F(BusyServeProgram, WhatHasArrivedIsAnsweredBeforeItStops) {
  texts.erase(texts.begin() + 100, texts.end());
  RunningServer server(folder, with_model());
  RawConnection connection = ask_for_all(server);
  server.send(SIGTERM);
  const HttpAnswer answer = parse_answer(connection.read_all());
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body).at("translatedText"), texts);
  EXPECT_EQ(server.wait(), 0);
}

TEST_F(ServeProgram, ASignalOfABatchSystemStopsIt) {
  RunningServer server(folder, with_model());
  server.send(SIGUSR1);
  EXPECT_EQ(server.wait(), 0);
}

TEST_F(ServeProgram, ASecondSignalDoesNotMatterIfAllIsAnswered) {
  RunningServer server(folder, with_model());
  ASSERT_EQ(server.translate(kLine), kLine);
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGUSR1, SIGCONT}) server.send(signal);
  EXPECT_EQ(server.wait(), 0);
  EXPECT_THAT(server.log(), HasSubstr("stopping after signal"));
}

TEST_F(ServeProgram, ASignalThatItsParentHasItIgnoreDoesNotStopIt) {
  std::signal(SIGINT, SIG_IGN);  // as a shell does for a job in the background
  RunningServer server(folder, with_model());
  std::signal(SIGINT, SIG_DFL);
  server.send(SIGINT);
  EXPECT_EQ(server.get("/health").status, 200);
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(), 0) << "it is the first signal, and not the second";
}

TEST_F(BusyServeProgram, WhatCannotBeAnsweredInTimeIsSaid) {
  RunningServer server(folder, with_model({"--drain-seconds", "0"}));
  RawConnection connection = ask_for_all(server);
  server.send(SIGTERM);
  EXPECT_EQ(parse_answer(connection.read_all()).status, 503);
  EXPECT_EQ(server.wait(), 128 + SIGTERM);
  EXPECT_THAT(server.log(), HasSubstr("1 request got no translation"));
}

TEST_F(ServeProgram, AHangupLoadsTheModelsAgain) {
  const std::string keys = folder.file("keys", "anna " + serving::to_hex(serving::sha256("old")) + "\n");
  RunningServer server(folder, with_model({"--api-keys", keys}));
  const auto status = [&](const std::string& key) {
    return server.post("/translate", {{"q", "a"}, {"source", "en"}, {"target", "de"}, {"api_key", key}}).status;
  };
  EXPECT_EQ(status("old"), 200);
  folder.file("keys", "anna " + serving::to_hex(serving::sha256("new")) + "\n");
  server.send(SIGHUP);
  EXPECT_TRUE(wait_until([&] { return status("new") == 200; }));
  EXPECT_EQ(status("old"), 403);
  folder.file("keys", "damaged\n");
  server.send(SIGHUP);
  EXPECT_TRUE(wait_until([&] { return server.log().find("SIGHUP: nothing has changed") != std::string::npos; }));
  EXPECT_EQ(status("new"), 200);
}

TEST_F(ServeProgram, TheLastOfManyHangupsCounts) {
  folder.file("keys", "anna " + serving::to_hex(serving::sha256("0")) + "\n");
  RunningServer server(folder, with_model({"--api-keys", folder.path("keys")}));
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    folder.file("keys", "anna " + serving::to_hex(serving::sha256(key)) + "\n");
    server.send(SIGHUP);
  }
  const json body{{"q", "a"}, {"source", "en"}, {"target", "de"}, {"api_key", "5"}};
  EXPECT_TRUE(wait_until([&] { return server.post("/translate", body).status == 200; }));
}

TEST_F(ServeProgram, AHangupOpensTheAccessLogAgainEvenIfNothingElseCanBeLoaded) {
  const std::string keys = folder.file("keys", "anna " + serving::to_hex(serving::sha256("key")) + "\n"),
                    log = folder.path("access.jsonl");
  RunningServer server(folder, with_model({"--api-keys", keys, "--access-log", log}));
  std::filesystem::rename(log, folder.path("old.jsonl"));
  folder.file("keys", "damaged\n");
  server.send(SIGHUP);
  EXPECT_TRUE(wait_until([&] { return std::filesystem::exists(log); }));
}

TEST_F(ServeProgram, TheClientOfAProxyIsTheLastAddressThatTheProxyGives) {
  const std::string log = folder.path("access.jsonl");
  RunningServer server(folder, with_model({"--forwarded-for", "--access-log", log}));
  ask_server(server.port, "GET", "/languages", "", "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 5.5.5.5, 1.2.3.4\r\n");
  EXPECT_TRUE(wait_until([&] { return file_bytes(log).find("\"address\":\"1.2.3.4\"") != std::string::npos; }));
}

TEST_F(ServeProgram, SettingsComeFromFilesAndFlags) {
  const std::string file = folder.file("serve.json", json{{"model", "en-de=" + bundle}, {"port", 7000}}.dump());
  const Outcome outcome = run({"-c", file, "--threads", "2", "--dump-config"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json settings = json::parse(outcome.out);
  EXPECT_EQ(settings.at("port"), 7000);
  EXPECT_EQ(settings.at("threads"), 2);
  EXPECT_EQ(settings.at("model"), json::array({"en-de=" + bundle}));
}

TEST_F(ServeProgram, MistakesHaveTheirExitCodes) {
  const auto expect = [&](const std::vector<std::string>& arguments, int code, const char* part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  expect({}, 2, "--model: the models are missing; give -m SOURCE-TARGET=MODEL");
  expect({"-m", bundle}, 2, "expected SOURCE-TARGET=MODEL");
  expect({"-m", "en-de=" + folder.path("none")}, 4, "none");
  expect(with_model({"--address", "localhost"}), 2, "expected an IPv4 or IPv6 address");
  expect(with_model({"--api-keys", folder.path("none")}), 3, "none: cannot be read");
  expect(with_model({"--access-log", folder.path("no/log"), "--port", "0"}), 74, "the access log cannot be opened");
  expect(with_model({"--prot", "1"}), 2, "unknown argument '--prot' (did you mean '--port'?)");
  RunningServer server(folder, with_model());
  expect(with_model({"--port", std::to_string(server.port)}), 2, "another program has it, so give another --port");
}

}  // namespace
}  // namespace ventris::test
