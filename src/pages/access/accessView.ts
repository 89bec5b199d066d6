import {
  type AccessCell,
  type AccessChange,
  type AccessRequest,
  type AccessRow,
  type AccessTable,
  accessText,
  type FolderColumn,
  filtered,
} from '../../domain/access/accessTable.ts';
import { folderWords, readOnlyWord } from '../../domain/consent/statusWords.ts';
import { button, element } from '../elements.ts';
import type { Host } from '../host.ts';
import type { ToAccessPage } from '../pageMessages.ts';

/** The extension, as the page sees it. The state keeps the filter while the page is hidden. */
export type AccessHost = Host<AccessRequest, { readonly filter: string }>;

/** How many milliseconds "Copied" is shown. */
const copiedTime = 3000;

/** The page: a filter, and the table. If an answer can change a cell, the cell has a checkbox. */
export class AccessView {
  private readonly host: AccessHost;
  private readonly filter = element('input', { type: 'search' });
  private readonly status = element('span', { role: 'status' });
  private readonly notice = element('p', { class: 'notice' });
  private readonly contents;
  private readonly head = element('tr');
  private readonly body = element('tbody');
  private table: AccessTable = { folders: [], rows: [] };

  constructor(host: AccessHost) {
    this.host = host;
    const { filter } = this;
    filter.placeholder = filter.ariaLabel = host.t('Filter Servers and Folders');
    filter.value = host.state?.filter ?? '';
    filter.addEventListener('input', () => this.draw());
    const copy = button(host.t('Copy'), () =>
      host.post({ kind: 'copy', text: accessText(this.shown, host.localized) }),
    );
    this.contents = element(
      'div',
      { hidden: '' },
      element('div', { class: 'bar' }, filter, copy, this.status),
      element(
        'table',
        {},
        element('caption', {}, host.t('Who sees what')),
        element('thead', {}, this.head),
        this.body,
      ),
    );
    document.body.append(element('main', {}, this.notice, this.contents));
  }

  take(message: ToAccessPage): void {
    if (message.kind === 'copied') {
      this.status.textContent = this.host.t('Copied');
      setTimeout(() => this.status.replaceChildren(), copiedTime);
    } else {
      const { table, notice, filter } = message;
      this.table = table;
      this.filter.value = filter ?? this.filter.value;
      this.notice.textContent = notice ?? '';
      this.contents.hidden = table.folders.length === 0;
      this.draw();
    }
  }

  private get shown(): AccessTable {
    return filtered(this.table, this.filter.value);
  }

  private draw(): void {
    const { host, shown } = this;
    const { folders } = shown;
    host.state = { filter: this.filter.value };
    this.head.replaceChildren(
      element('th', { scope: 'col' }, host.t('Server')),
      ...folders.map(({ name, place }) => heading('col', name, place)),
    );
    // If the page does not have the focus, it must not take the focus.
    const focused = document.hasFocus() && document.activeElement?.getAttribute('data-key');
    this.body.replaceChildren(...shown.rows.map(row => this.row(row, folders)));
    if (focused) {
      [...this.body.querySelectorAll('input')]
        .find(box => box.getAttribute('data-key') === focused)
        ?.focus();
    }
  }

  private row(row: AccessRow, folders: readonly FolderColumn[]): HTMLTableRowElement {
    return element(
      'tr',
      { class: row.kind },
      heading('row', row.name, row.about.join(' · ')),
      ...folders.map((folder, index) => {
        const cell = row.cells[index];
        return cell && this.cell(cell, row, folder);
      }),
    );
  }

  private cell(cell: AccessCell, row: AccessRow, folder: FolderColumn): HTMLTableCellElement {
    const { host } = this;
    const { word, words, title, isAnswerable, mode } = cell;
    const text = words.map(host.localized).join(' · ');
    const { color, isRoot: isAllowed = false } = folderWords[word];
    const set = (change: Pick<AccessChange, 'isAllowed' | 'isReadOnly'>) =>
      host.post({ kind: 'set', viewer: row.id, folder: folder.id, ...change });
    const box = (kind: string, label: string, isChecked: boolean, onClick: () => void) => {
      const name = host.t('{0} for {1}: {2}', folder.name, row.name, label);
      const key = JSON.stringify([row.id, folder.id, kind]);
      return checkbox(label, { 'aria-label': name, title, 'data-key': key }, isChecked, onClick);
    };
    const shown = element(
      'td',
      { title },
      isAnswerable ? box('seen', text, isAllowed, () => set({ isAllowed: !isAllowed })) : text,
      mode &&
        box('read-only', host.t(readOnlyWord), mode === 'read-only', () =>
          set({ isAllowed: true, isReadOnly: mode === 'read-write' }),
        ),
    );
    if (color !== undefined) {
      shown.style.setProperty('--color', `var(--vscode-${color.replaceAll('.', '-')})`);
    }
    return shown;
  }
}

function heading(scope: 'col' | 'row', name: string, about: string): HTMLTableCellElement {
  const parts = [
    element('span', { class: 'name' }, name),
    element('span', { class: 'about' }, about),
  ];
  return element('th', { scope }, ...parts);
}

/** A checkbox that only the extension ticks, because a click may lead to a question. */
function checkbox(
  label: string,
  attributes: Readonly<Record<string, string | undefined>>,
  isChecked: boolean,
  onClick: () => void,
): HTMLLabelElement {
  const box = element('input', { type: 'checkbox', ...attributes });
  box.checked = isChecked;
  box.addEventListener('click', event => {
    event.preventDefault();
    onClick();
  });
  return element('label', {}, box, element('span', {}, label));
}
