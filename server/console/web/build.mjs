// Builds `dist/` from `src/`: one script, one style sheet, the page and its icon. Nothing is minified, so that the
// committed files can be read, compared and merged by line; the server compresses them.
//
//   node build.mjs            into ../dist
//   node build.mjs <folder>   into another folder, for the test that compares the two

import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export async function buildInto(folder) {
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: here,
    entryPoints: { console: "src/main.tsx" },
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2023",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    // omits a /* @__PURE__ */ comment per element, which only a second bundler would use
    jsxSideEffects: true,
    legalComments: "none",
    logLevel: "warning",
  });
  for (const file of ["index.html", "icon.svg"]) {
    await copyFile(join(here, "src", file), join(folder, file));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(resolve(process.argv[2] ?? join(here, "..", "dist")));
}
