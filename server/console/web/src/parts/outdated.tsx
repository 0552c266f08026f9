import { strings } from "../strings.ts";

interface OutdatedProps {
  isOutdated: boolean;
  reload: () => void;
  /** Whether `.` reloads too. */
  hasKey?: boolean;
}

/** Announces a later change. The user reloads, because the audit log records each read. */
export function Outdated({ isOutdated, reload, hasKey = false }: OutdatedProps) {
  return (
    <>
      {isOutdated && (
        <button type="button" class="arrivals" onClick={reload}>
          {strings.live.changed} {hasKey && <kbd>.</kbd>}
        </button>
      )}
      <span class="unseen" role="status">
        {isOutdated ? strings.live.changed : ""}
      </span>
    </>
  );
}
