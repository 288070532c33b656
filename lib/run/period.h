#pragma once
#include <cstdint>
#include <string>

namespace ventris::run {

/// How far a run is: what a period is measured against.
struct RunProgress {
  uint64_t epoch = 0;      ///< whole epochs done
  int64_t updates = 0;     ///< optimiser steps done, skipped ones included
  int64_t tokens = 0;      ///< target tokens seen, with eos, without padding
  double minutes = 0;      ///< spent training, validation included, over all sittings of the run
  uint64_t in_epoch = 0;   ///< the epoch that the last update was in, counted from 1; 0 = no update yet
};

/// An amount of training written as on the command line: 10e (epochs), 500u (updates), 2.5Mt (target tokens), 30m
/// (minutes); K, M and G multiply. "0" and 0 of any unit are never.
class Period {
 public:
  Period() = default;

  /// Throws ConfigError naming `setting` for anything else.
  static Period parse(const std::string& text, const std::string& setting);

  bool never() const { return amount_ <= 0; }
  bool splits_epochs() const;  ///< 0.5e: epochs are counted whole, so it would be met at the end of one

  /// Whether `now` has reached the amount (for a length of training).
  bool reached(const RunProgress& now) const;

  /// Whether a multiple of the amount lies in (before, now] (for something done every so often).
  bool due(const RunProgress& before, const RunProgress& now) const;

  /// Share of the amount done, in [0, 1]; 0 if never.
  double share(const RunProgress& now) const;

  const std::string& text() const { return text_; }

 private:
  double measure(const RunProgress& progress) const;

  std::string text_ = "0";
  double amount_ = 0;
  char unit_ = 'u';
};

}  // namespace ventris::run
