# What cpack makes: an archive and a Debian package of what is needed to run the programs. The static libraries and the
# headers are not in them (`cmake --install` installs those, too). docs/packages.md describes the packages.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME ventris)
set(CPACK_PACKAGE_VENDOR "The Ventris authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "machine translation: training, translating, scoring and evaluating")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
string(TOLOWER ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR} CPACK_SYSTEM_NAME)  # in the name of the archive
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "")
foreach(component programs shell documentation)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CMAKE_BINARY_DIR} Ventris ${component} /)
endforeach()

set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_VENDOR})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)  # NAME_VERSION_ARCHITECTURE.deb
# The libraries of Debian that the programs need. LibTorch is in no package of Debian, and is looked for when a program
# starts: dpkg-shlibdeps is told where it is, so that it can leave it out.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGE_DESCRIPTION "Ventris learns to translate from pairs of sentences, translates and scores texts, and
evaluates translations with BLEU, chrF and TER.")
if(VENTRIS_LEARNING)
  string(APPEND CPACK_PACKAGE_DESCRIPTION " Training needs LibTorch ${VENTRIS_TORCH_VERSION}, which is not part of this
package: /usr/share/doc/ventris/docs/packages.md says how to install it.")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${VENTRIS_TORCH_ROOT}/lib)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS python3-venv)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS ventris-minimal)
else()
  set(CPACK_PACKAGE_NAME ventris-minimal)
  string(APPEND CPACK_PACKAGE_DESCRIPTION_SUMMARY ", without the programs that need LibTorch")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS ventris)
endif()
include(CPack)
