import { render } from "preact";
import { askAs } from "./api/http.ts";
import { isEmbedded } from "./base.ts";
import { handed } from "./embed/handed.ts";
import { Embedded } from "./embed/page.tsx";
import { App } from "./frame/app.tsx";
import { applyPreferences } from "./preferences.ts";
import { useCodeOfLink } from "./session.ts";
import "./styles/index.css";

applyPreferences();
const place = document.getElementById("console");
if (place && isEmbedded) {
  askAs(handed);
  if (parent !== window) handed.begin();
  render(<Embedded />, place);
} else if (place) {
  await useCodeOfLink();
  render(<App />, place);
}
