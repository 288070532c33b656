if(VENTRIS_LEARNING)
  ventris_test(plotting TORCH
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chart_grid_test.cpp ${CMAKE_CURRENT_LIST_DIR}/complexity_figure_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/kernel_figure_test.cpp ${CMAKE_CURRENT_LIST_DIR}/nn_figures_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/run_figures_test.cpp ${CMAKE_CURRENT_LIST_DIR}/scaling_figure_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/tradeoff_figure_test.cpp
            ${CMAKE_CURRENT_LIST_DIR}/attention_figures_test.cpp
    LINKS ventris_plotting)
endif()
