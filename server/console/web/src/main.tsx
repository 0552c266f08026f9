import { render } from "preact";
import { setTokenProvider } from "./api/http.ts";
import { isEmbedded } from "./base.ts";
import { hostToken } from "./embed/host-token.ts";
import { Embedded } from "./embed/page.tsx";
import { keepFocus } from "./frame/focus.ts";
import { App } from "./frame/app.tsx";
import { applyPreferences } from "./preferences.ts";
import { showToast } from "./parts/dialog.tsx";
import { redeemLinkCode } from "./session.ts";
import { strings } from "./strings.ts";
import "./styles/index.css";

applyPreferences();
keepFocus();
// a defect in an action says so, instead of doing nothing
addEventListener("unhandledrejection", ({ reason }) => showToast(strings.boundary.action(String(reason))));
const root = document.getElementById("console");
if (root && isEmbedded) {
  setTokenProvider(hostToken);
  if (parent !== window) hostToken.start();
  render(<Embedded />, root);
} else if (root) {
  await redeemLinkCode();
  render(<App />, root);
}
