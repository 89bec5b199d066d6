import { type AccessFilter, filtered, wholeTable } from '../../domain/access/accessFilter.ts';
import { legendOf } from '../../domain/access/accessLegend.ts';
import type { AccessRow, AccessTable } from '../../domain/access/accessTable.ts';
import { button, element } from '../elements.ts';
import { AccessGrid } from './accessGrid.ts';
import type { ToAccessPage } from './accessMessages.ts';
import type { AccessHost } from './cellView.ts';

type TableMessage = Extract<ToAccessPage, { readonly kind: 'table' }>;

/** For how long it says that the text was copied, in milliseconds. */
const copiedTime = 3000;
/** How many names a sentence lists. */
const mostNames = 12;

/** The page: a filter, the table, what it comes to in a sentence, and what its words mean. */
export class AccessView {
  private readonly host: AccessHost;
  private readonly grid: AccessGrid;
  private readonly server;
  private readonly folder;
  private readonly summary = element('p', { class: 'summary', role: 'status' });
  private readonly copied = element('span', { class: 'copied', role: 'status' });
  private readonly notice = element('div', { class: 'notice' });
  private readonly contents;
  private readonly places = element('dl');
  private readonly legend = element('dl');
  private table: AccessTable | undefined;
  private filter: AccessFilter;

  constructor(host: AccessHost) {
    this.host = host;
    this.filter = host.state?.filter ?? wholeTable;
    this.server = this.field(host.t('Filter Servers'), server => ({ ...this.filter, server }));
    this.folder = this.field(host.t('Filter Folders'), folder => ({ ...this.filter, folder }));
    this.grid = new AccessGrid(host, {
      set: change => host.post(change),
      server: name => this.narrow({ ...this.filter, server: flipped(this.filter.server, name) }),
      folder: name => this.narrow({ ...this.filter, folder: flipped(this.filter.folder, name) }),
    });
    const copy = button(host.t('Copy as Text'), () =>
      host.post({ kind: 'copy', filter: this.filter }),
    );
    this.contents = element(
      'div',
      { hidden: '' },
      element('div', { class: 'bar' }, this.server, this.folder, copy, this.copied),
      this.summary,
      this.grid.element,
      element('section', {}, element('h2', {}, host.t('Words')), this.legend),
      element('section', {}, element('h2', {}, host.t('Folders')), this.places),
    );
    document.body.append(
      element('main', {}, element('h1', {}, host.t('Who sees what')), this.notice, this.contents),
    );
    window.addEventListener('scroll', () => this.keep(), { passive: true });
  }

  take(message: ToAccessPage): void {
    switch (message.kind) {
      case 'table':
        this.show(message);
        break;
      case 'filter':
        this.narrow(message.filter);
        break;
      case 'copied':
        this.copied.textContent = this.host.t('Copied');
        setTimeout(() => this.copied.replaceChildren(), copiedTime);
    }
  }

  private show({ table, notice }: TableMessage): void {
    const isFirst = this.table === undefined;
    this.table = table;
    this.notice.replaceChildren(...this.noticeParts(notice));
    this.contents.hidden = notice === 'restricted' || notice === 'no-folder';
    this.grid.show(table);
    this.showPart();
    if (isFirst) {
      window.scrollTo(...(this.host.state?.scrolled ?? [0, 0]));
    }
  }

  private field(label: string, filterWith: (text: string) => AccessFilter) {
    const field = element('vscode-textfield', { type: 'search', placeholder: label });
    field.label = label;
    field.addEventListener('input', () => this.narrow(filterWith(field.value)));
    return field;
  }

  private narrow(filter: AccessFilter): void {
    this.filter = filter;
    this.keep();
    this.showPart();
  }

  private showPart(): void {
    const { table, filter, server, folder } = this;
    if (server.value !== filter.server) {
      server.value = filter.server;
    }
    if (folder.value !== filter.folder) {
      folder.value = filter.folder;
    }
    if (table) {
      const shown = filtered(table, filter);
      this.grid.narrow(shown);
      const summary = this.summaryOf(table, shown);
      // What is said anew is read out anew.
      if (this.summary.textContent !== summary) {
        this.summary.textContent = summary;
      }
      const words = legendOf(shown).map(entry => [
        this.host.localized(entry.word),
        this.host.localized(entry.meaning),
      ]);
      list(this.legend, words);
      list(
        this.places,
        shown.folders.map(({ name, place }) => [name, place]),
      );
    }
  }

  /** Who sees the one folder that is shown, else how much is shown. */
  private summaryOf(table: AccessTable, shown: AccessTable): string {
    const { host } = this;
    const [folder] = shown.folders;
    if (folder && shown.folders.length === 1) {
      const namesOf = (wanted: string) =>
        this.names(shown.rows.filter(({ cells }) => cells[0]?.word === wanted));
      const [told, allowed] = [namesOf('exposed'), namesOf('allowed')];
      return [
        told
          ? host.t('{0} is exposed to {1}.', folder.name, told)
          : host.t('{0} is exposed to nobody here.', folder.name),
        ...(allowed ? [host.t('It is allowed to {0}.', allowed)] : []),
      ].join(' ');
    }
    const counts = [countOf(shown), countOf(table), shown.folders.length, table.folders.length];
    return host.t('Servers: {0} of {1}. Folders: {2} of {3}.', ...counts.map(String));
  }

  private names(rows: readonly AccessRow[]): string {
    const names = rows.slice(0, mostNames).map(({ name }) => name);
    const more = rows.length - names.length;
    const listed = names.join(', ');
    return more > 0 ? this.host.t('{0} and {1} more', listed, String(more)) : listed;
  }

  private noticeParts(notice: TableMessage['notice']): Node[] {
    const { host } = this;
    switch (notice) {
      case undefined:
        return [];
      case 'restricted':
        return [
          element(
            'p',
            {},
            host.t(
              'This window is in Restricted Mode: no server starts, and no folder is exposed.',
            ),
          ),
          button(host.t('Manage Workspace Trust'), () => host.post({ kind: 'manage-trust' }), true),
        ];
      case 'no-folder':
        return [
          element('p', {}, host.t('No folder is open, so there is nothing to expose to a server.')),
          button(host.t('Open Folder'), () => host.post({ kind: 'open-folder' }), true),
        ];
      case 'virtual':
        return [
          element(
            'p',
            {},
            host.t(
              'The folders of this window are not on disk. Roots are file: URIs, so no server can be told of them.',
            ),
          ),
        ];
    }
  }

  private keep(): void {
    this.host.state = { filter: this.filter, scrolled: [window.scrollX, window.scrollY] };
  }
}

/** A name that is clicked is all that is shown; clicked again, it is not. */
function flipped(filter: string, name: string): string {
  return filter === name ? '' : name;
}

/** Clients are counted with their server. */
function countOf({ rows }: AccessTable): number {
  return rows.filter(({ kind }) => kind !== 'client').length;
}

/** Shows terms and what they mean, and touches nothing where that is shown already. */
function list(parent: HTMLElement, entries: readonly (readonly string[])[]): void {
  const children = entries.flatMap(([term = '', meaning = '']) => [
    element('dt', {}, term),
    element('dd', {}, meaning),
  ]);
  const textOf = (all: Iterable<Element>) =>
    [...all].map(({ textContent }) => textContent).join('\n');
  if (textOf(parent.children) !== textOf(children)) {
    parent.replaceChildren(...children);
  }
}
