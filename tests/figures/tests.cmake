ventris_test(figures
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/attention_figure_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/axes_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/bar_chart_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/colours_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/heat_map_grid_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/heat_map_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/hover_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/line_chart_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/svg_test.cpp
  LINKS ventris_figures)
