#include "encoding/line_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/human.h"
#include "core/log.h"
#include "files/output_name.h"
#include "filters/finished_lines.h"
#include "text/line_sequence.h"
#include "translation/model_text.h"

namespace ventris::encoding {

void check(const LineOptions& options) {
  translation::check_workers(options.threads, "--threads");
  translation::check(options.batch, options.window_lines, {"--mini-batch", "--mini-batch-words", "--maxi-batch"});
}

LineFiles::LineFiles(const LineOptions& options)
    : options_(options),
      input_(options.input, {.strict = options.strict}),
      output_(options.output, files::Packing::kBySuffix) {
  files::check_is_no_input(options.output, {options.input});
  text::announce_terminal(options.input);
}

bool LineFiles::next(LineRequest& request) {
  const int64_t before = input_.counts().bytes;
  const bool more = input_.next(request.text);
  request.bytes = input_.counts().bytes - before;
  return more;
}

void LineFiles::write(std::string_view bytes) {
  output_.write(bytes);
  if (output_.is_read_at_once()) output_.flush();
}

void LineFiles::warn() const { text::warn_about(input_); }

Interrupted LineFiles::stopped(int signal) {
  return filters::keep_finished(output_, options_.output, {"line", lines_}, signal);
}

void LineFiles::fail_with_lines() { filters::fail_with_finished(output_, options_.output, {"line", lines_}); }

void log_report(const LineReport& report) {
  if (report.cut > 0) {
    core::log_warning(fmt::format("{} {} had more tokens than the model can take and {} cut (first: line {})",
                                  report.cut, core::plural(report.cut, "line"), report.cut == 1 ? "was" : "were",
                                  report.first_cut));
  }
  core::log_info(fmt::format("{} {} ({} empty) in {:.2f} s, {:.0f} lines/s", report.lines,
                             core::plural(report.lines, "line"), report.blank, report.seconds,
                             static_cast<double>(report.lines) / std::max(report.seconds, 1e-9)));
}

}  // namespace ventris::encoding
