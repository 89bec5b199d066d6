import { inEnglish, type Sentence, sentence } from '../domain/sentence.ts';
import type { Greeting, Loaded } from './pageMessages.ts';

/** The editor's API in a page: messages to the extension, and a state for a hidden page. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Translates texts to the editor's language. */
export interface PageWords {
  /** The text in the editor's language, with these values for the placeholders. */
  readonly t: (template: string, ...values: readonly string[]) => string;
  readonly localized: (sentence: Sentence) => string;
}

/** The extension, as a page sees it. */
export class Host<From, State> implements PageWords {
  private readonly api: EditorApi;
  private readonly texts: Greeting['texts'];

  constructor(api: EditorApi, texts: Greeting['texts']) {
    this.api = api;
    this.texts = texts;
  }

  post(message: From): void {
    this.api.postMessage(message);
  }

  /** The state from before the page was hidden; `undefined`: no state. */
  get state(): State | undefined {
    return this.api.getState() as State | undefined;
  }

  set state(state: State) {
    this.api.setState(state);
  }

  // Arrow functions, because callers pass them on without their object.
  readonly t: PageWords['t'] = (template, ...values) =>
    this.localized(sentence(template, ...values));

  readonly localized: PageWords['localized'] = ({ template, values }) => {
    const known = Object.hasOwn(this.texts, template) ? this.texts[template] : undefined;
    const texts = values.map(value => (typeof value === 'string' ? value : this.localized(value)));
    return inEnglish({ template: known ?? template, values: texts });
  };
}

/** Calls `begin` at the first message, the greeting. The result of `begin` gets all others. */
export function connect<To, From, State>(
  begin: (host: Host<From, State>) => (message: To) => void,
): void {
  const api = acquireVsCodeApi();
  let take: ((message: To) => void) | undefined;
  // Only the editor can send messages: the page has no frames, and no other code can reach it.
  window.addEventListener('message', ({ data }: MessageEvent<To | Greeting>) => {
    if (take) {
      take(data as To);
    } else {
      take = begin(new Host(api, (data as Greeting).texts));
    }
  });
  const loaded: Loaded = { kind: 'loaded' };
  api.postMessage(loaded);
}
