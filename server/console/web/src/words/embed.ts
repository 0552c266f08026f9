// The page that another product shows within its own.

export const embed = {
  embed: {
    title: (name: string) => `Memories of ${name}`,
    waiting: "Waiting for the page around this one to say who is asking.",
    ended: (why: string) => `${why} The page around this one was asked for another token; nothing that you typed is lost.`,
    alone: "A page for other pages",
    how: "It shows the memories of a workspace within another product, which says who is asking. By itself it shows nothing.",
    nobody: "No page may show it yet: the setting console.framers names none.",
    inConsole: "Open this workspace in the console",
  },
} as const;
