if(VENTRIS_LEARNING)
  ventris_test(resume LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/resume_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_resume ventris-train)
endif()
