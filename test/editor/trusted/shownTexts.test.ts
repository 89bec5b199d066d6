import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { Activity } from '../../../src/domain/activity.ts';
import { HumanError, sentence } from '../../../src/domain/sentence.ts';
import { defaultTerms, userServer } from '../../../src/domain/servers/serverDefinition.ts';
import type { Shown } from '../../../src/domain/shown.ts';
import { takeOver } from '../../../src/extension/commands/adding/importServers.ts';
import { reviewServer } from '../../../src/extension/commands/adding/reviewServer.ts';
import { pickOffer } from '../../../src/extension/commands/callTool.ts';
import { elicit, elicitationQuestions } from '../../../src/extension/commands/elicit.ts';
import {
  answerFolders,
  pickFolderToOffer,
} from '../../../src/extension/commands/folderCommands.ts';
import { pickServer } from '../../../src/extension/commands/pickServer.ts';
import { showPrompt, showResource } from '../../../src/extension/commands/resourcesAndPrompts.ts';
import { showStatus } from '../../../src/extension/commands/statusMenu.ts';
import { revokeAll } from '../../../src/extension/commands/windowCommands.ts';
import { addedMessage, folderQuestions } from '../../../src/extension/consent/folderQuestions.ts';
import { furtherAnswers } from '../../../src/extension/consent/furtherAnswers.ts';
import { confirmSecondYes } from '../../../src/extension/consent/secondYes.ts';
import {
  changedMessage,
  foldersQuestion,
  heldQuestion,
  startQuestion,
} from '../../../src/extension/consent/startQuestion.ts';
import { readDefinitions } from '../../../src/extension/definitionFiles/definitionText.ts';
import { marksIn } from '../../../src/extension/definitionFiles/marks.ts';
import { ServerLenses } from '../../../src/extension/definitionFiles/serverLenses.ts';
import { showSettingsProblems } from '../../../src/extension/definitionFiles/showSettingsProblems.ts';
import { clientQuestions } from '../../../src/extension/gateway/clientQuestion.ts';
import { connectClient } from '../../../src/extension/gateway/connectClient.ts';
import { reportFailure } from '../../../src/extension/registerCommand.ts';
import { Screen as EditorScreen } from '../../../src/extension/screen.ts';
import { askForInput } from '../../../src/extension/secrets/askForInput.ts';
import { activityItem } from '../../../src/extension/views/activityTree.ts';
import { clientItem } from '../../../src/extension/views/clientItem.ts';
import {
  folderItem,
  foldersItem,
  formerRootItem,
} from '../../../src/extension/views/folderItem.ts';
import { problemItem } from '../../../src/extension/views/problemItem.ts';
import { rowDetails } from '../../../src/extension/views/rowDetails.ts';
import type { Row } from '../../../src/extension/views/rows.ts';
import { serverItem } from '../../../src/extension/views/serverItem.ts';
import { toolItem, toolsItem } from '../../../src/extension/views/toolItem.ts';
import type * as Editor from '../../../src/extension/vscode.ts';
import {
  accessOf,
  exclusion,
  folder,
  recorded,
  running,
  shownServer,
  started,
} from '../../support/shownServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { windowWith } from '../support/definitionFile.ts';
import { aLook, secondsGoBy } from '../support/secondsGoBy.ts';
import { ToolTab } from '../support/toolTab.ts';

/** A link and an icon, if the editor takes it for that, and a word by which it is found again. */
const from = (word: string) => `${word}[x](command:y)$(x)`;
const defused = (word: string) => `${word}[x] (command:y)$ (x)`;

/** The properties in which the editor has texts for a person, or objects with such. */
const texts = [
  ...['accessibilityInformation', 'buttons', 'checkboxState', 'command', 'description', 'detail'],
  ...['items', 'label', 'message', 'placeHolder', 'placeholder', 'prompt', 'title'],
  ...['tooltip', 'validationMessage'],
] as const;

/** All that reaches a screen. It takes each first answer there is, after a look. */
class Screen {
  readonly seen: string[] = [];
  private readonly originals: readonly (readonly [string, unknown])[];
  private readonly endSeconds = secondsGoBy();

  constructor() {
    const see = (...values: readonly unknown[]) => this.see(...values);
    const message = async (...said: readonly unknown[]) => {
      see(...said);
      await aLook();
      return said.find((one, at) => at > 0 && !Object.hasOwn(Object(one), 'modal'));
    };
    const input = () => {
      const hide = new vscode.EventEmitter<void>();
      const { event } = new vscode.EventEmitter<void>();
      const events = ['Accept', 'ChangeSelection', 'ChangeValue', 'TriggerButton'];
      return {
        ...Object.fromEntries(events.map(name => [`onDid${name}`, event])),
        onDidTriggerItemButton: event,
        onDidHide: hide.event,
        items: [],
        value: '',
        show() {
          see(this);
          hide.fire();
        },
        dispose() {},
      };
    };
    const shown = {
      showErrorMessage: message,
      showInformationMessage: message,
      showWarningMessage: message,
      createInputBox: input,
      createQuickPick: input,
      showInputBox: async (options: vscode.InputBoxOptions) => {
        see(options, await options.validateInput?.(from('typed')));
        return 'given';
      },
      showQuickPick: async (items: readonly unknown[], options: vscode.QuickPickOptions) => {
        see(items, options);
        await aLook();
        return options.canPickMany ? items : items[0];
      },
      showOpenDialog: async (options: unknown) => see(options),
      showSaveDialog: async (options: unknown) => see(options),
      withProgress: (
        options: vscode.ProgressOptions,
        task: (progress: object, token: vscode.CancellationToken) => unknown,
      ) => {
        see(options);
        return task({ report: see }, new vscode.CancellationTokenSource().token);
      },
    };
    this.originals = Object.keys(shown).map(name => [name, Reflect.get(vscode.window, name)]);
    Object.assign(vscode.window, shown);
  }

  see(...values: readonly unknown[]): void {
    for (const value of values) {
      if (typeof value === 'string') {
        this.seen.push(value);
      } else if (Array.isArray(value)) {
        this.see(...value);
      } else if (value instanceof Object) {
        this.see(...texts.map(key => Reflect.get(value, key)));
      }
    }
  }

  leave(): void {
    this.endSeconds();
    Object.assign(vscode.window, Object.fromEntries(this.originals));
  }
}

describe('text from outside', () => {
  let screen: Screen;
  beforeEach(() => {
    screen = new Screen();
  });
  afterEach(() => screen.leave());

  /** Each of these was shown, and nothing that the editor would make a link or an icon of. */
  function showsHarmless(...words: readonly string[]): void {
    const { seen } = screen;
    const isHarmful = (text: string) => /\]\(|\$\(x/.test(text);
    assert.deepEqual(seen.filter(isHarmful), []);
    const isShown = (word: string) => seen.some(text => text.includes(defused(word)));
    assert.deepEqual(
      words.filter(word => !isShown(word)),
      [],
      seen.join('\n'),
    );
  }

  const path = `/proj/${from('dir')}`;
  const web = folder(from('web'), { path, realPath: path, uri: `file://${path}` });
  const definition = userServer(
    from('label'),
    {
      ...{ type: 'stdio', command: from('run'), args: [from('arg')] },
      ...{ cwd: from('cwd'), env: { NAME: from('env') }, envFile: undefined },
    },
    defaultTerms,
  );
  const tool = {
    name: from('tool'),
    description: from('about'),
    inputSchema: {
      type: 'object',
      properties: {
        one: { title: from('field'), description: from('said'), enum: [from('pick')] },
        two: { title: from('typed'), type: 'string', maxLength: 3 },
      },
      required: ['one', 'two'],
    },
  } as const;
  const exposure = {
    ...{ at: 0, serverId: definition.id, serverLabel: from('label'), count: 1 },
    trigger: { kind: 'tools/call', tool: from('by') },
    roots: [{ uri: `file:///${from('uri')}`, name: from('root') }],
  } as const;
  const failure = {
    kind: 'ended',
    end: { code: 3, signal: undefined, error: undefined, stderr: [from('err')] },
  } as const;
  const failed = { kind: 'failed', failure } as const;
  const live = {
    ...shownServer({
      definition,
      state: running,
      access: accessOf(exclusion(web, 'undecided', [{ kind: 'inside', name: from('in') }])),
      lastExposure: exposure,
      missedPath: `/${from('miss')}`,
      isOffered: true,
      ...recorded({ exposureCount: 1, tools: [tool as never] }),
      ...started({
        sandbox: {
          ...{ tool: from('box'), cwd: '/', roots: [], hasNetwork: true },
          alsoSees: [{ path: `/${from('sees')}`, isWritable: false }],
        },
      }),
    }),
    identity: 'one',
    sandboxNeeds: async () => [],
    isSandboxable: async () => false,
    listTools: async () => [tool],
  } as unknown as ReturnType<typeof shownServer>;
  const dead = shownServer({ definition, state: failed as never });
  const session = {
    ...{ client: { name: from('agent'), version: from('v') }, cwd: `/${from('there')}` },
    ...{ state: 'running', since: 0, useCount: 1, isWaiting: true, lastExposure: exposure },
    leftOutRoots: [{ uri: `file:///${from('not')}`, reason: from('why') }],
  } as never;
  const client = { server: live, name: from('agent'), isAllowed: undefined, session };
  const params = { message: from('asks'), requestedSchema: { properties: {} } };
  const asking = { name: from('agent'), servers: () => [live] };
  const messages = new EditorScreen(vscode);
  const questions = [
    clientQuestions({ waitingFor: () => [asking] } as never, messages),
    folderQuestions({} as never, { askNow: async () => {} }),
    { of: () => (['changed', 'wanted'] as const).map(reason => heldQuestion(live, reason)) },
    elicitationQuestions({ openOf: () => [{ params }] } as never),
  ].flatMap(source => source.of(live));
  const none = { all: [], of: () => [], open: async () => {}, show: () => {} };

  it('is harmless in every row, its tooltip and what is read out', () => {
    const folderRow = { kind: 'folder', server: live, access: live.access.folders[0] } as never;
    const rows: readonly Row[] = [
      { kind: 'client', server: live, client },
      { kind: 'problem', server: dead },
      { kind: 'tool', server: live, tool: tool as never },
    ];
    const named = { ...Object(folderRow), name: from('web') };
    const former = { kind: 'former-root', server: live, root: exposure.roots[0] } as const;
    screen.see(
      [
        clientItem(client),
        problemItem({ kind: 'problem', server: dead }),
        toolItem({ kind: 'tool', server: live, tool: tool as never }),
      ],
      [serverItem(live, 'running', []), toolsItem({ kind: 'tools', server: live } as never)],
      [folderItem(named), foldersItem({ server: live, folders: [named] } as never)],
      [formerRootItem(former)],
    );
    const all: readonly Row[] = [...rows, { kind: 'server', server: live }, named, former];
    const ofAll = { of: () => [client] };
    screen.see(all.map(row => rowDetails(row, ofAll, { of: () => questions }, [live])));
    screen.see(rowDetails({ kind: 'server', server: dead }, none, none, [dead]));
    showsHarmless('label', 'tool', 'about', 'web', 'dir', 'root', 'uri', 'in', 'by');
    showsHarmless('agent', 'v', 'there', 'not', 'why', 'run', 'err', 'miss', 'box', 'sees');
  });

  it('is harmless in the activity', () => {
    const about = { at: 0, serverId: definition.id, serverLabel: from('label') };
    const reason = sentence('ended: {0}', from('err'));
    const entries: readonly Activity[] = [
      { kind: 'exposure', ...exposure },
      { ...about, kind: 'session-ended', client: from('agent'), reason },
      { ...about, kind: 'failed', reason },
      {
        ...{ ...about, kind: 'answered', decision: 'allowed', scope: 'always' },
        folders: [from('web')],
      },
    ];
    screen.see(entries.map(entry => activityItem(entry)));
    screen.see(activityItem({ kind: 'root', root: exposure.roots[0] }));
    showsHarmless('label', 'agent', 'err', 'root', 'uri', 'by', 'web');
  });

  it('is harmless in questions about folders, starts and clients', async () => {
    const waiting = { server: live, folders: [web] } as never;
    const wide = accessOf(exclusion(web, 'undecided', [{ kind: 'wide' }]));
    await messages.ask(foldersQuestion(waiting));
    await messages.ask(await startQuestion(waiting, undefined));
    const follow = async () => {};
    for (const message of [
      changedMessage([live], follow),
      addedMessage([waiting, waiting], follow),
    ]) {
      screen.see(message.text, message.buttons);
    }
    await furtherAnswers([waiting], 'choose', messages);
    await furtherAnswers([waiting, { server: dead, folders: [web] } as never], 'choose', messages);
    await confirmSecondYes({ ...live, access: wide } as never, new Set([web.uri]), messages);
    const other = { ...live, definition: { ...definition, id: 'other' } };
    const clients = [[live], [live, other]].map(servers => ({
      ...{ name: from('agent'), cwd: `/${from('there')}`, servers: () => servers },
      ...{ isOpen: () => true, isHeld: () => true, answer: async () => {} },
    }));
    for (const question of clientQuestions({ waiting: clients } as never, messages).others ?? []) {
      await question.ask();
    }
    const rows = ['a', 'b'].map(() => ({
      ...{ kind: 'folder', server: live, access: live.access.folders[0], name: '' },
    }));
    await answerFolders({ set: async () => {}, screen: messages }, rows as never, true);
    const revoked: unknown[] = [];
    const revoke = async (...ids: readonly unknown[]) => void revoked.push(...ids);
    const activity = { add: () => {} };
    for (const allowedServers of [[definition.id], []]) {
      const records = { allowedServers, revoke };
      await revokeAll(undefined, { all: [live] } as never, records, activity, messages);
    }
    assert.deepEqual(revoked, [undefined, undefined]);
    await showStatus({
      ...{ servers: { all: [dead] } },
      questions: { all: questions, of: () => [] },
      consent: { askNow: async () => {}, follow: async () => {} },
    } as never);
    const offered = { for: () => [], offeredTo: () => [path] };
    await pickFolderToOffer(live, offered as never, { debug() {} } as never);
    showsHarmless('label', 'web', 'dir', 'agent', 'there', 'asks', 'run', 'arg', 'cwd', 'env');
  });

  it('is harmless in what a server asks, offers and reports', async () => {
    const schema = { type: 'object', properties: { ...tool.inputSchema.properties } };
    const form = { message: from('asks'), requestedSchema: { ...schema, required: ['one'] } };
    const page = { mode: 'url', message: from('page'), url: 'https://a.b/' };
    const { event: never } = new vscode.EventEmitter<void>();
    const { signal } = new AbortController();
    const extensionUri = vscode.Uri.file('/');
    const window = {
      screen: messages,
      extensionUri,
      logger: none,
      openBrowser: async () => false,
    } as never;
    const tab = new ToolTab();
    const asked = elicit(from('label'), form, signal, never, window);
    await eventually(() => assert.equal(tab.titles.length, 1));
    screen.see(...tab.titles);
    tab.leave();
    await asked;
    await elicit(from('label'), page, signal, never, window);
    const prompt = {
      ...{ name: from('prompt'), title: from('title'), description: from('hint') },
      arguments: [{ name: from('named'), description: from('filled') }],
    };
    const resource = { name: from('res'), uri: from('uri'), description: from('what') };
    const template = { name: from('temp'), uriTemplate: `${from('tpl')}{a}` };
    const blob = { contents: [{ uri: 'x:///a', blob: 'AAAA' }] };
    const requests = {
      listResources: async () => [resource],
      listResourceTemplates: async () => [template],
      listPrompts: async () => [prompt],
      request: async () => blob,
    };
    const offering = { ...live, requests } as never;
    await pickOffer(offering);
    await showResource(offering, resource, none as never);
    await showResource(offering, template, none as never);
    await showPrompt(offering, prompt, none as never).catch(() => {});
    showsHarmless('label', 'asks', 'page', 'tool', 'about', 'prompt', 'title', 'hint', 'named');
    showsHarmless('filled', 'res', 'uri', 'what', 'temp', 'tpl');
  });

  it('is harmless in lists, inputs and messages about definitions', async () => {
    const frame = { title: 'a' as never, hasBack: false };
    const around = { folders: [], userHome: tmpdir() };
    const terms = {
      ...{ isWindows: false, around, known: new Map(), isTaken: () => false },
      ...{ noSandbox: sentence('No: {0}', from('nobox')), targets: [] },
    } as never;
    const entry = { command: from('run'), args: [from('arg')], env: { A: from('env') } };
    const notes = [sentence('Note: {0}', from('note'))];
    const draft = { name: from('label'), entry, inputs: [], kept: [], notes };
    await reviewServer({ draft, target: 'user' }, terms, frame);
    const source = { label: from('file') } as never;
    const found = { ...draft, source, doubts: notes, originalName: from('orig') };
    const candidates = ['ready', 'doubtful'].map(status => ({ ...found, status }));
    const plan = { candidates, notes: [{ source, note: sentence('{0}', from('of')) }] };
    const sandbox = { problem: async () => sentence('No: {0}', from('nobox')) };
    await takeOver(plan as never, undefined as never, async () => sandbox as never);
    await pickServer({ all: [live, dead] } as never, undefined, { placeHolder: 'a' as never });
    const launcher = { path: '/a', prepare: () => Promise.reject(new Error('Enough was seen.')) };
    const launchers = { hub: launcher, connector: launcher };
    const connecting = [{ all: [live] }, launchers, undefined, messages] as const;
    await assert.rejects(
      connectClient(...(connecting as never as Parameters<typeof connectClient>)),
    );
    const { signal } = new AbortController();
    const asked = { serverLabel: from('label'), from: 'user', id: from('id'), signal } as const;
    const input = { id: from('id'), description: from('for'), password: true, default: undefined };
    await askForInput(asked, { ...input, options: undefined });
    await askForInput(asked, { ...input, options: [from('opt')] });
    await reportFailure({ warn() {} } as never, async () => {
      throw new HumanError('It failed: {0}', from('err'));
    });
    const problem = { from: 'user', path: [], text: sentence('Wrong: {0}', from('bad')) };
    await showSettingsProblems([problem as never], () => true, messages);
    showsHarmless('label', 'run', 'arg', 'env', 'note', 'nobox', 'file', 'orig', 'of');
    showsHarmless('id', 'for', 'opt', 'err', 'bad');
  });

  it('is harmless above and about what stands in a file', async () => {
    const server = { comand: 'a', command: 'a', [from('key')]: 1 };
    const content = JSON.stringify({ 'mcpRoots.servers': { [from('label')]: server, b: {} } });
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    const kind = { kind: 'settings', from: 'user', under: undefined } as const;
    const text = readDefinitions(document, kind);
    assert.ok(text);
    const read = () => text;
    const lenses = new ServerLenses(
      windowWith(() => dead),
      read,
    );
    screen.see(
      marksIn(text).map(({ message }) => message),
      lenses.provideCodeLenses(document),
    );
    showsHarmless('key');
  });
});

/** What the compiler refuses: `npm run check` fails when it takes any of these. It is never run. */
export function refused(editor: typeof Editor, name: string, fit: Shown): readonly unknown[] {
  const { window, CodeLens, Diagnostic, Range, TreeItem } = editor;
  const row = new TreeItem(fit);
  const range = new Range(0, 0, 0, 0);
  const pick = window.createQuickPick();
  const box = window.createInputBox();
  const status = window.createStatusBarItem('', editor.StatusBarAlignment.Left);
  const getChildren = () => [];
  const getTreeItem = () => ({ label: name });
  return [
    // @ts-expect-error
    () => window.showErrorMessage(name),
    // @ts-expect-error
    () => window.showWarningMessage(fit, { modal: true, detail: name }),
    // @ts-expect-error
    () => window.showInformationMessage(fit, name),
    // @ts-expect-error
    () => window.showInformationMessage(fit, { title: name }),
    // @ts-expect-error
    () => window.showQuickPick([name], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: name }], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: fit, detail: name }], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: fit }], { placeHolder: name }),
    // @ts-expect-error
    () => window.showInputBox({ prompt: name }),
    // @ts-expect-error
    () => window.showInputBox({ validateInput: () => name }),
    // @ts-expect-error
    () => window.showSaveDialog({ title: name }),
    // @ts-expect-error
    () => window.showOpenDialog({ openLabel: name }),
    // @ts-expect-error
    () => window.withProgress({ location: 1, title: name }, async () => {}),
    // @ts-expect-error
    () => window.withProgress({ location: 1 }, async step => step.report({ message: name })),
    // @ts-expect-error
    () => window.createOutputChannel(name, { log: true }),
    // @ts-expect-error
    () => window.createWebviewPanel('', name, 1, {}),
    // @ts-expect-error
    () => window.setStatusBarMessage(name),
    // @ts-expect-error
    () => window.registerTreeDataProvider('', { getChildren, getTreeItem }),
    // @ts-expect-error
    () => new TreeItem(name),
    // @ts-expect-error
    () => new CodeLens(range, { title: name, command: '' }),
    // @ts-expect-error
    () => new Diagnostic(range, name, 0),
    () => {
      // @ts-expect-error
      row.description = name;
      // @ts-expect-error
      row.tooltip = new editor.MarkdownString();
      // @ts-expect-error
      row.accessibilityInformation = { label: name };
      // @ts-expect-error
      row.checkboxState = { state: 0, tooltip: name };
      // @ts-expect-error
      pick.items = [{ label: fit, buttons: [{ iconPath: range, tooltip: name }] }];
      // @ts-expect-error
      pick.placeholder = name;
      // @ts-expect-error
      box.validationMessage = { message: name, severity: 1 };
      // @ts-expect-error
      status.text = name;
    },
  ];
}
