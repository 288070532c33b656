if(TARGET ventris_gloo)
  ventris_test(processes LABEL e2e
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/rendezvous_test.cpp ${CMAKE_CURRENT_LIST_DIR}/together_test.cpp
    LINKS ventris_files nlohmann_json::nlohmann_json)
  add_dependencies(test_processes ventris-train)
endif()
