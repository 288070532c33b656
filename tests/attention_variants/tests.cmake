if(VENTRIS_LEARNING)
  ventris_test(attention_variants WHOLE LABEL e2e
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/attention_variants_test.cpp ${CMAKE_CURRENT_LIST_DIR}/long_inputs_test.cpp ${CMAKE_CURRENT_LIST_DIR}/layer_variants_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  target_compile_definitions(test_attention_variants PRIVATE VENTRIS_PYTHON="${python_of_torch}")
  add_dependencies(test_attention_variants ventris-train ventris-translate ventris-score ventris-export ventris-average
    ventris-inspect ventris-plot)
endif()
