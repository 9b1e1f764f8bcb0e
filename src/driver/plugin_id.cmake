# Writes to OUT a header with the hash of PLUGIN. Run by the build: cmake -DPLUGIN= -DOUT= -P plugin_id.cmake
file(SHA256 ${PLUGIN} hash)
string(SUBSTRING ${hash} 0 16 id)
file(WRITE ${OUT} "#define DH_PLUGIN_ID \"${id}\"\n")
