// Writes `src/api/types.ts` from the OpenAPI description of a running server: the types that the sources import, and
// the types that those refer to.
//
//   node types.mjs http://127.0.0.1:7070

import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const TYPES = join(here, "src", "api", "types.ts");

const HEAD = "// Written by types.mjs from /openapi.json. Not edited by hand: a test compares the two.\n";

/** The text of the file for this description. */
export async function written(description) {
  const { schemas } = description.components;
  const names = reached(schemas, await namedInSources());
  return HEAD + [...names].sort().map((name) => declaration(name, schemas[name])).join("");
}

/** Names of the types that the sources import. */
async function namedInSources() {
  const source = join(here, "src");
  const files = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(source, name), "utf8")));
  const imports = texts.flatMap((text) => [...text.matchAll(/import type \{([^}]*)\} from "[^"]*\/types\.ts"/g)]);
  return imports.flatMap(([, names]) => names.split(",").map((name) => name.trim().split(" as ")[0]).filter(Boolean));
}

/** The named types and all types that they refer to. */
function reached(schemas, names) {
  const found = new Set();
  const waiting = [...names];
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (found.has(name) || name === "String") continue;
    if (!schemas[name]) throw new Error(`the interface has no \`${name}\``);
    found.add(name);
    waiting.push(...[...JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, other]) => other));
  }
  return found;
}

function declaration(name, schema) {
  const said = comment(schema.description, "");
  return `\n${said}export type ${name} = ${type(schema, "")};\n`;
}

function comment(text, indent) {
  if (!text) return "";
  const lines = text.replaceAll("*/", "* /").split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function type(schema, indent) {
  if (schema === true || Object.keys(schema).length === 0) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1).replace(/^String$/, "string");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return [...new Set(several.map((one) => type(one, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => type(one, indent)).join(" & ");
  const kinds = [schema.type].flat();
  return kinds.map((kind) => ofKind(kind, schema, indent)).join(" | ");
}

function ofKind(kind, schema, indent) {
  switch (kind) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `Array<${type(schema.items ?? {}, indent)}>`;
    case "object":
      return object(schema, indent);
    default:
      return "unknown";
  }
}

function object(schema, indent) {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) {
    const more = schema.additionalProperties;
    return `Record<string, ${more && more !== true ? type(more, indent) : "unknown"}>`;
  }
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const members = properties.map(([name, property]) => {
    const key = /^[a-z_][a-z0-9_]*$/i.test(name) ? name : JSON.stringify(name);
    const mark = required.has(name) ? "" : "?";
    return `${comment(property.description, inner)}${inner}${key}${mark}: ${type(property, inner)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const answer = await fetch(new URL("/openapi.json", process.argv[2] ?? "http://127.0.0.1:7070"));
  await writeFile(TYPES, await written(await answer.json()));
}
