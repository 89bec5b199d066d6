import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { ShownOutcome } from '../../../src/pages/toolCall/toolCallMessages.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { node, setServers } from '../support/recorder.ts';
import { shownBy } from '../support/shownDocument.ts';
import { serverNamed } from '../support/shownRows.ts';
import { answeredBy, ToolTab } from '../support/toolTab.ts';

const program = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`mcpRoots.${command}`, ...args);

/** Replaces functions of the editor until the test is over. */
function replacing(): (target: object, replacements: Readonly<Record<string, unknown>>) => void {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const one of undo.splice(0).reverse()) {
      one();
    }
  });
  return (target, replacements) => {
    const originals = Object.keys(replacements).map(key => [key, Reflect.get(target, key)]);
    Object.assign(target, replacements);
    undo.push(() => Object.assign(target, Object.fromEntries(originals)));
  };
}

describe('Call Tool…', () => {
  const person = personForEachTest();
  const replace = replacing();
  const type = (text: string) => replace(vscode.window, { showInputBox: async () => text });

  beforeEach(async () => {
    await setServers({ everything: { command: node, args: [program, 'stdio'] } });
    person().will('everything', 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    // What was answered in the test before holds for the session.
    person().forget();
  });

  /** What the called tool answers. */
  async function answer(...picks: readonly (string | readonly string[])[]): Promise<string> {
    person().will(...picks);
    return (await answeredBy(() => run('callTool'))).text;
  }

  /** What is shown of a resource or a prompt. */
  async function shown(...picks: readonly (string | readonly string[])[]): Promise<string> {
    person().will(...picks);
    return (await shownBy(() => run('callTool'))).getText();
  }

  describe('has a person answer what the server asks', () => {
    const tool = 'trigger-elicitation-request';

    it('by a form, which names the server and is shown before it is sent', async () => {
      type('Ada');
      const said = await answer(tool, 'Answer…', '$(edit) Boolean', 'true', '$(check) Send');
      assert.match(said, /- Name: Ada\n- Agreed to terms: true\n- Favorite Integer: 42/);
      await person().sees(/^The server "everything" asks: .* give it no password/);
      const [form] = person().seen.filter(({ text }) => text === 'The server "everything" asks');
      assert.match(form?.detail ?? '', /^\$\(check\) Send\n\$\(edit\) String\n/);
    });

    it('or decline it, at once or in the form', async () => {
      assert.match(await answer(tool, 'Decline'), /declined/);
      type('Ada');
      assert.match(await answer(tool, 'Answer…', '$(circle-slash) Decline'), /declined/);
    });

    it('or leave it, which cancels', async () => {
      assert.match(await answer(tool), /cancelled/);
    });

    it('in the browser, after a look at where that leads', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, {
        openExternal: async (url: unknown) => {
          opened.push(url);
          return true;
        },
      });
      type('https://example.com/a?b=%26');
      const page = ['Show Link…', 'Open in Browser'] as const;
      const said = await answer('trigger-url-elicitation', [], ...page);
      assert.match(said, /completed the URL elicitation/);
      const { detail } = await person().sees(/^Open a page of example\.com in your browser\?$/);
      assert.match(detail, /https:\/\/example\.com\/a\?b=%26/);

      const again = await answer(
        'trigger-url-elicitation',
        ['errorPath'],
        'true',
        ...page,
        'Call Again',
        ...page,
      );
      assert.match(again, /completed the URL elicitation/);
      assert.deepEqual(opened, [
        'https://example.com/a?b=%26',
        'https://modelcontextprotocol.io/',
        'https://example.com/a?b=%26',
      ]);
    });
  });

  describe('during a call that takes long', () => {
    const tool = 'trigger-long-running-operation';
    const cancellation = () => new vscode.CancellationTokenSource();

    it('shows how far it is', async () => {
      const steps: unknown[] = [];
      const progress = { report: (step: unknown) => steps.push(step) };
      replace(vscode.window, {
        withProgress: (_: unknown, task: (...args: unknown[]) => unknown) =>
          task(progress, cancellation().token),
      });
      type('3');
      assert.match(await answer(tool, ['duration', 'steps']), /completed/);
      // The last step may come with the answer.
      assert.deepEqual(steps.slice(0, 2), [
        { message: '33 %', increment: 33 },
        { message: '67 %', increment: 34 },
      ]);
    });

    it('is cancelled there, and shows nothing then', async () => {
      const source = cancellation();
      replace(vscode.window, {
        withProgress: (_: unknown, task: (...args: unknown[]) => unknown) => {
          const working = task({ report: () => {} }, source.token);
          source.cancel();
          return working;
        },
      });
      type('600');
      person().will(tool, ['duration']);
      const tab = new ToolTab();
      await run('callTool');
      tab.leave();
      assert.deepEqual(tab.titles, []);
      assert.doesNotMatch(person().seen.at(-1)?.text ?? '', /failed|did not work/);
    });
  });

  it('shows a resource as it is', async () => {
    const file = join(program, '..', 'docs', 'features.md');
    assert.equal(await shown('features.md'), readFileSync(file, 'utf8'));
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
  });

  it('saves a resource that is no text, whose template it has filled in, and opens it', async () => {
    const target = vscode.Uri.file(pathBeside('blob.bin'));
    // The first list is that of all that the server offers.
    const lists = [vscode.window.createQuickPick, () => typing('1')];
    replace(vscode.window, {
      showSaveDialog: async () => target,
      createQuickPick: () => lists.shift()?.(),
    });
    person().will('Dynamic Blob Resource');
    await run('callTool');
    await eventually(() => assert.match(readFileSync(target.fsPath, 'utf8'), /^Resource 1/));
  });

  it('shows the messages of a prompt, with the arguments that its server proposes', async () => {
    const text = await shown('completable-prompt', ['Engineering'], ['Alice']);
    assert.match(text, /^## user\n\nPlease promote Alice to the head of the Engineering team\./);
  });

  describe('in a tab', () => {
    const kind = join(import.meta.dirname, '../../support/toolServers/kindServer.ts');
    let tab: ToolTab;
    let server: Server;

    beforeEach(async () => {
      await setServers({ kind: { command: node, args: [kind] } });
      person().will('kind', 'Choose Folders…', ['api'], 'For This Session');
      await run('startServer');
      person().forget();
      server = await serverNamed('kind');
      tab = new ToolTab();
    });

    afterEach(() => tab.leave());

    /** Opens the tab of a tool by its row. */
    async function open(name: string): Promise<void> {
      const tools = await server.listTools();
      const tool = tools.find(tool => tool.name === name);
      await run('callTool', { kind: 'tool', server, tool });
      await eventually(() => assert.ok(tab.told.some(({ kind }) => kind === 'tool')));
    }

    function call(args: object): Promise<ShownOutcome> {
      tab.say({ kind: 'call', args: JSON.stringify(args) });
      return tab.outcome();
    }

    it('which one tool has, and which can load nothing and run nothing but its own', async () => {
      await open('order');
      await run('callTool', { kind: 'server', server });
      person().will('order');
      await run('callTool', { kind: 'server', server });
      assert.deepEqual(tab.titles, ['order']);
      const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(tab.html) ?? [];
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
      assert.deepEqual(policy.split('; '), [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        'style-src https://example.test',
        'img-src blob:',
        'media-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
        'worker-src blob:',
        "require-trusted-types-for 'script'",
        'trusted-types lit-html markdown-worker',
      ]);
      assert.ok(nonce.length >= 20);
    });

    it('a tool is called, and what was called last can be called again, without its secrets', async () => {
      await open('order');
      const args = { title: 'one', apiKey: 'hush' };
      const outcome = await call(args);
      assert.ok(outcome.kind === 'result' && outcome.milliseconds >= 0);
      assert.deepEqual(JSON.parse(outcome.result).structuredContent, args);
      await call({ title: 'two' });
      await eventually(() => {
        const told = tab.told.findLast(message => message.kind === 'calls');
        assert.ok(told?.kind === 'calls');
        const last = told.calls.map(({ args }) => JSON.parse(args));
        assert.deepEqual(last.slice(0, 2), [{ title: 'two' }, { title: 'one' }]);
      });
    });

    it('a tool stays that of its server when that is renamed, and goes with it', async () => {
      await open('order');
      await call({ title: 'kept' });
      const quick = new QuickInputs();
      quick.will({ enter: 'renamed' });
      await run('renameServer', { kind: 'server', server });
      const told = tab.told.findLast(message => message.kind === 'tool');
      assert.ok(told?.kind === 'tool');
      assert.equal(told.tool.serverLabel, 'renamed');
      assert.equal(JSON.parse(told.calls[0]?.args ?? '{}').title, 'kept');
      server = await serverNamed('renamed');
      await eventually(() => assert.equal(server.state.kind, 'running'));
      assert.equal((await call({ title: 'again' })).kind, 'result');
      await run('callTool', { kind: 'tool', server, tool: { name: 'order', inputSchema: {} } });
      assert.deepEqual([tab.titles, tab.isClosed], [['order'], false]);

      person().will('Remove');
      await run('removeServer', { kind: 'server', server });
      const { detail } = await person().sees(/^Remove server "renamed"\?$/);
      assert.match(detail, /^• The last calls that you made of its tools$/m);
      assert.equal(tab.isClosed, true);
      tab.leave();
      tab = new ToolTab();
      await setServers({ renamed: { command: node, args: [kind] } });
      server = await serverNamed('renamed');
      person().will('renamed', 'Choose Folders…', 'For This Session');
      quick.will({ check: ['api'] });
      await run('startServer');
      quick.leave();
      await open('order');
      const shown = tab.told.find(message => message.kind === 'tool');
      assert.ok(shown?.kind === 'tool');
      assert.deepEqual(shown.calls, []);
    });

    it('a call says how far it is, is cancelled, and ends with the tab', async () => {
      await open('slow');
      tab.say({ kind: 'call', args: '{}' });
      await eventually(() => {
        const steps = tab.told.flatMap(told => (told.kind === 'calling' ? [told.text] : []));
        assert.match(steps.join('\n'), /^step \d+ \(\d+ %\)$/m);
      });
      tab.say({ kind: 'cancel' });
      assert.equal((await tab.outcome()).kind, 'cancelled');
      tab.say({ kind: 'call', args: '{}' });
      const { length } = tab.told;
      await eventually(() => assert.ok(tab.told.length > length + 1));
      tab.leave();
      tab = new ToolTab();
      await open('slow');
      assert.deepEqual(
        tab.told.filter(({ kind }) => kind === 'calling'),
        [],
      );
    });

    it('errors are the answer, be they of the tool, of the protocol, or ours', async () => {
      await open('refuse');
      const refused = await call({});
      assert.ok(refused.kind === 'result' && JSON.parse(refused.result).isError);
      tab.leave();
      tab = new ToolTab();
      await open('fail');
      const failed = await call({});
      assert.ok(failed.kind === 'failed');
      assert.equal(failed.reason, 'That is wrong.');
      assert.deepEqual(JSON.parse(failed.details), { code: -32602, data: { field: 'a' } });
      await server.stop();
      const stopped = await call({});
      assert.ok(stopped.kind === 'failed');
      assert.match(stopped.reason, /is not running\. Start it first\.$/);
    });

    it('what the server asks is asked there, and nowhere else', async () => {
      await open('ask');
      tab.say({ kind: 'call', args: '{}' });
      const { id, question } = await tab.question();
      assert.ok(question.kind === 'form');
      assert.equal(question.message, 'Who are you?');
      tab.say({ kind: 'answer', id, action: 'accept', content: '{"name":"Ada"}' });
      assert.match(await text(), /"action":"accept","content":\{"name":"Ada"\}/);
      tab.say({ kind: 'call', args: '{}' });
      const again = await tab.question();
      tab.say({ kind: 'answer', id: again.id, action: 'decline', content: '{}' });
      assert.match(await text(), /"action":"decline"\}/);
      tab.say({ kind: 'call', args: '{}' });
      await tab.question();
      tab.say({ kind: 'cancel' });
      assert.equal((await tab.outcome()).kind, 'cancelled');
      assert.deepEqual(
        person().seen.filter(({ text }) => /asks/.test(text)),
        [],
      );
    });

    it('a form without a schema is refused, and not waited for', async () => {
      await open('askNothing');
      tab.say({ kind: 'call', args: '{}' });
      assert.match(await text(), /"code":-32602/);
      assert.ok(!tab.told.some(({ kind }) => kind === 'asked'));
    });

    it('closing it takes back the call and its question, and the call can be made again', async () => {
      await open('ask');
      tab.say({ kind: 'call', args: '{"from":"closed"}' });
      await tab.question();
      tab.leave();
      tab = new ToolTab();
      await open('answered');
      await eventually(async () => {
        tab.say({ kind: 'call', args: '{}' });
        assert.equal(await text(), '{"action":"cancel"}');
      });
      tab.leave();
      tab = new ToolTab();
      await open('ask');
      await eventually(() => {
        const told = tab.told.find(message => message.kind === 'tool');
        assert.ok(told?.kind === 'tool');
        assert.equal(told.calls[0]?.args, '{"from":"closed"}');
      });
      assert.doesNotMatch(
        person()
          .seen.map(({ text }) => text)
          .join('\n'),
        /did not work/,
      );
    });

    it('a question in a tab that is not seen is announced', async () => {
      await open('ask');
      tab.isVisible = false;
      person().will('Show');
      tab.say({ kind: 'call', args: '{}' });
      await person().sees(/^The server "kind" asks something in the tab of ask\.$/);
      await eventually(() => assert.ok(tab.isVisible));
    });

    it('a page to open is shown whole once more before', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, { openExternal: async (url: unknown) => opened.push(url) > 0 });
      await open('visit');
      tab.say({ kind: 'call', args: '{}' });
      const { id, question } = await tab.question();
      assert.ok(question.kind === 'page');
      assert.equal(question.url, 'https://example.com/sign-in');
      person().will('Open in Browser');
      tab.say({ kind: 'answer', id, action: 'accept', content: '{}' });
      assert.match(await text(), /"action":"accept"\}/);
      assert.deepEqual(opened, ['https://example.com/sign-in']);
    });

    it('links are opened when the person agrees to their whole address, and only those of the web', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, { openExternal: async (url: unknown) => opened.push(url) > 0 });
      await open('report');
      tab.say({ kind: 'openLink', url: 'https://ex\u0430mple.com/a?b=%26#c' });
      const { detail } = await person().sees(/^Open a page of xn--exmple-4nf\.com in your browser/);
      assert.match(detail, /https:\/\/xn--exmple-4nf\.com\/a\?b=%26#c$/);
      person().will('Open in Browser');
      tab.say({ kind: 'openLink', url: 'http://example.com' });
      await eventually(() => assert.deepEqual(opened, ['http://example.com/']));
      for (const url of [
        'command:workbench.action.quit',
        'javascript:1',
        'data:text/html,a',
        'x',
      ]) {
        tab.say({ kind: 'openLink', url });
        await eventually(() => {
          const said = person().seen.at(-1)?.text;
          assert.equal(said, `Only pages of the web are opened: ${url}`);
        });
      }
      assert.equal(opened.length, 1);
    });

    it('a result is copied and saved, as a whole and in its parts, and its resources open', async () => {
      const target = vscode.Uri.file(pathBeside('saved.bin'));
      const names: unknown[] = [];
      replace(vscode.window, {
        showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions) => {
          names.push(basename(defaultUri?.path ?? ''));
          return target;
        },
      });
      const saved = async (content: number) => {
        rmSync(target.fsPath, { force: true });
        tab.say({ kind: 'save', content });
        return eventually(() => {
          const bytes = readFileSync(target.fsPath);
          assert.ok(bytes.length > 0);
          return bytes;
        });
      };
      await open('report');
      await call({});
      assert.match((await saved(0)).toString(), /^# Report/);
      assert.equal((await saved(2)).subarray(1, 4).toString(), 'PNG');
      assert.equal((await saved(5)).toString(), '# A note');
      assert.equal((await saved(6)).length, 3);
      JSON.parse((await saved(-1)).toString());
      assert.deepEqual(names, ['answer.txt', 'image.png', 'a.md', 'a.bin', 'report.json']);
      tab.say({ kind: 'copy' });
      await eventually(async () =>
        assert.match(await vscode.env.clipboard.readText(), /^\{\n {2}"name": "report"/),
      );
      const note = await shownBy(async () =>
        tab.say({ kind: 'openResource', uri: 'note:///b.txt' }),
      );
      assert.equal(note.getText(), 'The text of b.');
    });

    it('what a page can not say does nothing', async () => {
      await open('order');
      const { length } = tab.told;
      const wrong = [
        {},
        { kind: 'quit' },
        { kind: 'call', args: '[]' },
        { kind: 'call', args: { title: 'a' } },
        { kind: 'call', args: '{' },
        { kind: 'answer', id: 1, action: 'accept', content: '5' },
        { kind: 'answer', id: '1', action: 'accept', content: '{}' },
        { kind: 'openLink', url: 5 },
        { kind: 'save', content: '0' },
      ];
      for (const message of wrong) {
        tab.say(message);
      }
      await call({ title: 'after them' });
      await eventually(() =>
        assert.deepEqual(
          tab.told.slice(length).map(({ kind }) => kind),
          ['outcome', 'calls'],
        ),
      );
    });

    it('what was called from the palette is filled in there, next to the answer', async () => {
      replace(vscode.window, { showInputBox: async () => '3' });
      person().will('slow', ['steps']);
      await run('callTool');
      assert.equal((await tab.outcome()).kind, 'result');
      await eventually(() => {
        const filled = tab.told.find(message => message.kind === 'fill');
        assert.deepEqual(filled, { kind: 'fill', args: '{"steps":3}' });
      });
    });

    async function text(): Promise<string> {
      const outcome = await tab.outcome();
      assert.equal(outcome.kind, 'result');
      return JSON.parse(outcome.result).content[0].text;
    }
  });
});

/** A list in which a text is typed, and taken. */
function typing(text: string) {
  const changed = new vscode.EventEmitter<string>();
  const accepted = new vscode.EventEmitter<void>();
  const pick = {
    value: '',
    items: [] as readonly object[],
    selectedItems: [] as readonly object[],
    onDidChangeValue: changed.event,
    onDidAccept: accepted.event,
    onDidHide: new vscode.EventEmitter<void>().event,
    show: () => {
      pick.value = text;
      changed.fire(text);
      pick.selectedItems = pick.items.slice(0, 1);
      accepted.fire();
    },
    dispose: () => {},
  };
  return pick;
}
