import type { AccessChange } from '../../domain/access/accessRequest.ts';
import type { AccessRow, AccessTable, FolderColumn } from '../../domain/access/accessTable.ts';
import { arrange, element } from '../elements.ts';
import { type AccessHost, CellView } from './cellView.ts';
import { GridKeys } from './gridKeys.ts';

/** What a person does in the table. */
export interface GridActions {
  readonly set: (change: AccessChange) => void;
  /** Clicked the name of a server, or of a folder. */
  readonly server: (name: string) => void;
  readonly folder: (name: string) => void;
}

/**
 * The table. What stays what it is keeps its elements, and with them the focus, whatever else changes.
 */
export class AccessGrid {
  readonly element: HTMLElement;
  private readonly host: AccessHost;
  private readonly actions: GridActions;
  private readonly table;
  private readonly head = element('tr');
  private readonly body = element('tbody');
  private readonly widths = element('colgroup');
  private readonly keys: GridKeys;
  private readonly columns = new Map<string, ColumnView>();
  private readonly rows = new Map<string, RowView>();
  private readonly corner;
  private readonly said = element('p', { class: 'said', 'aria-live': 'polite' });

  constructor(host: AccessHost, actions: GridActions) {
    this.host = host;
    this.actions = actions;
    const corner = element('th', { scope: 'col', tabindex: '-1' }, host.t('Server'));
    this.corner = { width: element('col'), cell: corner };
    const label = host.t('Who sees what');
    this.table = element(
      'table',
      { role: 'grid', 'aria-label': label, 'aria-readonly': 'true' },
      this.widths,
      element('thead', {}, this.head),
      this.body,
    );
    this.keys = new GridKeys(this.table);
    this.element = element('div', {}, this.table, this.said);
  }

  /** Brings the table up to date. */
  show(table: AccessTable): void {
    this.keys.keepFocus(() => this.draw(table));
  }

  /** Shows no more of the table than this. */
  narrow({ folders, rows }: AccessTable): void {
    const shown = new Set(folders.map(({ id }) => id));
    const shownRows = new Set(rows.map(({ id }) => id));
    this.keys.keepFocus(() => {
      for (const [id, { width, cell }] of this.columns) {
        setHidden(width, !shown.has(id));
        setHidden(cell, !shown.has(id));
      }
      for (const [id, row] of this.rows) {
        setHidden(row.element, !shownRows.has(id));
        row.narrow(shown);
      }
    });
    this.table.style.setProperty('--columns', String(shown.size));
  }

  private draw({ folders, rows }: AccessTable): void {
    const { corner } = this;
    const columns = folders.map(folder => {
      const column = this.columns.get(folder.id) ?? new ColumnView(this.actions.folder);
      this.columns.set(folder.id, column);
      column.show(folder);
      return column;
    });
    const views = rows.map(row => {
      const view = this.rows.get(row.id) ?? new RowView(this.host, this.actions);
      this.rows.set(row.id, view);
      const news = view.show(row, folders);
      if (news !== undefined) {
        this.said.textContent = news;
      }
      return view.element;
    });
    forget(this.columns, folders);
    forget(this.rows, rows);
    arrange(this.widths, [corner.width, ...columns.map(({ width }) => width)]);
    arrange(this.head, [corner.cell, ...columns.map(({ cell }) => cell)]);
    arrange(this.body, views);
  }
}

/** The head of a column: a button that leaves only this folder, or all again. */
class ColumnView {
  readonly width = element('col');
  readonly cell: HTMLElement;
  private readonly name = element('span', { class: 'name' });
  private folder: FolderColumn | undefined;

  constructor(onClick: (name: string) => void) {
    const head = element('button', { type: 'button', tabindex: '-1' }, this.name);
    head.addEventListener('click', () => this.folder && onClick(this.folder.name));
    this.cell = element('th', { scope: 'col' }, head);
  }

  show(folder: FolderColumn): void {
    if (this.folder?.name !== folder.name || this.folder.place !== folder.place) {
      this.folder = folder;
      this.name.textContent = folder.name;
      this.cell.title = folder.place;
    }
  }
}

/** One server, extension or client. */
class RowView {
  readonly element = element('tr');
  private readonly host: AccessHost;
  private readonly actions: GridActions;
  private readonly name = element('span', { class: 'name' });
  private readonly state = element('span', { class: 'state' });
  private readonly about = element('span', { class: 'about' });
  private readonly head: HTMLElement;
  private readonly cells = new Map<string, CellView>();

  constructor(host: AccessHost, actions: GridActions) {
    this.host = host;
    this.actions = actions;
    const button = element('button', { type: 'button', tabindex: '-1' }, this.name);
    button.addEventListener('click', () => actions.server(this.name.textContent));
    this.head = element('th', { scope: 'row' }, button, this.state, this.about);
  }

  /** @returns what a cell says now that a person has clicked before; `undefined`: none says anything new. */
  show(row: AccessRow, folders: readonly FolderColumn[]): string | undefined {
    const { host } = this;
    this.element.className = row.kind;
    const { keeping = [], routes = [], state } = row;
    const states = row.kind === 'client' ? [host.t('client'), state] : [state, ...keeping];
    setText(this.name, row.name);
    setText(this.state, states.join(' · '));
    setText(this.about, routes.join(' · '));
    this.head.title = [row.name, ...states, ...routes].join('\n');
    let changed: string | undefined;
    const views = folders.map((folder, index) => {
      const view = this.cells.get(folder.id) ?? new CellView(host, this.actions.set);
      this.cells.set(folder.id, view);
      changed = view.show(row.cells[index] ?? { word: 'none' }, folder, row) ?? changed;
      return view.element;
    });
    forget(this.cells, folders);
    arrange(this.element, [this.head, ...views]);
    return changed;
  }

  narrow(shown: ReadonlySet<string>): void {
    for (const [id, { element }] of this.cells) {
      setHidden(element, !shown.has(id));
    }
  }
}

/** Removes what is no longer there. */
function forget<T>(known: Map<string, T>, there: readonly { readonly id: string }[]): void {
  const ids = new Set(there.map(({ id }) => id));
  for (const id of known.keys()) {
    if (!ids.has(id)) {
      known.delete(id);
    }
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function setHidden(element: HTMLElement, isHidden: boolean): void {
  if (element.hidden !== isHidden) {
    element.hidden = isHidden;
  }
}
