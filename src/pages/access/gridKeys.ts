/** Where the focus is in a table: in which row, at which cell of it, at which stop in that. */
interface Place {
  readonly row: number;
  readonly cell: number;
  readonly stop: number;
}

/** How many rows a page is. */
const page = 10;

/**
 * The keyboard in a table of buttons: Tab leads into it and out again, the arrows, Home, End and the
 * keys for pages from cell to cell. Thousands of cells that Tab stops at would lock a person in.
 * (ARIA Authoring Practices Guide, Grid Pattern.)
 */
export class GridKeys {
  private readonly table: HTMLTableElement;

  constructor(table: HTMLTableElement) {
    this.table = table;
    table.addEventListener('keydown', event => this.press(event));
    table.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement) {
        this.makeEntry(target);
      }
    });
  }

  /** Runs what changes the table. When that takes the element that has the focus, the nearest gets it. */
  keepFocus(change: () => void): void {
    const { activeElement } = document;
    // A page that a person is not in must not take the focus from where it is.
    const isHere = document.hasFocus() && this.table.contains(activeElement);
    const place =
      isHere && activeElement instanceof HTMLElement ? this.placeOf(activeElement) : undefined;
    change();
    if (place && (document.activeElement !== activeElement || !isReachable(activeElement))) {
      this.focus(place);
    }
    const entry = this.table.querySelector('[tabindex="0"]');
    if (!isReachable(entry)) {
      const first = this.table.querySelector<HTMLElement>('tbody tr:not([hidden]) td button');
      const any = first ?? this.table.querySelector<HTMLElement>('button');
      this.makeEntry(any ?? undefined);
    }
  }

  private press(event: KeyboardEvent): void {
    const place = event.target instanceof HTMLElement ? this.placeOf(event.target) : undefined;
    const next = place && this.next(place, event);
    if (next) {
      event.preventDefault();
      this.focus(next);
    }
  }

  private next({ row, cell, stop }: Place, event: KeyboardEvent): Place | undefined {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    if (altKey || shiftKey || metaKey) {
      return undefined;
    }
    const last = { row: this.rows.length - 1, cell: this.cellsOf(row).length - 1 };
    switch (key) {
      case 'ArrowRight':
        return stop + 1 < this.stopsAt(row, cell).length
          ? { row, cell, stop: stop + 1 }
          : { row, cell: Math.min(cell + 1, last.cell), stop: cell < last.cell ? 0 : stop };
      case 'ArrowLeft':
        return stop > 0
          ? { row, cell, stop: stop - 1 }
          : { row, cell: cell - 1, stop: Number.POSITIVE_INFINITY };
      case 'ArrowDown':
        return { row: row + 1, cell, stop };
      case 'ArrowUp':
        return { row: row - 1, cell, stop };
      case 'PageDown':
        return { row: row + page, cell, stop };
      case 'PageUp':
        return { row: row - page, cell, stop };
      case 'Home':
        return { row: ctrlKey ? 0 : row, cell: 0, stop: 0 };
      case 'End':
        return { row: ctrlKey ? last.row : row, cell: last.cell, stop: 0 };
      default:
        return undefined;
    }
  }

  private focus({ row, cell, stop }: Place): void {
    const at = within(row, this.rows.length);
    const stops = this.stopsAt(at, within(cell, this.cellsOf(at).length));
    stops[within(stop, stops.length)]?.focus();
  }

  /** Only one element of the table is reached by Tab: the last that had the focus. */
  private makeEntry(element: HTMLElement | undefined): void {
    for (const former of this.table.querySelectorAll('[tabindex="0"]')) {
      former.setAttribute('tabindex', '-1');
    }
    element?.setAttribute('tabindex', '0');
  }

  private placeOf(element: HTMLElement): Place | undefined {
    const cell = element.closest('th, td');
    const row = this.rows.indexOf(element.closest('tr') as HTMLTableRowElement);
    const at = this.cellsOf(row).indexOf(cell as HTMLTableCellElement);
    return at < 0 ? undefined : { row, cell: at, stop: this.stopsAt(row, at).indexOf(element) };
  }

  private get rows(): readonly HTMLTableRowElement[] {
    return [...this.table.rows].filter(({ hidden }) => !hidden);
  }

  private cellsOf(row: number): readonly HTMLTableCellElement[] {
    return [...(this.rows[row]?.cells ?? [])].filter(({ hidden }) => !hidden);
  }

  private stopsAt(row: number, cell: number): readonly HTMLElement[] {
    const at = this.cellsOf(row)[cell];
    const buttons = [...(at?.querySelectorAll('button') ?? [])];
    return buttons.length > 0 || !at ? buttons : [at];
  }
}

function within(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

function isReachable(element: Element | null): boolean {
  return element?.isConnected === true && element.closest('[hidden]') === null;
}
