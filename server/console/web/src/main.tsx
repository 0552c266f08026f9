import { render } from "preact";
import { App } from "./frame/app.tsx";
import { applyPreferences } from "./preferences.ts";
import { useCodeOfLink } from "./session.ts";
import "./styles/index.css";

applyPreferences();
const place = document.getElementById("console");
if (place) {
  await useCodeOfLink();
  render(<App />, place);
}
