#pragma once
#include <string>

#include "support/command_summary.h"

/// Scripts with which a shell completes a program's flags, the allowed words of a flag, its commands, and files and
/// folders.
namespace ventris::apps {

/// For `source`, or for share/bash-completion/completions, under the program's name.
std::string bash_completion(const CommandSummary& program);

/// For share/zsh/site-functions, as "_" and the program's name.
std::string zsh_completion(const CommandSummary& program);

/// For share/fish/vendor_completions.d.
std::string fish_completion(const CommandSummary& program);

}  // namespace ventris::apps
