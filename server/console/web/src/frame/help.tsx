import { MOD } from "../keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import { strings } from "../strings.ts";

/** All keyboard shortcuts, by where they work. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={strings.help.title} onClose={onClose}>
      <div class="help">
        {strings.help.groups(MOD).map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <table>
              <tbody>
                {rows.map(([keys, does]) => (
                  <tr key={does}>
                    <th scope="row">
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </th>
                    <td>{does}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
