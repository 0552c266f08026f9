// Writes `src/types/*.ts` from the OpenAPI description of a server: one file for each subject, and an index.
//
//   node scripts/generate-types.mjs http://127.0.0.1:7070
//
// It runs only during development: the result is checked in, and a test compares it with the description of the server.

import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const FOLDER = join(here, "..", "src", "types");
const NOT_COVERED = join(here, "..", "..", "not-covered.txt");
// lines of a file, without its imports
const LONGEST = 380;
const HEAD = "// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.\n";

/** Ids of the operations that the client leaves out. */
export async function leftOut() {
  const lines = (await readFile(NOT_COVERED, "utf8")).split("\n");
  return new Set(lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(/\s/)[0]));
}

/** The text of each file, by its name. */
export async function generated(description) {
  const { schemas } = description.components;
  const omitted = await leftOut();
  const operations = Object.values(description.paths)
    .flatMap((path) => Object.values(path))
    .filter((operation) => operation.operationId && !omitted.has(operation.operationId))
    .sort((one, other) => (one.operationId < other.operationId ? -1 : 1));
  const subjects = [...new Set(operations.map(({ tags }) => tags[0]))].sort();
  const placed = new Set();
  // The types of each file: a type belongs to the first subject that needs it, and a long subject has several files.
  const files = new Map();
  for (const subject of subjects) {
    const own = operations.filter(({ tags }) => tags[0] === subject);
    const names = [...reached(schemas, own.flatMap(references))].filter((name) => !placed.has(name));
    names.forEach((name) => placed.add(name));
    const types = names.map((name) => ({ name, text: declaration(name, schemas[name]), uses: references(schemas[name]) }));
    const all = [...own.map(queryOf).filter(Boolean), ...types].sort((one, other) => (one.name < other.name ? -1 : 1));
    chunks(all).forEach((chunk, index) => files.set(`${subject.replaceAll(" ", "-")}${index ? `-${index + 1}` : ""}`, chunk));
  }
  const home = new Map([...files].flatMap(([file, types]) => types.map(({ name }) => [name, file])));
  const texts = new Map();
  for (const [file, types] of files) {
    const foreign = new Set(types.flatMap(({ uses }) => uses).filter((name) => home.get(name) !== file));
    const from = [...new Set([...foreign].map((name) => home.get(name)))].sort();
    const imports = from.map((other) => {
      const names = [...foreign].filter((name) => home.get(name) === other).sort();
      return `import type { ${names.join(", ")} } from "./${other}.js";\n`;
    });
    texts.set(`${file}.ts`, [HEAD, ...imports, ...types.map(({ text }) => text)].join(""));
  }
  texts.set("index.ts", HEAD + [...files.keys()].map((file) => `export type * from "./${file}.js";\n`).join(""));
  return texts;
}

/** Groups of types, none of which is too long for a source file. */
function chunks(types) {
  const groups = [];
  let lines = Infinity;
  for (const one of types) {
    const length = one.text.split("\n").length;
    if (lines + length > LONGEST) {
      groups.push([]);
      lines = 0;
    }
    groups.at(-1).push(one);
    lines += length;
  }
  return groups;
}

/** The parameters of a list in its address. */
function queryOf({ operationId, parameters = [] }) {
  const fields = parameters.filter((one) => one.in === "query" && one.name !== "dry_run");
  if (fields.length < 3) return undefined;
  const name = operationId.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("") + "Query";
  const properties = Object.fromEntries(fields.map((one) => [one.name, { ...one.schema, description: one.description }]));
  const schema = { type: "object", properties, description: `Parameters of \`${operationId}\`.` };
  return { name, text: declaration(name, schema), uses: references(schema) };
}

/** Names of the schemas that a value refers to. */
function references(value) {
  return [...JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name).filter((name) => name !== "String");
}

/** The named types and all types that they refer to. */
function reached(schemas, names) {
  const found = new Set();
  const waiting = [...names];
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...references(schemas[name]));
  }
  return found;
}

function declaration(name, schema) {
  return `\n${comment(schema.description, "")}export type ${name} = ${type(schema, "")};\n`;
}

function comment(text, indent) {
  if (!text) return "";
  const lines = text.replaceAll("*/", "* /").split("\n").map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function type(schema, indent) {
  const { description: _, default: __, ...rest } = schema === true ? {} : schema;
  if (Object.keys(rest).length === 0) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1).replace(/^String$/, "string");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return [...new Set(several.map((one) => type(one, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => type(one, indent)).join(" & ");
  return [schema.type].flat().map((kind) => ofKind(kind, schema, indent)).join(" | ");
}

function ofKind(kind, schema, indent) {
  if (kind === "integer") return "number";
  if (kind === "array") return `Array<${type(schema.items ?? {}, indent)}>`;
  if (kind === "object") return object(schema, indent);
  return ["string", "number", "boolean", "null"].includes(kind) ? kind : "unknown";
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
    return `${comment(property.description, inner)}${inner}${key}${required.has(name) ? "" : "?"}: ${type(property, inner)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const response = await fetch(new URL("/openapi.json", process.argv[2] ?? "http://127.0.0.1:7070"));
  for (const [file, text] of await generated(await response.json())) await writeFile(join(FOLDER, file), text);
}
