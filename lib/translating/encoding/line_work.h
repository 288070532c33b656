#pragma once
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/process.h"
#include "encoding/input.h"
#include "encoding/line_files.h"
#include "filters/file_progress.h"
#include "translation/ordered_windows.h"

namespace ventris::encoding {

/// A line on its way from the input to the output.
template <typename Result>
struct Line {
  std::string text;
  Input input;
  translation::ItemBytes bytes;
  Result result;  ///< stays as it is made for a line without work
};

/// What is done with each line.
template <typename Result>
struct LineWork {
  std::string task;  ///< for the progress line: "embedding"
  std::function<Input(const std::string& line)> encode;
  std::function<bool(const Input& input)> has_work;  ///< whether a model is needed; blank lines never need it
  /// Computes the results of a batch; called on several threads at the same time.
  std::function<std::vector<Result>(const std::vector<const Input*>& batch)> compute;
  /// The output of a line; called in the order of the input. `number` counts from 0.
  std::function<std::string(const Line<Result>& line, int64_t number)> format;
  std::function<std::string()> finish = {};  ///< what is written at the end, instead of lines; empty = nothing
};

/// Runs all lines of the input through `work`, in batches of similar length. There is one result for each line, in the
/// order of the input. Throws what the functions throw, and Interrupted after a signal; what is finished is kept.
template <typename Result>
LineReport run_lines(const LineOptions& options, const LineWork<Result>& work) {
  using Item = Line<Result>;
  LineReport report;
  const double started = core::seconds_now();
  LineFiles files(options);
  translation::OrderedWork<LineRequest, Item> steps;
  steps.noun = "line";
  steps.source = [&](LineRequest& request) { return files.next(request); };
  steps.ready = [&] { return files.ready(); };
  steps.encode = [&](const LineRequest& request) {
    const auto size = static_cast<int64_t>(request.text.size());
    return Item{request.text, work.encode(request.text), {request.bytes, size}, Result{}};
  };
  steps.size = [&](const Item& item) -> translation::BatchItem {
    const bool works = !item.input.ids.empty() && work.has_work(item.input);
    return {works ? static_cast<int64_t>(item.input.ids.size()) : 0};
  };
  steps.lane = [&](std::vector<Item>& items, translation::WindowQueue& queue, int /*worker*/) {
    queue.each_batch([&](const std::vector<size_t>& batch) {
      std::vector<const Input*> inputs;
      for (const size_t i : batch) inputs.push_back(&items[i].input);
      std::vector<Result> results = work.compute(inputs);
      for (size_t i = 0; i < batch.size(); ++i) items[batch[i]].result = std::move(results[i]);
    });
  };
  steps.hand_out = [&](const Item& item) {
    files.write(work.format(item, report.lines++));
    files.line_done();
    report.blank += item.input.ids.empty() ? 1 : 0;
    if (item.input.cut && report.cut++ == 0) report.first_cut = report.lines;
  };
  try {
    const auto progress = filters::file_progress(work.task, {options.input}, options.output);
    if (progress) steps.watch = [&](const Item& item) { progress->done({item.bytes.told}); };
    translation::run_in_order({options.batch, options.window_lines, 1, options.threads}, steps);
    if (!work.finish) files.commit();
  } catch (const Interrupted& stop) {
    throw files.stopped(stop.signal);
  } catch (...) {
    files.fail_with_lines();
  }
  if (work.finish) {
    files.write(work.finish());
    files.commit();
  }
  files.warn();
  report.seconds = core::seconds_now() - started;
  return report;
}

}  // namespace ventris::encoding
