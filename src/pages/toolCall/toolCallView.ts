import type { FormDraft } from '../../domain/forms/formAnswers.ts';
import { isJsonObject } from '../../domain/json.ts';
import { seenFor } from '../../domain/shown.ts';
import { button, element, focusFirst, textView } from '../elements.ts';
import { FormView } from '../forms/formView.ts';
import type { Host } from '../host.ts';
import type { FromToolCall, ShownTool, ToToolCall } from '../pageMessages.ts';
import { ContentView, resultView } from '../results/resultView.ts';
import { type QuestionView, questionView } from './questionView.ts';

/** The tab of a tool: its form, its progress, the server's questions, and the results. */
export class ToolCallView {
  /** The state is the answers in the form. The editor keeps the state while the page is hidden. */
  private readonly host: Host<FromToolCall, FormDraft>;
  private readonly head = element('header');
  private readonly arguments: HTMLElement;
  private readonly form = element('div');
  private readonly questions = element('div');
  private readonly answer = element('div');
  private readonly status = element('p', { class: 'status', role: 'status' });
  private readonly progress = element('progress', { max: '100' });
  private readonly call: HTMLElement;
  private readonly cancel: HTMLElement;
  private readonly asJson: HTMLElement;
  private readonly contents: ContentView;
  private readonly asked = new Map<number, QuestionView>();
  /** The schema of the tool's arguments. */
  private schema: unknown;
  private view: FormView | undefined;
  private isCalling = false;

  constructor(host: Host<FromToolCall, FormDraft>) {
    this.host = host;
    const { t } = host;
    this.call = button(t('Call'), () => this.send(), true);
    this.call.title = t('Ctrl+Enter');
    this.asJson = button(t('As JSON'), () => this.showJson());
    this.cancel = button(t('Cancel'), () => host.post({ kind: 'cancel' }));
    this.showRunning(false);
    this.contents = new ContentView(host, {
      openResource: uri => host.post({ kind: 'openResource', uri }),
      save: content => host.post({ kind: 'save', content }),
    });
    this.arguments = element(
      'section',
      { class: 'arguments', 'aria-label': t('Arguments') },
      this.form,
      element('div', { class: 'buttons' }, this.call, this.asJson, this.cancel),
      this.progress,
      this.status,
    );
    this.arguments.hidden = true;
    document.body.append(
      element('main', {}, this.head, this.arguments, this.questions, this.answer),
    );
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        // If the key is held down, it must not send the next form, too.
        if (!event.repeat) {
          this.sendAt(event.target as Node);
        }
      }
    };
    // In the capture phase, before the key can press the button with the focus.
    document.addEventListener('keydown', onKey, { capture: true });
  }

  take(message: ToToolCall): void {
    switch (message.kind) {
      case 'tool':
        this.showTool(message.tool);
        return;
      case 'calling':
        this.showProgress(message.text, message.percent);
        return;
      case 'asked': {
        const { id, serverLabel, question } = message;
        const seenAt = performance.now() + seenFor;
        const answer = (action: 'accept' | 'decline', content: string) => {
          // Ignores early clicks: the next question appears where the last button was clicked.
          if (performance.now() >= seenAt) {
            this.settle(id);
            this.host.post({ kind: 'answer', id, action, content });
          }
        };
        const view = questionView(question, serverLabel, this.host, answer);
        this.asked.set(id, view);
        this.questions.append(view.element);
        return;
      }
      case 'settled':
        this.settle(message.id);
        return;
      case 'outcome': {
        const { host, isCalling } = this;
        this.stopCalling();
        this.contents.clear();
        const view = resultView(message.outcome, this.contents, host, {
          copy: () => host.post({ kind: 'copy' }),
          save: () => host.post({ kind: 'save', content: -1 }),
        });
        this.answer.replaceChildren(view);
        // A page that is loaded again gets its last result again, and must not scroll to it.
        if (isCalling) {
          view.scrollIntoView();
        }
        this.status.textContent = view.ariaLabel;
        return;
      }
    }
  }

  private showTool(tool: ShownTool): void {
    this.arguments.hidden = false;
    this.schema = JSON.parse(tool.inputSchema);
    this.head.replaceChildren(
      element('h1', {}, element('bdi', {}, tool.title || tool.name)),
      element(
        'p',
        { class: 'about' },
        ...(tool.title ? [element('code', {}, tool.name), ' · '] : []),
        tool.origin,
        tool.effects && ` · ${tool.effects}`,
      ),
      ...(tool.description ? [textView(tool.description, this.host)] : []),
    );
    this.showForm();
  }

  private showForm(): void {
    const { schema, host } = this;
    const context = { t: host.t, localized: host.localized, isPresetGiven: false };
    const view = new FormView(schema, host.state, context, () => {
      host.state = view.draft;
    });
    this.view = view;
    this.form.replaceChildren(
      view.element.hasChildNodes()
        ? view.element
        : element('p', { class: 'about' }, host.t('The tool takes no arguments.')),
    );
    this.asJson.hidden = view.isJson;
    // The focus goes to a field, not to the button, so that keys typed early do not start a call.
    if (document.activeElement === document.body) {
      focusFirst(this.form);
      scrollTo(0, 0);
    }
  }

  /** From now on, shows all arguments as one JSON text. JSON can express more than the fields. */
  private showJson(): void {
    if (this.view) {
      this.host.state = this.view.jsonDraft;
      this.showForm();
      // The button with the focus is gone.
      focusFirst(this.form);
    }
  }

  /** Sends the form that has the focus: the form of a question, or else the tool's form. */
  private sendAt(focused: Node): void {
    const asked = [...this.asked.values()].find(({ element }) => element.contains(focused));
    if (asked) {
      asked.send();
    } else {
      this.send();
    }
  }

  private send(): void {
    const value = this.isCalling ? undefined : this.view?.send();
    if (isJsonObject(value)) {
      this.answer.replaceChildren();
      this.showProgress('', undefined);
      this.host.post({ kind: 'call', args: JSON.stringify(value) });
    }
  }

  private showProgress(text: string, percent: number | undefined): void {
    const { t } = this.host;
    this.isCalling = true;
    // The button stays focusable: if it lost the focus, a held key would press the next button.
    this.call.setAttribute('aria-disabled', 'true');
    this.showRunning(true);
    this.progress.ariaLabel = t('Calling');
    if (percent === undefined) {
      this.progress.removeAttribute('value');
    } else {
      this.progress.value = percent;
    }
    this.status.textContent = text === '' ? t('Calling…') : text;
  }

  private stopCalling(): void {
    this.isCalling = false;
    this.call.removeAttribute('aria-disabled');
    this.keepFocus(this.cancel, this.questions);
    this.showRunning(false);
    this.questions.replaceChildren();
    this.asked.clear();
  }

  /** If the focus is in a part that will be removed, moves it to the button that began the call. */
  private keepFocus(...parts: readonly (Element | undefined)[]): void {
    if (parts.some(part => part?.contains(document.activeElement))) {
      this.call.focus();
    }
  }

  private showRunning(isRunning: boolean): void {
    this.cancel.hidden = !isRunning;
    this.progress.hidden = !isRunning;
    // After the call, only screen readers need the status: the page shows the result.
    this.status.classList.toggle('unseen', !isRunning);
  }

  private settle(id: number): void {
    const view = this.asked.get(id)?.element;
    this.keepFocus(view);
    view?.remove();
    this.asked.delete(id);
  }
}
