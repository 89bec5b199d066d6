import type { AccessFilter } from '../../domain/access/accessFilter.ts';
import { cellSentence, remarksOn } from '../../domain/access/accessLegend.ts';
import type { AccessChange, AccessRequest } from '../../domain/access/accessRequest.ts';
import type { AccessCell, AccessRow, FolderColumn } from '../../domain/access/accessTable.ts';
import { accessWord, remarkWord } from '../../domain/access/accessWords.ts';
import { arrange, element } from '../elements.ts';
import type { Host } from '../host.ts';

/** What is kept while the page is hidden. */
interface AccessState {
  readonly filter: AccessFilter;
  readonly scrolled: readonly [x: number, y: number];
}

/** The extension, as the page sees it. */
export type AccessHost = Host<AccessRequest, AccessState>;

/** What a cell is about. */
interface Pair {
  readonly folder: FolderColumn;
  readonly row: Pick<AccessRow, 'id' | 'name'>;
}

/**
 * What holds for a folder and one that may see it: a button where an answer can change it, and another
 * one where the answer can say that the folder is read only.
 */
export class CellView {
  readonly element = element('td');
  private readonly host: AccessHost;
  private readonly set: (change: AccessChange) => void;
  private cell: AccessCell = { word: 'none' };
  private pair: Pair | undefined;
  private drawn = '';
  private wasClicked = false;

  constructor(host: AccessHost, set: (change: AccessChange) => void) {
    this.host = host;
    this.set = set;
    this.element.addEventListener('click', event => this.click(event));
  }

  /** @returns what it says now, where a person has clicked it and it says something else since. */
  show(cell: AccessCell, folder: FolderColumn, { id, name }: AccessRow): string | undefined {
    const drawn = JSON.stringify([cell, folder.name, id, name]);
    if (drawn === this.drawn) {
      return undefined;
    }
    this.drawn = drawn;
    this.cell = cell;
    const pair = { folder, row: { id, name } };
    this.pair = pair;
    const label = this.host.localized(cellSentence(cell, folder.name, name));
    this.element.className = cell.isAnswerable ? `${cell.word} answerable` : cell.word;
    const notes = this.notes();
    if (cell.isAnswerable) {
      this.element.removeAttribute('aria-label');
      this.element.removeAttribute('tabindex');
      arrange(this.element, [this.toggle(label, pair), ...notes, ...this.modeButton(pair)]);
    } else {
      this.element.setAttribute('aria-label', label);
      this.element.setAttribute('tabindex', this.element.getAttribute('tabindex') ?? '-1');
      arrange(this.element, [this.word(), ...notes]);
    }
    const isNews = this.wasClicked;
    this.wasClicked = false;
    return isNews ? label : undefined;
  }

  private toggle(label: string, pair: Pair): HTMLElement {
    const toggle = this.buttonFor('toggle');
    toggle.replaceChildren(this.word());
    toggle.setAttribute('aria-label', label);
    toggle.title = this.titleOf(pair);
    return toggle;
  }

  private modeButton(pair: Pair): HTMLElement[] {
    if (!this.cell.mode) {
      return [];
    }
    const button = this.buttonFor('mode');
    const [text, title] = this.modeTexts(pair);
    button.textContent = text;
    button.setAttribute('aria-label', title);
    button.title = title;
    return [button];
  }

  /** The one that is there, which may have the focus, or a new one. */
  private buttonFor(kind: 'toggle' | 'mode'): HTMLElement {
    const known = this.element.querySelector<HTMLElement>(`button.${kind}`);
    if (known) {
      return known;
    }
    return element('button', { type: 'button', tabindex: '-1', class: kind });
  }

  private click({ target }: Event): void {
    const { pair, cell } = this;
    if (!pair || !cell.isAnswerable) {
      return;
    }
    const isMode = target instanceof Element && target.closest('.mode') !== null;
    if (!isMode) {
      this.buttonFor('toggle').focus();
    }
    this.wasClicked = true;
    this.set({
      kind: 'set',
      seer: pair.row.id,
      folder: pair.folder.id,
      ...(isMode
        ? { isAllowed: true, isReadOnly: cell.mode === 'read-write' }
        : { isAllowed: !this.isAllowed }),
    });
  }

  private get isAllowed(): boolean {
    return this.cell.word === 'exposed' || this.cell.word === 'allowed';
  }

  private word(): HTMLElement {
    const { word } = this.cell;
    const text = word === 'none' ? '–' : this.host.localized(accessWord(word));
    return element('span', { class: 'word' }, text);
  }

  private notes(): readonly HTMLElement[] {
    const { host, cell } = this;
    const { isReadOnly: _, ...others } = cell;
    // Where the second button says that it is read only, nothing else need.
    const remarks = remarksOn(cell.mode && this.isAllowed ? others : cell);
    const texts = remarks.map(remark => host.localized(remarkWord(remark)));
    const time = cell.word === 'exposed' && cell.time ? [cell.time] : [];
    return [...time, ...texts].map(text => element('span', { class: 'note' }, text));
  }

  private titleOf({ folder, row }: Pair): string {
    const { host, cell } = this;
    const does = this.isAllowed
      ? host.t('Click to keep {0} from {1}', folder.name, row.name)
      : allowingText(host, cell, folder.name, row.name);
    return cell.time ? `${sinceText(host, cell)}\n${does}` : does;
  }

  /** The text of the second button, and what it does. */
  private modeTexts({ folder, row }: Pair): readonly [string, string] {
    const { host, cell } = this;
    const names = [folder.name, row.name] as const;
    if (!this.isAllowed) {
      return cell.mode === 'read-write'
        ? [
            host.t('allow read only'),
            host.t('Allow read only: let {0} be read, and not changed, by {1}', ...names),
          ]
        : [
            host.t('allow changes'),
            host.t('Allow changes: let {0} be read and changed by {1}', ...names),
          ];
    }
    if (cell.mode === 'read-only') {
      return [host.t('read only'), host.t('Read only: let {0} be changed, too, by {1}', ...names)];
    }
    return cell.isReadOnly
      ? [
          host.t('read only until a restart'),
          host.t('Read only until a restart: let {0} only be read by {1} after it, too', ...names),
        ]
      : [host.t('read and write'), host.t('Read and write: let {0} only be read by {1}', ...names)];
  }
}

function sinceText(host: AccessHost, { word, time = '' }: AccessCell): string {
  switch (word) {
    case 'exposed':
      return host.t('Told at {0}', time);
    case 'allowed':
      return host.t('Allowed at {0}', time);
    default:
      return host.t('Not allowed since {0}', time);
  }
}

function allowingText(host: AccessHost, { mode }: AccessCell, folder: string, seer: string) {
  return mode === 'read-only'
    ? host.t('Click to let {0} be seen by {1}, read only', folder, seer)
    : host.t('Click to let {0} be seen by {1}', folder, seer);
}
