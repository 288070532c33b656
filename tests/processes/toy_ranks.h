#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {

/// A TCP port that nobody has at the moment.
inline std::string free_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  bind(descriptor, reinterpret_cast<sockaddr*>(&address), length);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  close(descriptor);
  return std::to_string(ntohs(address.sin_port));
}

/// A toy training, by as many processes as a test likes.
struct ToyRanks {
  using Environment = std::map<std::string, std::string>;

  std::vector<std::string> arguments(const std::string& run, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"-c",         settings,     "--train", train.source,     train.target, "--valid",
                                   valid.source, valid.target, "-m",      folder.path(run), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string log(const std::string& run, int rank) const { return folder.path(run + "." + std::to_string(rank)); }

  /// One process; what the environment leaves out is as for one of two on this machine.
  RunningTrainer start(const std::string& run, int rank, const Environment& environment,
                       const std::vector<std::string>& more = {"--after", "40u"}) const {
    return {arguments(run, more), log(run, rank), completed(environment, rank)};
  }

  /// The same with standard input as the corpus.
  RunningTrainer start_piped(const std::string& run, int rank, const Environment& environment) const {
    return {{"-c", settings, "--train-tsv", "-", "-m", folder.path(run)}, log(run, rank), completed(environment, rank)};
  }

  static Environment completed(Environment environment, int rank) {
    environment.insert({{"RANK", std::to_string(rank)},
                        {"WORLD_SIZE", "2"},
                        {"MASTER_ADDR", "127.0.0.1"},
                        {"VENTRIS_JOIN_SECONDS", "60"}});
    return environment;
  }

  /// All of them, from rank 0.
  std::vector<RunningTrainer> start_all(const std::string& run, int size,
                                        const std::vector<std::string>& more = {"--after", "40u"},
                                        Environment environment = {}) const {
    environment.insert({{"MASTER_PORT", free_port()}, {"WORLD_SIZE", std::to_string(size)}});
    std::vector<RunningTrainer> all;
    for (int rank = 0; rank < size; ++rank) all.push_back(start(run, rank, environment, more));
    return all;
  }

  std::string words(const std::string& run, int rank) const { return file_bytes(log(run, rank)); }
  std::string bytes(const std::string& run, const std::string& file) const {
    return file_bytes(folder.path(run + "/" + file));
  }

  TempFolder folder;
  std::string settings = folder.file("settings.json", kToySettings);
  ToyCorpus train = write_toy_corpus(folder, "train", 200, 1);
  ToyCorpus valid = write_toy_corpus(folder, "valid", 10, 2);
};

}  // namespace ventris::test
