#pragma once
#include <string>
#include <string_view>

namespace ventris::formats {

/// Whether a text that is read line by line is probably a document, by its first two lines; "" = probably not.
/// Otherwise the flag that reads it as one: "--markup srt", "--input-format jsonl".
std::string flag_for(std::string_view first, std::string_view second);

}  // namespace ventris::formats
