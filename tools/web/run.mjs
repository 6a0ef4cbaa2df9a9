// node run.mjs FOLDER ROOT SCRIPT [ARGUMENT...]: run a script of Python in Node's Pyodide, with gamecore as the page has it.
// FOLDER is what `tools/wasm.py site` writes; the project's ROOT is mounted at /project.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const [folder, root, script, ...rest] = process.argv.slice(2);
const { loadPyodide } = createRequire(import.meta.url)(path.resolve(folder, "pyodide.js"));
try {
  const python = await loadPyodide({ indexURL: path.resolve(folder) + "/" });
  for (const name of ["gamecore.zip", "later.zip"]) {
    const archive = new Uint8Array(fs.readFileSync(path.join(folder, name)));
    python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.11/site-packages" });
  }
  python.FS.mkdir("/project");
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/project");
  python.FS.chdir("/project");
  python.globals.set("given", python.toPy([script, ...rest]));
  python.runPython("import runpy, sys; sys.argv = list(given); runpy.run_path(sys.argv[0], run_name='__main__')");
} catch (error) {
  console.error(error.message); // the stack would quote all of Pyodide
  process.exitCode = 1;
}
