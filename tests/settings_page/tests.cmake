if(VENTRIS_LEARNING)
  ventris_test(settings_page LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/settings_page_test.cpp
    LINKS ventris_core nlohmann_json::nlohmann_json)
  add_dependencies(test_settings_page ventris-train ventris-translate ventris-serve ventris-score)
endif()
