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
import type { CallToolResult, Tool } from '../../mcp/connection.ts';
import type {
  FromToolCall,
  ShownOutcome,
  ShownQuestion,
  ToToolCall,
} from '../../pages/pageMessages.ts';
import { contentFile, toolText } from '../commands/answerTexts.ts';
import { callUntilDone } from '../commands/callUntilDone.ts';
import { type AskingWindow, askAboutPage, questionOf, untilAborted } from '../commands/elicit.ts';
import { saveAs, showResource } from '../commands/resourcesAndPrompts.ts';
import type { ResultDocuments } from '../commands/resultDocuments.ts';
import { reportFailure } from '../registerCommand.ts';
import type { ElicitationAnswer, Elicitations } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { localized, t } from '../text.ts';
import { hintOf } from '../views/toolItem.ts';
import * as vscode from '../vscode.ts';
import { Page } from './page.ts';
import { readToolCall } from './readToolCall.ts';

/** The parts of a window that the tabs of tools share. */
export interface ToolCallContext extends AskingWindow {
  readonly servers: Servers;
  readonly elicitations: Elicitations;
  readonly results: ResultDocuments;
}

/** The tabs in which tools are called, one for each tool. */
export class ToolCallPages implements IDisposable {
  private readonly context: ToolCallContext;
  private readonly open = new Set<ToolCallPage>();

  constructor(context: ToolCallContext) {
    this.context = context;
  }

  /** Opens the tab of the tool, or brings it to the front. */
  show(server: Server, tool: Tool): void {
    const known = [...this.open].find(tab => tab.isOf(server, tool));
    if (known) {
      known.page.reveal();
      known.setTool(tool);
      return;
    }
    const made = new ToolCallPage(server, tool, this.context);
    this.open.add(made);
    made.page.onDidClose(() => this.open.delete(made));
  }

  dispose(): void {
    for (const { page } of this.open) {
      page.dispose();
    }
  }
}

/** No more is drawn than a person can read. */
const pace = { perSecond: 10, mostWaiting: 1 };

/** A question that waits in the tab for its answer. */
interface TabQuestion {
  readonly shown: ShownQuestion;
  readonly answer: (answer: ElicitationAnswer) => void;
}

/**
 * The tab in which one tool is called: its form, what the server asks meanwhile, and the answer.
 *
 * From a call to its result, the next files are `toolCall/toolCallView`, `forms/formView`,
 * `commands/callUntilDone`, `toolCall/questionView` and `results/resultView`.
 */
class ToolCallPage {
  readonly page: Page<ToToolCall, FromToolCall>;
  private readonly server: Pick<Server['definition'], 'id' | 'label'>;
  private readonly context: ToolCallContext;
  private readonly questions = new Map<number, TabQuestion>();
  /** One question at a time is shown. */
  private readonly asking = new Limiter({ running: 1 });
  private tool: Tool;
  private calling: AbortController | undefined;
  private step: Progress | undefined;
  private outcome: ShownOutcome | undefined;
  private result: CallToolResult | undefined;
  private count = 0;

  constructor({ definition }: Server, tool: Tool, context: ToolCallContext) {
    const { extensionUri, logger } = context;
    this.server = definition;
    this.tool = tool;
    this.context = context;
    this.page = new Page({
      viewType: 'mcpRoots.toolCall',
      title: shownLine(cut(tool.name, 50)),
      bundle: 'toolCall',
      extensionUri,
      logger,
      read: readToolCall,
    });
    this.page.onDidLoad(() => this.showAll());
    this.page.onDidReceive(message => void reportFailure(logger, () => this.take(message)));
    this.page.onDidClose(() => this.leave());
  }

  isOf({ definition }: Server, { name }: Tool): boolean {
    return this.server.id === definition.id && this.tool.name === name;
  }

  /** Shows the tool as it is now: a server may change what it takes. */
  setTool(tool: Tool): void {
    if (JSON.stringify(tool) !== JSON.stringify(this.tool)) {
      this.tool = tool;
      this.page.post(this.toolMessage());
    }
  }

  /** Shows all anew, in a page that was loaded anew. */
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
    const { name, title = '', description = '', inputSchema } = this.tool;
    return {
      kind: 'tool',
      tool: {
        name: printable(name),
        title: printable(title),
        serverLabel: this.server.label,
        description: printableLines(description),
        effects: hintOf(this.tool),
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
        return showResource(this.current(), { uri: message.uri }, this.context.results);
      case 'copy':
        await vscode.env.clipboard.writeText(this.result ? toolText(this.result).text : '');
        return;
      case 'save':
        return this.save(message.content);
    }
  }

  private async call(args: JsonObject): Promise<void> {
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
      const { tool } = this;
      const call = { server, tool, args, signal, onProgress, askAgain };
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

  /** Asks here what the server asks during a call that was made here. */
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

  /** A question in a tab that nobody sees would wait in vain. */
  private sayWhenHidden(id: number): void {
    const isOpen = () => this.questions.has(id) && !this.page.isVisible;
    const text = t(
      'The server "{0}" asks something in the tab of {1}.',
      this.server.label,
      printable(this.tool.name),
    );
    if (isOpen()) {
      const buttons = [{ title: t('Show'), follow: () => this.page.reveal() }];
      void this.context.screen.show(() => (isOpen() ? { text, buttons, isOpen } : undefined));
    }
  }

  private async save(at: number): Promise<void> {
    const { result, tool } = this;
    const content = result?.content[at];
    const whole = result && toolText(result);
    const name = `${tool.name.replace(/[^\w.-]/g, '_')}.${whole?.extension}`;
    const file = content ? contentFile(content) : whole && { name, bytes: Buffer.from(whole.text) };
    if (file) {
      await saveAs(file, t('Save What {0} Answered', printable(tool.name)));
    }
  }

  /** @throws {HumanError} when there is no such server any more. */
  private current(): Server {
    const { id, label } = this.server;
    const server = this.context.servers.withId(id);
    if (!server) {
      throw new HumanError('There is no server "{0}" any more.', label);
    }
    return server;
  }

  /** The tab was closed: nobody waits for the answer, and nobody answers. */
  private leave(): void {
    this.calling?.abort();
    for (const { answer } of [...this.questions.values()]) {
      answer({ action: 'cancel' });
    }
  }
}

/** The reason of a failure, in the server's words if it is its error. */
function failureOf(error: unknown): { readonly reason: string; readonly details: string } {
  if (isHumanError(error)) {
    return { reason: localized(error.sentence), details: '' };
  }
  const { code, data } = Object(error) as { readonly code?: unknown; readonly data?: unknown };
  const reason = readableLines(messageOf(error));
  const details = typeof code === 'number' ? JSON.stringify({ code, data }) : '';
  return { reason, details };
}
