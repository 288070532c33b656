if(VENTRIS_LEARNING)
  ventris_test(pipeline WHOLE LABEL e2e
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/attention_kinds_test.cpp ${CMAKE_CURRENT_LIST_DIR}/export_test.cpp ${CMAKE_CURRENT_LIST_DIR}/score_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/translate_test.cpp ${CMAKE_CURRENT_LIST_DIR}/trained_model.cpp
    LINKS ventris_model nlohmann_json::nlohmann_json)
  target_compile_definitions(test_pipeline PRIVATE VENTRIS_PYTHON="${python_of_torch}")
  add_dependencies(test_pipeline ventris-train ventris-translate ventris-score ventris-evaluate ventris-export)
endif()
