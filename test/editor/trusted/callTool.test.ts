import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { ShownOutcome } from '../../../src/pages/pageMessages.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { compiled, node, setServers } from '../support/recorder.ts';
import { shownBy } from '../support/shownDocument.ts';
import { serverNamed } from '../support/shownRows.ts';
import { ToolTab } from '../support/toolTab.ts';

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
    person().will('everything', 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('startServer');
    // What was answered in the test before holds until the window closes.
    person().forget();
  });

  /** What is shown of a resource or a prompt. */
  async function shown(...picks: readonly (string | readonly string[])[]): Promise<string> {
    person().will(...picks);
    return (await shownBy(() => run('callTool'))).getText();
  }

  describe('has a person answer what the server asks while no tab waits for it', () => {
    const asked = /^The server "everything" asks: /;
    let tab: ToolTab;
    let server: Server;

    beforeEach(async () => {
      server = await serverNamed('everything');
      tab = new ToolTab();
    });

    afterEach(() => tab.leave());

    /** What a tool answers that is called by nobody before the editor, as for an agent. */
    async function called(name: string, args: object = {}): Promise<string> {
      const { content } = await server.callTool({ name, arguments: { ...args } });
      return JSON.stringify(content);
    }

    it('who may decline it, at once or in the tab', async () => {
      person().will('Decline');
      assert.match(await called('trigger-elicitation-request'), /declined/);
      person().will('Answer…');
      const answer = called('trigger-elicitation-request');
      const { id } = await tab.question();
      tab.say({ kind: 'answer', id, action: 'decline', content: '{}' });
      assert.match(await answer, /declined/);
    });

    it('who may leave the message or the tab, which cancels', async () => {
      assert.match(await called('trigger-elicitation-request'), /cancelled/);
      person().will('Answer…');
      const answer = called('trigger-elicitation-request');
      await tab.question();
      tab.leave();
      assert.match(await answer, /cancelled/);
    });

    it('who may pick it from the status, which opens its tab and shows that again', async () => {
      person().waitsWith(asked);
      const answer = called('trigger-elicitation-request');
      await person().sees(asked);
      const label = /^\$\(question\) The server "everything" asks/;
      const pickIt = async () => {
        const { showQuickPick } = vscode.window;
        const pick = async (items: readonly vscode.QuickPickItem[]) =>
          items.find(item => label.test(item.label));
        Object.assign(vscode.window, { showQuickPick: pick });
        await run('showStatus');
        Object.assign(vscode.window, { showQuickPick });
      };
      await pickIt();
      const { id } = await tab.question();
      tab.isVisible = false;
      await pickIt();
      assert.ok(tab.isVisible);
      assert.equal(tab.titles.length, 1);
      tab.say({ kind: 'answer', id, action: 'decline', content: '{}' });
      assert.match(await answer, /declined/);
    });

    it('in the browser, after a look at where that leads', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, { openExternal: async (url: unknown) => opened.push(url) > 0 });
      const url = 'https://example.com/a?b=%26';
      person().will('Show Link…', 'Open in Browser');
      assert.match(await called('trigger-url-elicitation', { url }), /completed the URL/);
      const { detail } = await person().sees(/^Open a page of example\.com in your browser\?$/);
      assert.match(detail, /https:\/\/example\.com\/a\?b=%26/);
      assert.deepEqual(opened, [url]);
    });
  });

  it('calls again when the person has been on the pages that the server sent to', async () => {
    const opened: unknown[] = [];
    replace(vscode.env, { openExternal: async (url: unknown) => opened.push(url) > 0 });
    const tab = new ToolTab();
    person().will('trigger-url-elicitation');
    await run('callTool');
    await eventually(() => assert.ok(tab.told.some(({ kind }) => kind === 'tool')));
    tab.say({ kind: 'call', args: '{"url":"https://example.com/","errorPath":true}' });
    for (const kind of ['page', 'again', 'page'] as const) {
      const { id, question } = await tab.question();
      assert.equal(question.kind, kind);
      person().will(...(kind === 'page' ? ['Open in Browser'] : []));
      tab.say({ kind: 'answer', id, action: 'accept', content: '{}' });
      await eventually(() =>
        assert.ok(tab.told.some(told => told.kind === 'settled' && told.id === id)),
      );
    }
    const outcome = await tab.outcome();
    tab.leave();
    assert.ok(outcome.kind === 'result');
    assert.match(outcome.result, /completed the URL elicitation/);
    assert.equal(opened.length, 2);
  });

  it('shows a resource as it is', async () => {
    const file = join(program, '..', 'docs', 'features.md');
    assert.equal(await shown('features.md'), readFileSync(file, 'utf8'));
    assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
  });

  it('saves a resource that is no text, whose template it has filled in, and opens it', async () => {
    const target = vscode.Uri.file(pathBeside('blob.bin'));
    type('1');
    replace(vscode.window, { showSaveDialog: async () => target });
    person().will('Dynamic Blob Resource');
    await run('callTool');
    await eventually(() => assert.match(readFileSync(target.fsPath, 'utf8'), /^Resource 1/));
  });

  it('shows the messages of a prompt, whose arguments it asks for', async () => {
    const given = ['Engineering', 'Alice'];
    replace(vscode.window, { showInputBox: async () => given.shift() });
    const text = await shown('completable-prompt');
    assert.match(text, /^## user\n\nPlease promote Alice to the head of the Engineering team\./);
  });
});

describe('the tab of a tool', () => {
  const person = personForEachTest();
  const replace = replacing();
  const kind = join(import.meta.dirname, '../../support/toolServers/kindServer.ts');
  let tab: ToolTab;
  let server: Server;

  beforeEach(async () => {
    await setServers({ kind: { command: node, args: [compiled, kind] } });
    person().will('kind', 'Choose Folders…', ['api'], 'Until the Window Closes');
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
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ]);
    assert.ok(nonce.length >= 20);
  });

  it('a tool is called with what is filled in, and its result is the answer', async () => {
    await open('order');
    const args = { title: 'one', apiKey: 'hush' };
    const outcome = await call(args);
    assert.ok(outcome.kind === 'result' && outcome.milliseconds >= 0);
    assert.deepEqual(JSON.parse(outcome.result).structuredContent, args);
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

  it('closing it takes back the call and its question', async () => {
    await open('ask');
    tab.say({ kind: 'call', args: '{}' });
    await tab.question();
    tab.leave();
    tab = new ToolTab();
    await open('answered');
    await eventually(async () => {
      tab.say({ kind: 'call', args: '{}' });
      assert.equal(await text(), '{"action":"cancel"}');
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
    const note = await shownBy(async () => tab.say({ kind: 'openResource', uri: 'note:///b.txt' }));
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
      { kind: 'openLink', url: 'https://example.com' },
      { kind: 'save', content: '0' },
    ];
    for (const message of wrong) {
      tab.say(message);
    }
    await call({ title: 'after them' });
    assert.deepEqual(
      tab.told.slice(length).map(({ kind }) => kind),
      ['outcome'],
    );
  });

  async function text(): Promise<string> {
    const outcome = await tab.outcome();
    assert.equal(outcome.kind, 'result');
    return JSON.parse(outcome.result).content[0].text;
  }
});
