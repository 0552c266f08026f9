import { render } from "preact";
import { setTokenProvider } from "./api/http.ts";
import { isEmbedded } from "./base.ts";
import { hostToken } from "./embed/host-token.ts";
import { Embedded } from "./embed/page.tsx";
import { App } from "./frame/app.tsx";
import { applyPreferences } from "./preferences.ts";
import { redeemLinkCode } from "./session.ts";
import "./styles/index.css";

applyPreferences();
const root = document.getElementById("console");
if (root && isEmbedded) {
  setTokenProvider(hostToken);
  if (parent !== window) hostToken.start();
  render(<Embedded />, root);
} else if (root) {
  await redeemLinkCode();
  render(<App />, root);
}
