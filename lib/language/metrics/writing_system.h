#pragma once
#include <string>
#include <vector>

#include "metrics/tokenization.h"

namespace ventris::metrics {

/// The script of texts, and the tokenization with which BLEU finds words or characters in it.
struct Writing {
  Tokenization suitable = Tokenization::k13a;
  std::string script;  ///< for messages ("Japanese", "Thai"); empty = one that 13a suits
};

/// The script that most lines are written in. zh suits Chinese. char suits Japanese and the scripts that put no spaces
/// between words, such as Thai, and Korean, whose words are whole phrases. 13a suits all others, and lines without
/// letters.
Writing writing_of(const std::vector<std::string>& lines);

/// Whether this tokenization finds the words or characters of such a text. 13a and intl find neither, because they
/// separate words only at spaces and punctuation, and zh finds only Chinese characters. none is for text that is
/// divided into words already.
bool suits(Tokenization tokenization, const Writing& writing);

}  // namespace ventris::metrics
