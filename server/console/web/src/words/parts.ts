// What is said everywhere.

export const parts = {
  again: "Ask again",
  asOf: "As of",
  cancel: "Cancel",
  close: "Close",
  more: "Show more",
  unknown: "–",

  time: {
    now: "now",
    ago: (far: string) => `${far} ago`,
    ahead: (far: string) => `in ${far}`,
  },

  copy: { id: "Copy the id", this: "Copy", done: "Copied" },

  states: {
    loading: "Loading",
    offline: "The server does not answer",
    absent: "Not there",
    failed: "That did not work",
    noAnswer: "No answer came. What is shown may be old.",
    retrying: "It is being tried again.",
    busy: "It is tried again as soon as the server allows.",
    request: "Request",
  },

  lifetimes: [
    ["", "Never"],
    ["3600", "In 1 hour"],
    ["86400", "In 1 day"],
    ["604800", "In 7 days"],
    ["2592000", "In 30 days"],
    ["31536000", "In 1 year"],
  ] as const,

  conflict: {
    title: "Somebody was faster",
    changed: (version: number) => `While you were editing it became version ${version}. Nothing that you typed is lost.`,
    dropped: "While you were editing it was deleted or expired. Nothing that you typed is lost.",
    theirs: "Theirs",
    mine: "Yours",
    takeTheirs: "Take theirs",
    takeMine: "Take yours",
    merged: "What is to be",
    hint: "Edit until it is right; then save.",
    goOn: "Go on with this",
  },

  diff: {
    title: "What changed",
    kinds: { same: "", gone: "without: ", new: "with: " },
  },
} as const;
