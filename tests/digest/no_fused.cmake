# Looks for fused multiply-adds in the machine code of the libraries.
#   cmake "-DLIBRARIES=...;..." -DOBJDUMP=... -P no_fused.cmake
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${OBJDUMP} --disassemble --no-show-raw-insn ${LIBRARIES}
  COMMAND grep -E -e "file format|[[:space:]]v?fn?m(add|sub)" OUTPUT_VARIABLE listing RESULTS_VARIABLE status)
list(GET status 0 dumped)
if(NOT dumped EQUAL 0 OR NOT listing MATCHES "file format")
  message(FATAL_ERROR "${OBJDUMP} could not read ${LIBRARIES}")
endif()
string(REGEX MATCHALL "[^\n]*[ \t]v?fn?m(add|sub)[^\n]*" fused "${listing}")
list(LENGTH fused count)
if(count GREATER 0)
  string(REGEX REPLACE ";" "\n" lines "${fused}")
  message(FATAL_ERROR "${count} fused multiply-adds, against -ffp-contract=off (docs/decisions/0002):\n${lines}")
endif()
