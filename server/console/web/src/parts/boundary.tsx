import { Component, type ComponentChildren } from "preact";
import { strings } from "../strings.ts";
import { Button, Link } from "./controls.tsx";

interface BoundaryProps {
  children: ComponentChildren;
}

/** Contains a defect of a view: the rest of the page stays usable, and the view can be shown again. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override render({ children }: BoundaryProps, { error }: { error: unknown }) {
    if (error === undefined) return children;
    return (
      <main id="main" class="work" tabIndex={-1}>
        <h1>{strings.boundary.title}</h1>
        <div class="refused broken" role="alert">
          <p>{strings.boundary.text}</p>
          <p>
            <code>{String(error)}</code>
          </p>
          <p>
            <Button onClick={() => this.setState({ error: undefined })}>{strings.boundary.again}</Button>{" "}
            <Link to="./">{strings.notFound.home}</Link>
          </p>
        </div>
      </main>
    );
  }
}
