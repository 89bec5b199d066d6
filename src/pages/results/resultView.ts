import { isJsonObject, isSameJson } from '../../domain/json.ts';
import { button, element, inPortions, textView } from '../elements.ts';
import type { PageWords } from '../host.ts';
import type { ShownOutcome } from '../pageMessages.ts';
import { type ContentView, parsed } from './contentView.ts';
import { valueTree } from './valueTree.ts';

/** What can be done with a result as a whole, by the extension. */
interface ResultActions {
  copy(): void;
  save(): void;
}

/** What a call came to, as a part of the page with a heading. */
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
      // Servers repeat what is structured as a text, for those who read no structure.
      const isRepeated = (block: unknown) =>
        isJsonObject(block) &&
        block['type'] === 'text' &&
        structuredContent !== undefined &&
        isSameJson(parsed(block['text']), structuredContent);
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
