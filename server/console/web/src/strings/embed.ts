// The embedded view.

export const embed = {
  embed: {
    title: (name: string) => `Memories of ${name}`,
    waiting: "Waiting for the host page to provide a token.",
    ended: (why: string) => `${why} The host page was asked for a new token; nothing that you typed is lost.`,
    direct: "Embedded view",
    how: "This page shows the memories of a workspace inside another product, which provides the token. Opened directly, it shows nothing.",
    noOrigins: "No page may embed it yet: the setting console.framers is empty.",
    inConsole: "Open this workspace in the console",
  },
} as const;
