#include "imports/imported.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "architecture/transformer_options.h"
#include "core/process.h"

namespace ventris::imports {

void configure(model::Package& package, const architecture::TransformerOptions& options, const Sides& sides,
               const std::string& path) {
  package.path = path;
  package.config.architecture = std::make_shared<const architecture::TransformerArchitecture>(options);
  package.config.tokenizer.shared = package.source_spm == package.target_spm;
  package.config.tokenizer.common_ids = !package.config.tokenizer.shared && sides.have_common_ids();
  package.config.provenance =
      nlohmann::json({{"program", std::string("ventris-import ") + core::version()}, {"imported_from", path}})
          .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace ventris::imports
