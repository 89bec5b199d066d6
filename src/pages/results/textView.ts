import { readableLines } from '../../domain/printable.ts';
import { button, element } from '../elements.ts';
import type { PageWords } from '../host.ts';

/** How many characters are shown at first, and how many more at a time: megabytes would stop the page. */
const slice = { first: 20_000, next: 100_000 };

/** A text as it is, in lines that are broken where they end; the rest of a long one on demand. */
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

/** A place that is not within a character of two units. */
function cutAt(text: string, at: number): number {
  const isWithin = at < text.length && /[\udc00-\udfff]/.test(text.charAt(at));
  return Math.min(text.length, isWithin ? at + 1 : at);
}
