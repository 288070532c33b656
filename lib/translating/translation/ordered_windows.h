#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/process.h"
#include "translation/window_batches.h"
#include "translation/window_queue.h"

namespace ventris::translation {

/// How much is read ahead and processed at a time.
struct WindowLimits {
  BatchLimits batch;
  int64_t items = 2000;  ///< maximum items of a window; see also text_bytes
  int64_t results = 1;   ///< results per item; kMostWindowResults limits those of a window
  int workers = 1;       ///< threads
  int64_t text_bytes = kMostWindowBytes;  ///< maximum bytes of text of a window
  int64_t result_bytes = std::numeric_limits<int64_t>::max();  ///< of the results that wait; see run_window()
};

/// The sizes of an item in bytes.
struct ItemBytes {
  int64_t told = 0;  ///< Request::bytes, for watchers
  int64_t text = 0;  ///< bytes of the request's text, which count towards kMostWindowBytes
};

/// The steps that each item goes through. An `Item` is default-constructible and has a member `bytes`
/// of type ItemBytes.
template <typename Request, typename Item>
struct OrderedWork {
  std::string noun;                               ///< what an item is called in messages: "line"
  std::function<bool(Request& request)> source;   ///< returns the next request; false at the end
  std::function<bool()> ready;                    ///< whether the next request can be read without waiting
  std::function<Item(const Request& request)> encode;
  std::function<BatchItem(const Item& item)> size;  ///< length 0 = the item is done already
  /// Does the work for a window's items, which it takes from the queue: see WindowWork::lane.
  std::function<void(std::vector<Item>& items, WindowQueue& queue, int worker)> lane;
  std::function<void(const Item& item)> hand_out;  ///< called for each item, in order
  std::function<void(const Item& item)> watch = {};  ///< gets each item when it is done, perhaps before earlier ones
};

/// Runs requests through a model: reads a window of them, sorts it into batches of similar length, processes these with
/// several threads, and hands the items out in the order of the requests. A window ends early when `ready` says that
/// the next request is not there yet. After a signal, no further batch is begun, finished items that are next in order
/// are handed out, and Interrupted is thrown with their number. Throws what the functions throw: if reading or encoding
/// a request fails, only after all earlier requests are handed out.
template <typename Request, typename Item>
void run_in_order(const WindowLimits& limits, const OrderedWork<Request, Item>& work) {
  int64_t handed_out = 0;
  std::exception_ptr problem;  // of the input
  const auto stop = [&] {
    throw Interrupted(core::stop_signal(), "stopped by a signal after " + work.noun + " " + std::to_string(handed_out));
  };
  const auto has_room = [&](const std::vector<Item>& items, int64_t text_bytes) {
    const auto count = static_cast<int64_t>(items.size());
    return count < limits.items && text_bytes < limits.text_bytes && count * limits.results < kMostWindowResults;
  };
  Request request;
  bool more = true;
  while (more) {
    std::vector<Item> items;
    std::vector<BatchItem> sizes;
    int64_t text_bytes = 0;
    const auto read_one = [&] {
      more = work.source(request);
      if (!more) return false;
      if (core::stop_signal() != 0) stop();
      Item item = work.encode(request);
      sizes.push_back(work.size(item));
      items.push_back(std::move(item));
      text_bytes += items.back().bytes.text;
      return has_room(items, text_bytes) && work.ready();
    };
    try {
      while (read_one()) {
      }
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      problem = std::current_exception();
      more = false;
      sizes.resize(items.size());  // without memory for an item, there may be its size alone
    }

    WindowWork window;
    window.lane = [&](WindowQueue& queue, int worker) { work.lane(items, queue, worker); };
    if (work.watch) window.done = [&](size_t i) { work.watch(items[i]); };
    window.hand_out = [&](size_t i) {
      const Item item = std::exchange(items[i], {});  // frees its memory
      ++handed_out;
      work.hand_out(item);
    };
    if (run_window(sizes, limits.batch, limits.workers, window, limits.result_bytes) < items.size()) stop();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace ventris::translation
