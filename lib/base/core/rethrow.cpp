#include "core/rethrow.h"

#include <stdexcept>

#include "core/error.h"
#include "core/resources.h"

namespace ventris::core {
namespace {

[[noreturn]] void throw_other(const std::exception& error, const std::string& more) {
  if (const auto problem = resource_problem(error)) throw ResourceError(*problem + more);
  throw std::runtime_error(without_backtrace(error.what()) + more);
}

}  // namespace

std::string without_backtrace(const std::string& text) { return text.substr(0, text.find("\nException raised from")); }

void rethrow_with(const std::string& more) {
  try {
    throw;
  } catch (const ConfigError& error) {
    throw ConfigError(error.what() + more);
  } catch (const DataError& error) {
    throw DataError(error.what() + more);
  } catch (const UnreadableError& error) {
    throw UnreadableError(error.what() + more);
  } catch (const ModelError& error) {
    throw ModelError(error.what() + more);
  } catch (const ResourceError& error) {
    throw ResourceError(error.what() + more);
  } catch (const DivergedError& error) {
    throw DivergedError(error.what() + more);
  } catch (const PipeClosed& error) {
    throw PipeClosed(error.what() + more);
  } catch (const WriteError& error) {
    throw WriteError(error.what() + more);
  } catch (const PeerError& error) {
    throw PeerError(error.what() + more);
  } catch (const Interrupted& error) {
    throw Interrupted(error.signal, error.what() + more);
  } catch (const std::exception& error) {
    throw_other(error, more);
  }
}

}  // namespace ventris::core
