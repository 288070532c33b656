#pragma once
#include <cstdint>
#include <string>

namespace ventris::settings {

/// The progress of a run, with which periods are compared.
struct RunProgress {
  uint64_t epoch = 0;      ///< complete epochs
  int64_t updates = 0;     ///< updates, including skipped ones
  int64_t tokens = 0;      ///< target tokens seen, with eos, without padding
  double minutes = 0;      ///< time of training and validation, over all starts of the run
  uint64_t in_epoch = 0;   ///< epoch of the last update, counted from 1; 0 = no update yet
};

/// An amount of training as on the command line: 10e (epochs), 500u (updates), 2.5Mt (target tokens), 30m (minutes);
/// K, M and G multiply. "0", or 0 of any unit, means never.
class Period {
 public:
  Period() = default;

  /// Throws ConfigError with `setting` for anything else.
  static Period parse(const std::string& text, const std::string& setting);

  bool never() const { return amount_ <= 0; }
  bool splits_epochs() const;  ///< e.g. 0.5e; only complete epochs are counted

  /// Whether `now` has reached the amount (for the length of a run).
  bool reached(const RunProgress& now) const;

  /// Whether a multiple of the amount is in (before, now] (for something that is done regularly).
  bool due(const RunProgress& before, const RunProgress& now) const;

  /// The share of the amount that is done, in [0, 1]; 0 if never.
  double share(const RunProgress& now) const;

  const std::string& text() const { return text_; }

 private:
  double measure(const RunProgress& progress) const;

  std::string text_ = "0";
  double amount_ = 0;
  char unit_ = 'u';
};

}  // namespace ventris::settings
