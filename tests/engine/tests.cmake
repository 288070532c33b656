ventris_test(engine TOGETHER 4
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/counted_memory.cpp
    ${CMAKE_CURRENT_LIST_DIR}/factory_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/kernel_set.cpp
    ${CMAKE_CURRENT_LIST_DIR}/nat_scorer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/needs_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/output_layer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_file_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/packed_fuzz_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/plain_transformer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/shortlist_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/symbol_layer_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/encoder_factory_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/unpacking_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/decoder_input_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/steps_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/whole_decoder_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/given_targets_test.cpp
  LINKS ventris_engine)
# It has the names of factory_test.cpp.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/nat_scorer_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# The plain loops that the engine is compared with would take most of the time without optimisation.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/plain_transformer_test.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
# Whole models with every set of kernels; the other tests call each set themselves, or are about files and memory. Under the sanitizers, in which one
# set takes minutes, only the cases that run every layer with groups of all sizes.
set(engine_cases
  "*Engine*-*EngineNeeds*:*EngineNatNeeds*:*AllocateNothing*:EngineNatFactory.*:EngineWeights.*")
if(VENTRIS_SANITIZE)
  # What counts memory is about programs without the sanitizers.
  set_tests_properties(engine PROPERTIES ENVIRONMENT "GTEST_FILTER=-*EngineNeeds*:*EngineNatNeeds*")
  set(engine_cases "*Engine*AloneAndAmongOthers/*:*EngineShortlist.ATranslationIs*:EnginePairs.*:EngineSymbolLayer.*")
endif()
foreach(set portable avx2 avx512 avx512_vnni avx512_bf16)
  add_test(NAME engine.${set} COMMAND ${CMAKE_COMMAND} -E env VENTRIS_KERNELS=${set} $<TARGET_FILE:test_engine>
    --gtest_filter=${engine_cases})
  set_tests_properties(engine.${set} PROPERTIES LABELS unit TIMEOUT 600
    SKIP_REGULAR_EXPRESSION "this processor does not have the kernels ${set};other tests already use the kernels ${set}")
endforeach()
