// Builds `dist/` from `src/`: one script, one style sheet, their source maps, the page and its icon. Script and style
// are minified; long lines are broken, so that the committed files can be compared. Each line costs bytes on the wire.
//
//   node build.mjs            into ../dist
//   node build.mjs <folder>   into another folder, for the test that compares the two

import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export async function buildInto(folder) {
  await mkdir(folder, { recursive: true });
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: { console: "src/main.tsx" },
    // source maps contain paths relative to this folder, so it is the same for every copy
    outdir: join(here, "..", "dist"),
    write: false,
    bundle: true,
    minify: true,
    lineLimit: 400,
    sourcemap: true,
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
  for (const { path, contents } of outputFiles) await writeFile(join(folder, basename(path)), contents);
  for (const file of ["index.html", "icon.svg"]) {
    await copyFile(join(here, "src", file), join(folder, file));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildInto(resolve(process.argv[2] ?? join(here, "..", "dist")));
}
