#pragma once
#include <string>

#include "support/command_summary.h"

/// Scripts that let a shell complete a program's flags, the words a flag may take, its commands, and files and folders
/// where it takes these.
namespace ventris::apps {

/// To be sourced, or put into share/bash-completion/completions under the program's name.
std::string bash_completion(const CommandSummary& program);

/// For share/zsh/site-functions, under the program's name behind "_".
std::string zsh_completion(const CommandSummary& program);

/// For share/fish/vendor_completions.d.
std::string fish_completion(const CommandSummary& program);

}  // namespace ventris::apps
