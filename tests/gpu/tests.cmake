if(VENTRIS_LEARNING)
  # Most cases skip on a machine without a GPU.
  ventris_test(gpu TORCH LABEL e2e
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/attention_test.cpp ${CMAKE_CURRENT_LIST_DIR}/gpu_functions_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/gpu_program_test.cpp ${CMAKE_CURRENT_LIST_DIR}/runs_test.cpp
    LINKS ventris_attention ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_gpu ventris-train ventris-translate ventris-score ventris_backend_library)
endif()
