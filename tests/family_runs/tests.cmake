# The programs again, with one more model family linked to them: what adding a family takes, and nothing else.
if(VENTRIS_LEARNING)
  function(ventris_bag_program name)
    cmake_parse_arguments(P "TORCH" "" "SOURCES;LINKS" ${ARGN})
    list(TRANSFORM P_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/apps/)
    add_executable(bag-${name} ${P_SOURCES} family_runs/bag_architecture.cpp)
    target_include_directories(bag-${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(bag-${name} PRIVATE ventris_app_support ${P_LINKS} ventris_flags)
    if(P_TORCH)
      target_sources(bag-${name} PRIVATE family_runs/bag_family.cpp)
      ventris_use_torch(bag-${name})
    endif()
  endfunction()
  ventris_bag_program(ventris-inspect SOURCES ventris_inspect.cpp LINKS ventris_inspection ventris_settings ventris_alignment fmt::fmt)
  ventris_bag_program(ventris-average SOURCES ventris_average.cpp LINKS ventris_model fmt::fmt)
  ventris_bag_program(ventris-translate SOURCES ventris_translate.cpp LINKS ventris_filters)
  ventris_bag_program(ventris-score SOURCES ventris_score.cpp LINKS ventris_filters)
  ventris_bag_program(ventris-train TORCH SOURCES ventris_train.cpp LINKS ventris_doctor)
  ventris_bag_program(ventris-export TORCH SOURCES ventris_export.cpp LINKS ventris_exports ventris_torchscript)
  add_library(bag_backend SHARED ${PROJECT_SOURCE_DIR}/lib/modules/backend/library.cpp family_runs/bag_architecture.cpp
              family_runs/bag_family.cpp)
  target_include_directories(bag_backend PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
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
