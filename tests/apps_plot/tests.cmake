if(VENTRIS_LEARNING)
  ventris_test(apps_plot LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/plot_test.cpp LINKS ventris_report)
  add_dependencies(test_apps_plot ventris-plot ventris-train)
endif()
