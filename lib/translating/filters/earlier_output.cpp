#include "filters/earlier_output.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json_shape.h"
#include "files/files.h"
#include "files/partial.h"
#include "files/paths.h"
#include "filters/finished_input.h"
#include "filters/moses.h"
#include "filters/run_record.h"

namespace ventris::filters {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

using Each = std::function<void(std::string_view answer)>;

/// The partial files of `path` that no process writes. Those without a byte count only if they have a record.
std::vector<std::string> abandoned(const std::string& path) {
  std::vector<std::string> found;
  std::string busy;
  for (const std::string& partial : files::partial_files(path)) {
    std::error_code ignored;
    if (files::is_locked(partial)) {
      busy = partial;
    } else if (fs::file_size(partial, ignored) > 0 || fs::exists(record_name(partial))) {
      found.push_back(partial);
    } else {
      files::remove_abandoned(partial);  // of a process that was killed before it wrote a record
    }
  }
  if (found.empty() && !busy.empty()) {
    fail<ConfigError>("resume: ", busy, " is being written by another process; wait for it, or stop it");
  }
  return found;
}

/// How many of its lines can be gone on with; if none can, `problem` says why.
EarlierOutput compare(const std::string& partial, const TranslateSettings& settings, const ordered_json& record,
                      std::string& problem) {
  if (!files::exists(record_name(partial))) {
    problem = partial + ": its record " + record_name(partial) + " is missing, so nobody knows how it was begun";
    return {};
  }
  const std::string text = files::read_plain_file(record_name(partial));
  const ordered_json before = core::is_modest_json(text) ? ordered_json::parse(text, nullptr, false) : ordered_json();
  if (!before.is_object()) {
    problem = partial + ": was begun with a record that is damaged";
    return {};
  }
  const std::string other = difference(before, record);
  if (other.empty()) return {partial, before};
  const ordered_json marks = before.value(kFinishedInput, ordered_json());
  if (differs_only_in_input(before, record) && !marks.empty()) {
    if (const int64_t same = lines_as_before(marks, settings); same > 0) return {partial, before, same};
  }
  problem = partial + ": was begun with " + other;
  return {};
}

int64_t for_each_line(const EarlierOutput& earlier, const Each& each) {
  int64_t lines = 0;
  files::for_each_whole_line(earlier.partial, [&](std::string_view line) {
    if (lines == earlier.most) return;
    each(std::string(line) + "\n");
    ++lines;
  });
  return lines;
}

/// The IDs of a shard do not begin with 0.
bool is_of_shard(const EarlierOutput& earlier) {
  return earlier.record.is_object() && !earlier.record.value("shard", std::string()).empty();
}

int64_t for_each_list(const EarlierOutput& earlier, const Each& each) {
  int64_t number = 0, lines = 0, first = 0;
  std::string list;
  files::for_each_whole_line(earlier.partial, [&](std::string_view line) {
    if (number == earlier.most) return;
    const std::string where = earlier.partial + ":" + std::to_string(++lines);
    int64_t id = MosesLine::parse(line, where).id;
    if (lines == 1 && is_of_shard(earlier)) first = id;
    id -= first;
    if (id == number + 1) {
      each(std::exchange(list, {}));
      ++number;
    } else if (id != number) {
      fail<DataError>(where, ": expected ID ", first + number, " or ", first + number + 1, ", got ", first + id,
                      "; somebody changed the file; remove it to start with line 1");
    }
    list.append(line).append("\n");
  });
  return number;
}

}  // namespace

int64_t for_each_answer(const EarlierOutput& earlier, OutputFormat format, const Each& each) {
  return format == OutputFormat::kMoses ? for_each_list(earlier, each) : for_each_line(earlier, each);
}

void remove_earlier(const std::string& partial) {
  std::error_code ignored;
  if (!partial.empty() && files::remove_abandoned(partial)) fs::remove(record_name(partial), ignored);
}

EarlierOutput find_earlier_output(const TranslateSettings& settings, const ordered_json& record) {
  std::vector<EarlierOutput> alike;
  std::string problem;
  for (const std::string& partial : abandoned(settings.output)) {
    EarlierOutput found = compare(partial, settings, record, problem);
    if (!found.partial.empty()) alike.push_back(std::move(found));
  }
  if (alike.empty() && !problem.empty()) {
    fail<ConfigError>("resume: ", problem, "; give what it was begun with, or remove it to start with line 1");
  }
  if (alike.size() < 2) return alike.empty() ? EarlierOutput() : alike.front();
  size_t longest = 0;
  int64_t most = -1;
  for (size_t i = 0; i < alike.size(); ++i) {
    const int64_t answers = for_each_answer(alike[i], settings.written.format, [](std::string_view) {});
    if (answers > most) longest = i;
    most = std::max(most, answers);
  }
  for (size_t i = 0; i < alike.size(); ++i) {
    if (i != longest) remove_earlier(alike[i].partial);
  }
  return alike[longest];
}

}  // namespace ventris::filters
