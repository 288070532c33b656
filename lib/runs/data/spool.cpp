#include "data/spool.h"

#include "core/error.h"
#include "core/process.h"
#include "files/files.h"
#include "text/byte_source.h"

namespace ventris::data {

void spool_standard_input(const std::string& path) {
  const auto input = text::open_bytes("-");
  files::OutputFile spool(path);
  bool empty = true;
  for (auto block = input->next_block(); !block.empty(); block = input->next_block()) {
    if (const int signal = core::stop_signal(); signal != 0) {
      throw Interrupted(signal, "standard input: stopped by a signal while reading the corpus");
    }
    spool.write(block);
    empty = false;
  }
  if (empty) fail<DataError>("standard input: is empty; expected one sentence pair per line, source TAB target");
  spool.commit();
}

}  // namespace ventris::data
