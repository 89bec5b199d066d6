import type { MarkedToken, Token, Tokens } from 'marked';
import { readableLines } from '../../domain/printable.ts';
import { element, linkButton } from '../elements.ts';

/** How many tokens are shown, and how deep one may be in others: nobody writes more. */
const mostTokens = 20_000;
const deepest = 20;

/**
 * Builds what Markdown says out of elements. HTML in it is shown as the text that it is, pictures and
 * all links but those of the web as words.
 *
 * @param openLink is told of a link that a person wants to follow.
 */
export function markdownView(
  tokens: readonly Token[],
  openLink: (url: string) => void,
): HTMLElement {
  let left = mostTokens;
  return element('div', { class: 'markdown', dir: 'auto' }, ...blocks(tokens, 0));

  function blocks(tokens: readonly Token[] | undefined, depth: number): Node[] {
    return (tokens ?? []).flatMap(token => {
      left -= 1;
      return left < 0 ? [] : [blockOf(token as MarkedToken, depth + 1)];
    });
  }

  function inside({ tokens, raw }: { tokens?: Token[]; raw: string }, depth: number): Node[] {
    return depth > deepest ? [plain(raw)] : blocks(tokens, depth);
  }

  function blockOf(token: MarkedToken, depth: number): Node {
    switch (token.type) {
      case 'space':
      case 'def':
        return plain('');
      case 'heading': {
        // Those above are the page's own.
        const tags = ['h3', 'h4', 'h5', 'h6'] as const;
        return element(tags[token.depth - 1] ?? 'h6', {}, ...inside(token, depth));
      }
      case 'paragraph':
        return element('p', {}, ...inside(token, depth));
      case 'text':
        return token.tokens ? fragment(inside(token, depth)) : plain(unescaped(token.text));
      case 'escape':
        return plain(token.text);
      case 'strong':
      case 'em':
      case 'del':
        return element(token.type, {}, ...inside(token, depth));
      case 'codespan':
        return element('code', {}, plain(token.text));
      case 'code':
        // What is wider than the page is scrolled, with the keyboard, too.
        return element('pre', { tabindex: '0' }, element('code', {}, plain(token.text)));
      case 'blockquote':
        return element('blockquote', {}, ...inside(token, depth));
      case 'list':
        return list(token, depth);
      case 'table':
        return table(token, depth);
      case 'hr':
      case 'br':
        return element(token.type);
      case 'link':
        return link(token, depth);
      case 'image':
        return plain(`${token.text} (${token.href})`);
      default:
        return plain(token.raw);
    }
  }

  function list({ ordered, start, items }: Tokens.List, depth: number): Node {
    const made = items.map(item => {
      const box = item.task && (item.checked ? '☑ ' : '☐ ');
      const tokens = item.tokens.filter(({ type }) => type !== 'checkbox');
      return element('li', {}, box, ...inside({ ...item, tokens }, depth));
    });
    return ordered
      ? element('ol', { start: String(start || 1) }, ...made)
      : element('ul', {}, ...made);
  }

  function table({ header, rows }: Tokens.Table, depth: number): Node {
    const cell = (tag: 'th' | 'td') => (one: Tokens.TableCell) =>
      element(tag, {}, ...inside({ tokens: one.tokens, raw: one.text }, depth));
    const head = element('thead', {}, element('tr', {}, ...header.map(cell('th'))));
    const body = rows.map(row => element('tr', {}, ...row.map(cell('td'))));
    const whole = element('table', {}, head, element('tbody', {}, ...body));
    return element('div', { class: 'wide', tabindex: '0' }, whole);
  }

  function link(token: Tokens.Link, depth: number): Node {
    const { href } = token;
    const words = inside(token, depth);
    if (!/^https?:\/\//i.test(href)) {
      return fragment([...words, plain(` (${href})`)]);
    }
    const made = linkButton('', () => openLink(href));
    made.append(...words);
    made.title = readableLines(href);
    return made;
  }
}

function plain(text: string): Text {
  return document.createTextNode(readableLines(text));
}

function fragment(nodes: readonly Node[]): DocumentFragment {
  const made = document.createDocumentFragment();
  made.append(...nodes);
  return made;
}

/** The lexer leaves the entities of HTML in texts. The common ones are what they stand for. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};
