#pragma once
#include <csignal>

/// Computes the instructions of AMX on a processor that does not have them. Such a processor raises SIGILL for them;
/// the handler reads the instruction, does what it says, and goes on behind it. For tests: an instruction takes a
/// microsecond or more.
namespace ventris::test {

class AmxEmulator {
 public:
  /// Takes SIGILL over until it is destroyed. An instruction that is not one of AMX, or wrong use of the tiles (which a
  /// processor answers with a fault), ends the program.
  AmxEmulator();
  ~AmxEmulator();
  AmxEmulator(const AmxEmulator&) = delete;
  AmxEmulator& operator=(const AmxEmulator&) = delete;

  /// The number of products of tiles that this thread has computed.
  static long products();

 private:
  struct sigaction before_ = {};
};

}  // namespace ventris::test
