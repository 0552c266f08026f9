// All text of the console, by screen, ready for translation. Reasons and refusals come from the server and are shown
// unchanged.

import { access } from "./strings/access.ts";
import { connect } from "./strings/connect.ts";
import { drawer } from "./strings/drawer.ts";
import { embed } from "./strings/embed.ts";
import { frame } from "./strings/frame.ts";
import { isolating } from "./strings/isolate.ts";
import { knowledge } from "./strings/knowledge.ts";
import { library } from "./strings/library.ts";
import { memories } from "./strings/memories.ts";
import { parts } from "./strings/parts.ts";
import { providers } from "./strings/providers.ts";
import { screens } from "./strings/screens.ts";
import { skills } from "./strings/skills.ts";
import { reach } from "./strings/reach.ts";
import { subject } from "./strings/subject.ts";
import { trace } from "./strings/trace.ts";
import { work } from "./strings/work.ts";

export { actions } from "./strings/access.ts";

export const strings = isolating({
  ...access,
  ...connect,
  ...drawer,
  ...embed,
  ...frame,
  ...knowledge,
  ...library,
  ...memories,
  ...parts,
  ...providers,
  ...screens,
  ...skills,
  ...reach,
  ...subject,
  ...trace,
  ...work,
});
