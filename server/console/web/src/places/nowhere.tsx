import { useTitle } from "../frame/title.ts";
import { Link } from "../parts/controls.tsx";
import { Empty } from "../parts/states.tsx";
import { words } from "../words.ts";

export function Nowhere() {
  useTitle(words.nowhere.title);
  return (
    <main id="main" class="work" tabIndex={-1}>
      <h1>{words.nowhere.title}</h1>
      <Empty title={words.nowhere.why}>
        <Link to="./">{words.nowhere.home}</Link>
      </Empty>
    </main>
  );
}
