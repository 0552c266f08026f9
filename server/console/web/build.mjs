// Builds `dist/` from `src/`: one script, one style sheet, the page and its icon. Nothing is minified, so that what is
// committed can be read, compared and merged by line; the server compresses it on the way out.
//
//   node build.mjs            into ../dist
//   node build.mjs <folder>   somewhere else, for the test that compares the two

import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Builds everything into `folder`. */
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
    // leaves out a /* @__PURE__ */ mark per element, which only a second bundler would use
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
