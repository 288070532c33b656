if(VENTRIS_LEARNING)
  ventris_test(golden WHOLE LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/golden_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_golden ventris-train ventris-translate ventris-score ventris-export)
endif()
