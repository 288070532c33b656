# The programs again, with one more model family linked to them: what adding a family takes, and nothing else.
if(VENTRIS_LEARNING)
  # The family is compiled once with and once without LibTorch, and the programs are not compiled again.
  add_library(bag_architecture OBJECT family_runs/bag_architecture.cpp)
  target_link_libraries(bag_architecture PRIVATE ventris_architecture ventris_flags)
  add_library(bag_family OBJECT family_runs/bag_family.cpp)
  target_link_libraries(bag_family PRIVATE ventris_training ventris_flags)
  ventris_use_torch(bag_family)
  foreach(family bag_architecture bag_family)
    target_include_directories(${family} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  endforeach()
  function(ventris_bag_program name)
    cmake_parse_arguments(P "TORCH" "" "LINKS" ${ARGN})
    add_executable(bag-${name} $<TARGET_OBJECTS:${name}> $<TARGET_OBJECTS:bag_architecture>)
    set_target_properties(bag-${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(bag-${name} PRIVATE ventris_app_support ${P_LINKS} ventris_flags)
    if(P_TORCH)
      target_sources(bag-${name} PRIVATE $<TARGET_OBJECTS:bag_family>)
      ventris_use_torch(bag-${name})
    endif()
  endfunction()
  ventris_bag_program(ventris-inspect LINKS ventris_inspection ventris_settings ventris_alignment fmt::fmt)
  ventris_bag_program(ventris-average LINKS ventris_model fmt::fmt)
  ventris_bag_program(ventris-translate LINKS ventris_filters)
  ventris_bag_program(ventris-score LINKS ventris_filters)
  ventris_bag_program(ventris-train TORCH LINKS ventris_doctor ventris_jemalloc)
  ventris_bag_program(ventris-export TORCH LINKS ventris_exports ventris_torchscript)
  add_library(bag_backend SHARED ${PROJECT_SOURCE_DIR}/lib/modules/backend/library.cpp
              $<TARGET_OBJECTS:bag_architecture> $<TARGET_OBJECTS:bag_family>)
  target_link_libraries(bag_backend PRIVATE ventris_backend ventris_flags)
  ventris_use_torch(bag_backend)

  ventris_test(family_runs WHOLE LABEL e2e
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/bert_test.cpp ${CMAKE_CURRENT_LIST_DIR}/encoder_from_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/families_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  # The recurrent family, which the library knows.
  ventris_test(family_runs_rnn WHOLE LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/rnn_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_family_runs_rnn ventris-train ventris-translate ventris-score ventris-evaluate ventris-inspect
    ventris-average ventris-export ventris-plot)
  # The classifier over the encoder of a BERT.
  ventris_test(family_runs_classifier WHOLE LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/classifier_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_family_runs_classifier ventris-train ventris-classify ventris-embed ventris-translate
    ventris-score ventris-inspect ventris-average ventris-export)
  # The non-autoregressive one.
  ventris_test(family_runs_nat WHOLE LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/nat_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_family_runs_nat ventris-train ventris-translate ventris-score ventris-inspect ventris-average
    ventris-export ventris-plot)
  target_compile_definitions(test_family_runs PRIVATE BAG_BACKEND="$<TARGET_FILE:bag_backend>")
  add_dependencies(test_family_runs bag_backend bag-ventris-inspect bag-ventris-average bag-ventris-translate
    bag-ventris-score bag-ventris-train bag-ventris-export ventris-average ventris-evaluate ventris-export
    ventris-inspect ventris-score ventris-train ventris-translate ventris-vocab)
endif()
