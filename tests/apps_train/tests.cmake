if(VENTRIS_LEARNING)
  ventris_test(apps_train LABEL e2e 
    SOURCES
      ${CMAKE_CURRENT_LIST_DIR}/batch_memory_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/doctor_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/terminal_test.cpp
      ${CMAKE_CURRENT_LIST_DIR}/train_test.cpp
    LINKS ventris_model nlohmann_json::nlohmann_json)
  add_dependencies(test_apps_train ventris-train ventris-translate ventris-vocab refused_threads)
  target_compile_definitions(test_apps_train PRIVATE REFUSED_THREADS="$<TARGET_FILE:refused_threads>")
endif()
