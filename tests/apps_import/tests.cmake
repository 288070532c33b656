if(VENTRIS_LEARNING)
  ventris_test(apps_import LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/import_test.cpp LINKS ventris_model)
  add_dependencies(test_apps_import ventris-import ventris-export ventris-fill ventris-train ventris-translate)
endif()
