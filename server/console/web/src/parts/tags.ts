// Tags in one text field: separated by commas, in double quotes where a tag contains a comma or a quote.

/** One tag, with the comma or the end that follows it. */
const TAG = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/gy;

export function formatTags(tags: readonly string[]): string {
  return tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(", ");
}

/** The tags in the text, without empty ones. */
export function parseTags(text: string): string[] {
  const tags: string[] = [];
  // a quote within a tag, or one that is never closed, is part of it
  for (const [, quoted, plain] of text.matchAll(TAG)) tags.push((quoted?.replaceAll('""', '"') ?? plain ?? "").trim());
  return tags.filter(Boolean);
}
