import { button, element, textView } from '../elements.ts';
import { FormView } from '../forms/formView.ts';
import type { PageWords } from '../host.ts';
import type { ShownQuestion } from '../pageMessages.ts';

/** Gets a person's answer. `content` is JSON. */
type AnswerHandler = (action: 'accept' | 'decline', content: string) => void;

/** A question on the page. */
export interface QuestionView {
  readonly element: HTMLElement;
  /** Answers the question in the same way as its first button. */
  readonly send: () => void;
}

/** A server's question during a call. The person answers it in the tab of the call. */
export function questionView(
  question: ShownQuestion,
  serverLabel: string,
  words: PageWords,
  answer: AnswerHandler,
): QuestionView {
  const { t } = words;
  const accept = () => answer('accept', '{}');
  const decline = button(t('Decline'), () => answer('decline', '{}'));
  switch (question.kind) {
    case 'form': {
      const context = { ...words, isPresetGiven: true };
      const form = new FormView(JSON.parse(question.schema), undefined, context, () => {});
      const warning = t('Your answer goes to the server. Enter no password and no key.');
      return box(
        t('The server "{0}" asks', serverLabel),
        [
          textView(question.message, words),
          element('p', { class: 'about' }, warning),
          form.element,
        ],
        [t('Send'), () => submit(form, answer)],
        decline,
      );
    }
    case 'page': {
      const { message, url, host } = question;
      return box(
        t('The server "{0}" asks you to open a page', serverLabel),
        [
          textView(message, words),
          element('p', { class: 'about' }, t('The page is on {0}: {1}', host, url)),
        ],
        [t('Show Link…'), accept],
        decline,
      );
    }
    case 'again':
      return box(t('Call again when you are done in the browser'), [], [t('Call Again'), accept]);
  }
}

function submit(form: FormView, answer: AnswerHandler): void {
  const value = form.send();
  if (value !== undefined) {
    answer('accept', JSON.stringify(value));
  }
}

function box(
  title: string,
  content: readonly HTMLElement[],
  [label, send]: readonly [string, () => void],
  ...others: readonly HTMLElement[]
): QuestionView {
  const shown = element(
    'section',
    { class: 'question', 'aria-label': title },
    // Screen readers read this aloud at once, because nobody looks for a question.
    element('div', { role: 'alert' }, element('h2', {}, title)),
    ...content,
    element('div', { class: 'buttons' }, button(label, send, true), ...others),
  );
  return { element: shown, send };
}
