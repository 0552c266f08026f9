import { Component, type ComponentChildren } from "preact";
import { strings } from "../strings.ts";
import { Button, Link } from "./controls.tsx";

interface BoundaryProps {
  children: ComponentChildren;
  /** The part of the page, such as the tree; undefined for the view itself. */
  part?: string;
}

/** Contains a defect of a view or of another part: the rest of the page stays usable, and the part can be shown again. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    reportError(error);
  }

  override render({ children, part }: BoundaryProps, { error }: { error: unknown }) {
    if (error === undefined) return children;
    const again = <Button onClick={() => this.setState({ error: undefined })}>{strings.boundary.again}</Button>;
    if (part !== undefined) {
      return (
        <div class="failed-part" role="alert">
          <span title={String(error)}>{strings.boundary.part(part)}</span> {again}
        </div>
      );
    }
    return (
      <main id="main" class="work" tabIndex={-1}>
        <h1>{strings.boundary.title}</h1>
        <div class="refused broken" role="alert">
          <p>{strings.boundary.text}</p>
          <p>
            <code>{String(error)}</code>
          </p>
          <p>
            {again}{" "}
            <Link to="./">{strings.notFound.home}</Link>
          </p>
        </div>
      </main>
    );
  }
}
