import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HumanError } from '../../domain/sentence.ts';
import { EntryCommand, InternalCommand, RowCommand, RowsCommand, WindowCommand } from '../ids.ts';
import { reportFailure } from '../reportFailure.ts';
import type { ViewRow } from '../rows.ts';
import * as vscode from '../vscode.ts';

/** A command for one row. From the palette or by a key, the command gets no row. */
export type OnRow = (row?: ViewRow) => Promise<unknown>;

/** A command for all selected rows. The list may be empty. */
export type OnRows = (rows: readonly ViewRow[]) => Promise<unknown>;

/** What each command does, by its name in `ids`. */
export interface CommandTable {
  readonly window: Readonly<Record<keyof typeof WindowCommand, () => Promise<unknown>>>;
  readonly row: Readonly<Record<keyof typeof RowCommand, OnRow>>;
  readonly rows: Readonly<Record<keyof typeof RowsCommand, OnRows>>;
  /** Commands that check their own arguments, such as a row of another view. */
  readonly handed: Readonly<
    Record<keyof typeof EntryCommand | keyof typeof InternalCommand, Registered>
  >;
}

type Registered = (...handed: readonly never[]) => Promise<unknown>;

/**
 * Registers the commands of a window, and reports their failures in one place. Any extension, or a
 * link in a text, can call them with invented values. So only a row that `live` returns is used.
 *
 * @param live returns the present row; `undefined` for anything else.
 */
export function registerCommands(
  { window, row, rows, handed }: CommandTable,
  logger: Logger,
  live: (handed: unknown) => ViewRow | undefined,
): IDisposable {
  const store = new DisposableStore();
  const register = <Name extends string, Run>(
    ids: Readonly<Record<Name, string>>,
    runs: Readonly<Record<Name, Run>>,
    registered: (run: Run) => Registered,
  ) => {
    for (const name in ids) {
      const run = registered(runs[name]);
      const command = (...all: never[]) => reportFailure(logger, async () => run(...all));
      store.add(vscode.commands.registerCommand(ids[name], command));
    }
  };
  register(WindowCommand, window, run => () => run());
  register(RowCommand, row, run => (clicked: unknown, selected: unknown) => {
    const [first, ...others] = liveRows(clicked, selected, live);
    if (others.length > 0) {
      throw new HumanError('Select one row. This command works on a single row.');
    }
    return run(first);
  });
  register(
    RowsCommand,
    rows,
    run => (clicked: unknown, selected: unknown) => run(liveRows(clicked, selected, live)),
  );
  register({ ...EntryCommand, ...InternalCommand }, handed, run => run);
  return store;
}

/** The clicked row, or all rows if several are selected. VS Code may pass `null` for no row. */
function liveRows(
  clicked: unknown,
  selected: unknown,
  live: (handed: unknown) => ViewRow | undefined,
): readonly ViewRow[] {
  const rows: readonly unknown[] = Array.isArray(selected) ? selected : [clicked ?? []].flat();
  return rows.map(one => {
    const row = live(one);
    if (!row) {
      throw new HumanError(
        'This row does not exist any more. Use the command on a row of the view "Servers".',
      );
    }
    return row;
  });
}

/** A command that needs a row. */
export function onRow(run: (row: ViewRow) => unknown): OnRow {
  return async row => run(row ?? refuse());
}

/** A command that needs at least one row. */
export function onRows(run: (rows: readonly ViewRow[]) => Promise<unknown>): OnRows {
  return async rows => (rows.length > 0 ? run(rows) : refuse());
}

function refuse(): never {
  throw new HumanError('Select a row of the view "Servers" first.');
}
