import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { looksLikeMarkdown } from '../../domain/markdown.ts';
import { cut, printable, printableLines } from '../../domain/printable.ts';
import { button, element, linkButton } from '../elements.ts';
import type { Words } from '../host.ts';
import type { MarkdownReader } from '../markdown/markdownTokens.ts';
import { markdownView } from '../markdown/markdownView.ts';
import { textView } from './textView.ts';
import { valueTree } from './valueTree.ts';

/** What can be done with a content, by the extension. */
export interface ContentActions {
  openLink(url: string): void;
  openResource(uri: string): void;
  save(content: number): void;
}

/** The types of pictures and sounds that the browser shows and that run nothing, as pictures. */
const pictures = /^image\/(?:png|jpeg|gif|webp|bmp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const sounds = /^audio\/(?:mpeg|mp3|mp4|ogg|wav|x-wav|wave|webm|aac|flac|x-m4a)$/;

/** Longer texts are not read as Markdown. */
const longestMarkdown = 100_000;

/** Shows the contents of a result, whatever a server put there. */
export class ContentView {
  private readonly words: Words;
  private readonly markdown: MarkdownReader;
  private readonly actions: ContentActions;
  private readonly urls: string[] = [];

  constructor(words: Words, markdown: MarkdownReader, actions: ContentActions) {
    this.words = words;
    this.markdown = markdown;
    this.actions = actions;
  }

  /** @param at the place of the content in the result. */
  show(content: unknown, at: number): HTMLElement {
    const { type, text, data, mimeType, resource, uri } = asObject(content);
    const kind = typeof mimeType === 'string' ? mimeType : '';
    if (type === 'text' && typeof text === 'string') {
      return this.text(text, kind);
    }
    if ((type === 'image' || type === 'audio') && typeof data === 'string') {
      return this.media(data, kind, at);
    }
    if (type === 'resource' && isJsonObject(resource)) {
      return this.resource(resource, at);
    }
    if (type === 'resource_link' && typeof uri === 'string') {
      return this.link(uri, asObject(content));
    }
    return valueTree(content, this.words.t('Content'), this.words);
  }

  /** Frees the pictures and sounds, and reads no further: what was shown is there no more. */
  clear(): void {
    this.markdown.clear();
    for (const url of this.urls.splice(0)) {
      URL.revokeObjectURL(url);
    }
  }

  /** A text, which a person can have shown as what else it may be. */
  private text(text: string, mimeType: string): HTMLElement {
    const { words } = this;
    const { t } = words;
    const json = text.length > 0 && /^\s*[[{]/.test(text) ? parsed(text) : undefined;
    const isMarkdown = /^text\/(?:x-)?markdown/.test(mimeType) || looksLikeMarkdown(text);
    const views: readonly (readonly [string, boolean, () => HTMLElement | Promise<HTMLElement>])[] =
      [
        [t('Text'), true, () => textView(text, words)],
        [t('Markdown'), text.length <= longestMarkdown, () => this.asMarkdown(text)],
        [t('JSON'), json !== undefined, () => valueTree(json, t('JSON'), words)],
      ];
    const place = element('div');
    const show = (view: HTMLElement, chosen: number) => {
      place.replaceChildren(view);
      for (const [at, { made }] of buttons.entries()) {
        made.setAttribute('aria-pressed', String(at === chosen));
      }
    };
    let latest = 0;
    const choose = async (chosen: number) => {
      latest = chosen;
      const view = await views[chosen]?.[2]();
      // While it was read, the person may have chosen another one.
      if (view && latest === chosen) {
        show(view, chosen);
      }
    };
    const buttons = views.map(([label, isPossible], at) => {
      const made = element('button', { type: 'button' }, label);
      made.addEventListener('click', () => void choose(at));
      return { made, isPossible };
    });
    const first = json !== undefined ? 2 : isMarkdown && text.length <= longestMarkdown ? 1 : 0;
    if (first === 1) {
      // It may have to wait until others are read.
      show(textView(text, words), 0);
    }
    void choose(first);
    const possible = buttons.filter(({ isPossible }) => isPossible).map(({ made }) => made);
    const group = { class: 'views', role: 'group', 'aria-label': t('Show As') };
    return element('div', { class: 'content' }, element('div', group, ...possible), place);
  }

  private async asMarkdown(text: string): Promise<HTMLElement> {
    const { words, actions } = this;
    const tokens = await this.markdown.read(text);
    return tokens
      ? markdownView(tokens, url => actions.openLink(url))
      : element(
          'div',
          {},
          element('p', { class: 'about' }, words.t('This takes too long to read as Markdown.')),
          textView(text, words),
        );
  }

  private media(base64: string, mimeType: string, at: number): HTMLElement {
    const { t } = this.words;
    const bytes = bytesOf(base64);
    const isPicture = pictures.test(mimeType);
    const save = button(t('Save…'), () => this.actions.save(at));
    const length = bytes?.length ?? 0;
    const type = printable(cut(mimeType, 100));
    const about = length === 1 ? t('{0}, 1 byte', type) : t('{0}, {1} bytes', type, String(length));
    const line = element(
      'div',
      { class: 'buttons' },
      save,
      element('span', { class: 'about' }, about),
    );
    if (!bytes || !(isPicture || sounds.test(mimeType))) {
      return element('div', { class: 'content' }, line);
    }
    // As a picture, an SVG runs no script and loads nothing.
    const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    this.urls.push(url);
    const shown = isPicture
      ? element('img', { src: url, alt: t('Picture of the answer') })
      : element('audio', { src: url, controls: '', 'aria-label': t('Sound of the answer') });
    const broken = element('p', { class: 'problem', role: 'alert' });
    shown.addEventListener('error', () => {
      shown.hidden = true;
      broken.textContent = t('This can not be shown.');
    });
    return element('div', { class: 'content' }, shown, broken, line);
  }

  private resource(resource: JsonObject, at: number): HTMLElement {
    const { uri, mimeType, text, blob } = resource;
    const kind = typeof mimeType === 'string' ? mimeType : '';
    const title = element('div', { class: 'about' }, printable(cut(String(uri ?? ''), 2000)));
    const shown =
      typeof text === 'string'
        ? this.text(text, kind)
        : this.media(typeof blob === 'string' ? blob : '', kind, at);
    return element('div', { class: 'resource' }, title, shown);
  }

  private link(uri: string, { name, title, description, mimeType }: JsonObject): HTMLElement {
    const [shown = uri] = [title, name].filter(one => typeof one === 'string' && one !== '');
    const open = linkButton(printable(cut(String(shown), 200)), () =>
      this.actions.openResource(uri),
    );
    const about = [uri, mimeType, description].filter(one => typeof one === 'string');
    const notes = about.map(one =>
      element('div', { class: 'about', dir: 'auto' }, printableLines(cut(one as string, 2000))),
    );
    return element('div', { class: 'resource' }, open, ...notes);
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) {
      bytes[at] = binary.charCodeAt(at);
    }
    return bytes;
  } catch {
    return undefined; // It is no base64, which is shown as nothing that can be shown.
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Then it is text, which is no error.
  }
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
