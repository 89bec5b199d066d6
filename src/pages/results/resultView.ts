import { jsonIn } from '../../base/jsonIn.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../../domain/json.ts';
import { cut, printable, printableLines } from '../../domain/printable.ts';
import { button, element, inPortions, linkButton, textView } from '../elements.ts';
import type { PageWords } from '../host.ts';
import type { ShownOutcome } from '../pageMessages.ts';
import { valueTree } from './valueTree.ts';

/** What the extension does with a whole result. */
interface ResultActions {
  copy(): void;
  save(): void;
}

/** The outcome of a call, as a part of the page with a heading. */
export function resultView(
  outcome: ShownOutcome,
  contents: ContentView,
  words: PageWords,
  actions: ResultActions,
): HTMLElement {
  const { t } = words;
  const seconds = (outcome.milliseconds / 1000).toFixed(outcome.milliseconds < 10_000 ? 2 : 0);
  switch (outcome.kind) {
    case 'cancelled':
      return section(t('Cancelled after {0} s', seconds), false);
    case 'failed': {
      const { reason, details } = outcome;
      const more = details === '' ? [] : [valueTree(JSON.parse(details), t('Details'), words)];
      return section(t('Failed after {0} s', seconds), true, textView(reason, words), ...more);
    }
    case 'result': {
      const { content, structuredContent, isError } = Object(JSON.parse(outcome.result));
      const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
      // Servers repeat structured content as text, for clients that can't read the structure.
      const isRepeated = (block: unknown) =>
        isJsonObject(block) &&
        block['type'] === 'text' &&
        structuredContent !== undefined &&
        isSameJson(jsonIn(block['text']), structuredContent);
      const own = blocks.flatMap((block, at) => (isRepeated(block) ? [] : [at]));
      const contentAt = (place: number) => {
        const at = own[place] as number;
        return contents.show(blocks[at], at);
      };
      const shown = element('div');
      inPortions(shown, own.length, contentAt, words);
      const structured =
        structuredContent === undefined
          ? []
          : [valueTree(structuredContent, t('Structured Content'), words)];
      const none = blocks.length === 0 && structured.length === 0;
      const tools = element(
        'div',
        { class: 'buttons' },
        button(t('Copy'), actions.copy),
        button(t('Save…'), actions.save),
      );
      return section(
        isError === true
          ? t('Answered with an error in {0} s', seconds)
          : t('Answered in {0} s', seconds),
        isError === true,
        tools,
        none && element('p', { class: 'about' }, t('The answer is empty.')),
        shown,
        ...structured,
      );
    }
  }
}

function section(
  title: string,
  isError: boolean,
  ...content: readonly (HTMLElement | false)[]
): HTMLElement {
  const heading = element('h2', { tabindex: '-1' }, title);
  const kind = isError ? 'outcome error' : 'outcome';
  return element('section', { class: kind, 'aria-label': title }, heading, ...content);
}

/** What the extension does with one content. */
interface ContentActions {
  openResource(uri: string): void;
  save(content: number): void;
}

/** The pictures and sounds that the browser can show. Shown as a picture, none runs code. */
const pictures = /^image\/(?:png|jpeg|gif|webp|bmp|avif|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const sounds = /^audio\/(?:mpeg|mp3|mp4|ogg|wav|x-wav|wave|webm|aac|flac|x-m4a)$/;

/** Shows the contents of a result. A server may have sent anything. */
export class ContentView {
  private readonly words: PageWords;
  private readonly actions: ContentActions;
  private readonly urls: string[] = [];

  constructor(words: PageWords, actions: ContentActions) {
    this.words = words;
    this.actions = actions;
  }

  /** @param at the index of the content in the result. */
  show(content: unknown, at: number): HTMLElement {
    const { type, text, data, mimeType, resource, uri } = asObject(content);
    const kind = typeof mimeType === 'string' ? mimeType : '';
    if (type === 'text' && typeof text === 'string') {
      return this.text(text);
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

  /** Frees the memory of pictures and sounds that were shown before. */
  clear(): void {
    for (const url of this.urls.splice(0)) {
      URL.revokeObjectURL(url);
    }
  }

  /** Shows a text, or a tree if the text is JSON. */
  private text(text: string): HTMLElement {
    const { words } = this;
    const json = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
    const view =
      json === undefined ? textView(text, words) : valueTree(json, words.t('JSON'), words);
    return element('div', { class: 'content' }, view);
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
      broken.textContent = t("This content can't be shown.");
    });
    return element('div', { class: 'content' }, shown, broken, line);
  }

  private resource(resource: JsonObject, at: number): HTMLElement {
    const { uri, mimeType, text, blob } = resource;
    const kind = typeof mimeType === 'string' ? mimeType : '';
    const title = element('div', { class: 'about' }, printable(cut(String(uri ?? ''), 2000)));
    const shown =
      typeof text === 'string'
        ? this.text(text)
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
    return undefined; // Invalid base64 is shown like a type that the browser can't show.
  }
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
