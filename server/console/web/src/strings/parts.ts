// Text of shared components.

export const parts = {
  refresh: "Refresh",
  asOf: "As of",
  cancel: "Cancel",
  close: "Close",
  more: "Show more",
  earlier: "Show earlier rows",
  unknown: "–",

  time: {
    now: "now",
    ago: (far: string) => `${far} ago`,
    ahead: (far: string) => `in ${far}`,
  },

  copy: { id: "Copy the id", this: "Copy", done: "Copied" },

  states: {
    loading: "Loading",
    offline: "The server does not respond",
    notFound: "Not found",
    failed: "The request failed",
    noResponse: "No response from the server. The page may be out of date.",
    retrying: "Retrying…",
    busy: "The request is retried as soon as the server allows it.",
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

  unsaved: {
    title: "Discard unsaved text?",
    text: "You have typed text that is not saved.",
    stay: "Keep editing",
    discard: "Discard",
  },

  save: {
    notStored: "It was not stored; your text is still here.",
    notStoredAfter: "The server responds again: it was not stored. Save again to store it.",
    checking: "It is not known yet whether it was stored; the server will be asked until it responds. Your text is still here.",
    unchanged: "Nothing was changed.",
    unknown: "It is not known whether the change was made; look before you try again.",
    asking: "It is not known yet whether the change was made; the server will be asked until it responds.",
    notDone: "The server responds again: the change was not made. Try again to make it.",
  },

  conflict: {
    title: "Edit conflict",
    changed: (version: number) => `Version ${version} was saved while you were editing. Nothing that you typed is lost.`,
    dropped: "It was deleted or expired while you were editing. Nothing that you typed is lost.",
    theirs: "Theirs",
    mine: "Yours",
    useTheirs: "Use theirs",
    useMine: "Use yours",
    merged: "Result",
    hint: "Edit the result, then save.",
    accept: "Use this result",
  },

  diff: {
    title: "Changes",
    kinds: { same: "", removed: "removed: ", added: "added: " },
  },
} as const;
