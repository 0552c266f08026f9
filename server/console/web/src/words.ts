// Every word that the console says of its own, by screen, ready for translation. Reasons and refusals are the server's, and
// are shown as it says them.

import { access } from "./words/access.ts";
import { connect } from "./words/connect.ts";
import { drawer } from "./words/drawer.ts";
import { embed } from "./words/embed.ts";
import { frame } from "./words/frame.ts";
import { memories } from "./words/memories.ts";
import { parts } from "./words/parts.ts";
import { places } from "./words/places.ts";
import { reach } from "./words/reach.ts";
import { strip } from "./words/strip.ts";
import { work } from "./words/work.ts";

export { actions } from "./words/access.ts";

export const words = { ...access, ...connect, ...drawer, ...embed, ...frame, ...memories, ...parts, ...places, ...reach, ...strip, ...work };
