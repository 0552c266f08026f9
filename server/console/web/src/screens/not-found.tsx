import { useTitle } from "../frame/title.ts";
import { Link } from "../parts/controls.tsx";
import { Empty } from "../parts/states.tsx";
import { strings } from "../strings.ts";

export function NotFound() {
  useTitle(strings.notFound.title);
  return (
    <main id="main" class="work" tabIndex={-1}>
      <h1>{strings.notFound.title}</h1>
      <Empty title={strings.notFound.why}>
        <Link to="./">{strings.notFound.home}</Link>
      </Empty>
    </main>
  );
}
