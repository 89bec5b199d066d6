import { readableLines } from '../domain/printable.ts';
import type { PageWords } from './host.ts';

type Child = Node | string | undefined | false;
type Tags = HTMLElementTagNameMap;
type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Makes an element with these attributes and children. A text always stays a text. The names of
 * attributes must come from our code, because the values of some attributes run as a script.
 */
export function element<T extends keyof Tags>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly Child[]
): Tags[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter(child => child !== undefined && child !== false));
  return made;
}

/** A button that looks like the editor's buttons. */
export function button(
  label: string,
  onClick: () => void,
  isPrimary = false,
): Tags['vscode-button'] {
  const made = element('vscode-button', {}, label);
  made.secondary = !isPrimary;
  made.addEventListener('click', onClick);
  // The button acts when a key goes down. Without this, the key would type into the next field.
  made.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
    }
  });
  return made;
}

/** A button that looks like a link. Only `onClick` decides what it opens. */
export function linkButton(label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'link' }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** How many items one portion has. */
const portion = 100;

/** Shows items in portions, because there may be any number. A button shows the next portion. */
export function inPortions(
  container: Element,
  count: number,
  make: (at: number) => Node,
  { t }: PageWords,
): void {
  let shown = 0;
  const more = button('', () => {
    const first = shown;
    draw(shown + portion);
    // If the button is gone, the focus is lost, so the first new item gets it.
    focusFirst(container.children.item(first));
  });
  draw(portion);

  function draw(upTo: number): void {
    const end = Math.min(count, upTo);
    const made = Array.from({ length: end - shown }, (_, at) => make(shown + at));
    shown = end;
    more.remove();
    container.append(...made);
    if (shown < count) {
      more.textContent = t('Show More ({0} Left)', String(count - shown));
      container.append(more);
    }
  }
}

/** Focuses the first element in a part of the page that can have the focus. */
export function focusFirst(part: Element | null): void {
  const focusable = part?.querySelector<HTMLElement>(
    'input, select, textarea, vscode-button, button, [tabindex]',
  );
  focusable?.focus();
}

/** How many characters are shown at first, and with each click. Megabytes would freeze the page. */
const slice = { first: 20_000, next: 100_000 };

/** A text with its own line breaks. The rest of a long text appears after a click. */
export function textView(text: string, { t }: PageWords): HTMLElement {
  const shown = element('div', { class: 'text', dir: 'auto' });
  const whole = element('div', {}, shown);
  let end = 0;
  const more = button('', () => draw(slice.next));
  draw(slice.first);
  return whole;

  function draw(length: number): void {
    const start = end;
    end = cutAt(text, start + length);
    shown.append(readableLines(text.slice(start, end)));
    const left = text.length - end;
    if (left > 0) {
      more.textContent = t('Show More ({0} Characters Left)', String(left));
      whole.append(more);
    } else {
      more.remove();
    }
  }
}

/** Returns `at`, or the next index if `at` is within a character of two UTF-16 units. */
function cutAt(text: string, at: number): number {
  const isWithin = at < text.length && /[\udc00-\udfff]/.test(text.charAt(at));
  return Math.min(text.length, isWithin ? at + 1 : at);
}
