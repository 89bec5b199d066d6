import { homedir } from 'node:os';
import { whenAborted } from '../../base/abortSignals.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Limiter } from '../../base/limiter.ts';
import { messageOf } from '../../base/messageOf.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cut, printable, printableLines, readableLines } from '../../domain/printable.ts';
import { type Progress, percentOf, progressText } from '../../domain/progress.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { shownLine } from '../../domain/shown.ts';
import type { CallToolResult } from '../../mcp/link/connection.ts';
import type {
  FromToolCall,
  ShownOutcome,
  ShownQuestion,
  ToToolCall,
} from '../../pages/pageMessages.ts';
import { reportFailure } from '../reportFailure.ts';
import type { ElicitationAnswer, Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { localized, t } from '../text.ts';
import { hintOf } from '../views/toolItem.ts';
import * as vscode from '../vscode.ts';
import { contentFile, toolText } from './answerTexts.ts';
import { callUntilDone } from './callUntilDone.ts';
import { type AskingWindow, askAboutPage, questionOf, untilAborted } from './elicit.ts';
import { Page } from './page.ts';
import { readToolCall } from './readToolCall.ts';
import { type Callable, resourceCallable } from './resourcesAndPrompts.ts';

/** The parts of a window that all tabs of tools use. */
export interface ToolCallContext extends AskingWindow {
  readonly servers: Servers;
  readonly elicitations: Elicitations;
}

/** The tabs in which a person calls something. Each callable has one tab. */
export class ToolCallPages implements IDisposable {
  private readonly context: ToolCallContext;
  private readonly open = new Set<ToolCallPage>();

  constructor(context: ToolCallContext) {
    this.context = context;
  }

  /** Opens the tab of a callable, or brings it to the front. */
  show(server: Server, called: Callable): void {
    const known = [...this.open].find(tab => tab.isOf(server, called));
    if (known) {
      known.page.reveal();
      known.setCalled(called);
      if (called.isCalledAtOnce) {
        void known.call({});
      }
      return;
    }
    const made = new ToolCallPage(server, called, this.context, uri =>
      this.show(made.current(), resourceCallable({ uri })),
    );
    this.open.add(made);
    made.page.onDidClose(() => this.open.delete(made));
    if (called.isCalledAtOnce) {
      void made.call({});
    }
  }

  dispose(): void {
    for (const { page } of this.open) {
      page.dispose();
    }
  }
}

/** Progress is drawn no more often than this, because a person can't read faster. */
const pace = { perSecond: 10, mostWaiting: 1 };

/** A server's question that waits for an answer in the tab. */
interface TabQuestion {
  readonly shown: ShownQuestion;
  readonly answer: (answer: ElicitationAnswer) => void;
}

/**
 * The tab that calls one tool, resource or prompt: its form, the server's questions, the answer.
 *
 * From a call to its result, the next files are `toolCall/toolCallView`, `forms/formView`,
 * `pages/callUntilDone`, `toolCall/questionView` and `results/resultView`.
 */
class ToolCallPage {
  readonly page: Page<ToToolCall, FromToolCall>;
  private readonly server: Pick<Server['definition'], 'id' | 'label'>;
  private readonly context: ToolCallContext;
  private readonly questions = new Map<number, TabQuestion>();
  /** The tab shows one question at a time. */
  private readonly asking = new Limiter({ running: 1 });
  private readonly openResource: (uri: string) => void;
  private called: Callable;
  private calling: AbortController | undefined;
  private step: Progress | undefined;
  private outcome: ShownOutcome | undefined;
  private result: CallToolResult | undefined;
  private count = 0;

  constructor(
    { definition }: Server,
    called: Callable,
    context: ToolCallContext,
    openResource: (uri: string) => void,
  ) {
    const { extensionUri, logger } = context;
    this.server = definition;
    this.called = called;
    this.context = context;
    this.openResource = openResource;
    this.page = new Page({
      viewType: 'mcpRoots.toolCall',
      title: shownLine(cut(called.name, 50)),
      bundle: 'toolCall',
      extensionUri,
      logger,
      read: readToolCall,
    });
    this.page.onDidLoad(() => this.showAll());
    this.page.onDidReceive(message => void reportFailure(logger, () => this.take(message)));
    this.page.onDidClose(() => this.leave());
  }

  isOf({ definition }: Server, { kind, id }: Callable): boolean {
    return this.server.id === definition.id && this.called.kind === kind && this.called.id === id;
  }

  /** Shows the current version of the callable, because a server may change its arguments. */
  setCalled(called: Callable): void {
    const isChanged = JSON.stringify(called) !== JSON.stringify(this.called);
    this.called = called;
    if (isChanged) {
      this.page.post(this.toolMessage());
    }
  }

  /** Shows everything again after the page was loaded again. */
  private showAll(): void {
    this.page.post(this.toolMessage());
    if (this.calling) {
      this.showStep();
    }
    for (const [id, { shown }] of this.questions) {
      this.page.post(this.askedMessage(id, shown));
    }
    if (this.outcome && !this.calling) {
      this.page.post({ kind: 'outcome', outcome: this.outcome });
    }
  }

  private toolMessage(): ToToolCall {
    const { kind, name, title = '', description = '', inputSchema } = this.called;
    const { label } = this.server;
    const origin = {
      tool: t('tool of {0}', label),
      resource: t('resource of {0}', label),
      prompt: t('prompt of {0}', label),
    };
    return {
      kind: 'tool',
      tool: {
        name: printable(name),
        title: printable(title),
        origin: origin[kind],
        description: printableLines(description),
        effects: hintOf(this.called),
        inputSchema: JSON.stringify(inputSchema),
      },
    };
  }

  private askedMessage(id: number, question: ShownQuestion): ToToolCall {
    return { kind: 'asked', id, serverLabel: this.server.label, question };
  }

  private async take(message: FromToolCall): Promise<void> {
    switch (message.kind) {
      case 'call':
        return this.call(JSON.parse(message.args));
      case 'cancel':
        this.calling?.abort();
        return;
      case 'answer': {
        const { id, action, content } = message;
        const isContent = action === 'accept' && this.questions.get(id)?.shown.kind === 'form';
        const given = isContent && { content: JSON.parse(content) };
        this.questions.get(id)?.answer({ action, ...given });
        return;
      }
      case 'openResource':
        this.openResource(message.uri);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(this.result ? toolText(this.result).text : '');
        return;
      case 'save':
        return this.save(message.content);
    }
  }

  async call(args: JsonObject): Promise<void> {
    const { elicitations } = this.context;
    if (this.calling) {
      return;
    }
    const calling = new AbortController();
    const { signal } = calling;
    this.calling = calling;
    this.step = undefined;
    this.outcome = undefined;
    this.result = undefined;
    const begin = performance.now();
    const steps = new RateLimiter<'step'>(() => this.showStep(), pace);
    const place = elicitations.askIn(this.server.id, (_, params, signal, onAskNow) =>
      this.ask(params, signal, onAskNow),
    );
    let result: CallToolResult | undefined;
    let failure: ReturnType<typeof failureOf> | undefined;
    try {
      const onProgress = (step: Progress) => {
        this.step = step;
        steps.add('step');
      };
      const askAgain = async (over: AbortSignal) =>
        (await this.askHere({ kind: 'again' }, over)).action === 'accept';
      const server = this.current();
      const send = async () => {
        await server.wake();
        return this.called.call(server, args, { signal, onProgress });
      };
      const call = { server, send, signal, askAgain };
      result = await untilAborted(callUntilDone(call, elicitations), signal);
    } catch (error) {
      failure = signal.aborted ? undefined : failureOf(error);
    } finally {
      place.dispose();
      steps.dispose();
    }
    const milliseconds = performance.now() - begin;
    const outcome: ShownOutcome = result
      ? { kind: 'result', milliseconds, result: JSON.stringify(result) }
      : failure
        ? { kind: 'failed', milliseconds, ...failure }
        : { kind: 'cancelled', milliseconds };
    this.calling = undefined;
    this.outcome = outcome;
    this.result = result;
    this.page.post({ kind: 'outcome', outcome });
  }

  private showStep(): void {
    const { step } = this;
    const text = step ? progressText(step) : '';
    this.page.post({ kind: 'calling', text, percent: step && percentOf(step) });
  }

  /** Asks a server's question in this tab, during a call from this tab. */
  private async ask(
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    onAskNow: Event<void>,
  ): Promise<ElicitationAnswer> {
    const question = questionOf(params);
    onAskNow(() => this.page.reveal());
    const { message } = question;
    if (question.kind === 'form') {
      const schema = JSON.stringify(question.schema);
      return this.askHere({ kind: 'form', message, schema }, signal);
    }
    const { page } = question;
    const answer = await this.askHere({ kind: 'page', message, ...page }, signal);
    return answer.action === 'accept'
      ? askAboutPage(this.server.label, page, signal, this.context)
      : answer;
  }

  private async askHere(shown: ShownQuestion, signal: AbortSignal): Promise<ElicitationAnswer> {
    const cancelled: ElicitationAnswer = { action: 'cancel' };
    const answer = await this.asking.run(() => {
      this.count += 1;
      const id = this.count;
      return new Promise<ElicitationAnswer>(resolve => {
        this.questions.set(id, { shown, answer: resolve });
        this.page.post(this.askedMessage(id, shown));
        this.sayWhenHidden(id);
        whenAborted(signal, () => resolve(cancelled));
      }).finally(() => {
        this.questions.delete(id);
        this.page.post({ kind: 'settled', id });
      });
    }, signal);
    return answer === 'busy' ? cancelled : answer;
  }

  /** If the tab is hidden, shows a message, because nobody would see the question in the tab. */
  private sayWhenHidden(id: number): void {
    const isOpen = () => this.questions.has(id) && !this.page.isVisible;
    const text = t(
      'The server "{0}" asks a question in the tab of {1}.',
      this.server.label,
      printable(this.called.name),
    );
    if (isOpen()) {
      const buttons = [{ title: t('Show'), follow: () => this.page.reveal() }];
      void this.context.screen.show(() => (isOpen() ? { text, buttons, isOpen } : undefined));
    }
  }

  private async save(at: number): Promise<void> {
    const { result, called } = this;
    const content = result?.content[at];
    const whole = result && toolText(result);
    const name = `${called.name.replace(/[^\w.-]/g, '_')}.${whole?.extension}`;
    const file = content ? contentFile(content) : whole && { name, bytes: Buffer.from(whole.text) };
    if (file) {
      const title = t('Save the Answer of {0}', printable(called.name));
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const place = folder?.uri ?? vscode.Uri.file(homedir());
      const defaultUri = vscode.Uri.joinPath(place, file.name);
      const target = await vscode.window.showSaveDialog({ title, defaultUri });
      await (target && vscode.workspace.fs.writeFile(target, file.bytes));
    }
  }

  /** Returns the present server, or throws a {@link HumanError} if it no longer exists. */
  current(): Server {
    const { id, label } = this.server;
    const server = this.context.servers.withId(id);
    if (!server) {
      throw new HumanError('The server "{0}" does not exist any more.', label);
    }
    return server;
  }

  /** Ends the call and cancels its questions, because the tab was closed. */
  private leave(): void {
    this.calling?.abort();
    for (const { answer } of [...this.questions.values()]) {
      answer({ action: 'cancel' });
    }
  }
}

/** The reason of a failure. If the server sent the error, the reason is in the server's words. */
function failureOf(error: unknown): { readonly reason: string; readonly details: string } {
  if (isHumanError(error)) {
    return { reason: localized(error.sentence), details: '' };
  }
  const { code, data } = Object(error) as { readonly code?: unknown; readonly data?: unknown };
  const reason = readableLines(messageOf(error));
  const details = typeof code === 'number' ? JSON.stringify({ code, data }) : '';
  return { reason, details };
}
