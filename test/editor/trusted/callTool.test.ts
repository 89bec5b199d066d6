import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { ShownOutcome } from '../../../src/pages/pageMessages.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { compiled, node, setServers } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { becomes, rowOf, serverNamed } from '../support/shownRows.ts';
import { ToolTab } from '../support/toolTab.ts';

const program = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`mcpRoots.${command}`, ...args);

describe('Call Tool…', () => {
  const person = personForEachTest();
  const replace = replacing();

  beforeEach(async () => {
    await setServers({ everything: { command: node, args: [program, 'stdio'] } });
    person().will('everything', 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('startServer');
    // The answers of the test before hold until the window closes.
    person().forget();
  });

  describe('asks the user what the server asks when no tab waits for the answer', () => {
    const asked = /^The server "everything" asks: /;
    let tab: ToolTab;
    let server: Server;

    beforeEach(async () => {
      server = await serverNamed('everything');
      tab = new ToolTab();
    });

    afterEach(() => tab.leave());

    /** The answer to a call without a person at the editor, as for an agent. */
    async function called(name: string, args: object = {}): Promise<string> {
      const { content } = await server.requests.callTool({ name, arguments: { ...args } });
      return JSON.stringify(content);
    }

    it('takes a decline as one, and a closed message or tab as a cancel', async () => {
      person().will('Decline');
      assert.match(await called('trigger-elicitation-request'), /declined/);
      assert.match(await called('trigger-elicitation-request'), /cancelled/);
      person().will('Answer…');
      const answer = called('trigger-elicitation-request');
      await tab.question();
      tab.leave();
      assert.match(await answer, /cancelled/);
    });

    it('opens the tab of a question again from the status bar', async () => {
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

    it('opens a page in the browser after the user has seen its address', async () => {
      const opened: unknown[] = [];
      replace(vscode.env, { openExternal: async (url: unknown) => opened.push(url) > 0 });
      const url = 'https://example.com/a?b=%26';
      person().will('Show Link…', 'Open in Browser');
      assert.match(await called('trigger-url-elicitation', { url }), /completed the URL/);
      const { detail } = await person().sees(/^Open a page of example\.com/);
      assert.match(detail, /https:\/\/example\.com\/a\?b=%26/);
      assert.deepEqual(opened, [url]);
    });
  });

  it('calls again after the user has visited the pages that the server named', async () => {
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

  it('reads a resource, a resource template and a prompt in a tab', async () => {
    const answered = async (pick: string, args?: object) => {
      const tab = new ToolTab();
      person().will(pick);
      await run('callTool');
      await eventually(() => assert.ok(tab.told.some(({ kind }) => kind === 'tool')));
      if (args) {
        tab.say({ kind: 'call', args: JSON.stringify(args) });
      }
      const outcome = await tab.outcome();
      tab.leave();
      return outcome.kind === 'result' && JSON.parse(outcome.result).content;
    };
    const file = join(program, '..', 'docs', 'features.md');
    const [{ resource }] = await answered('features.md');
    assert.equal(resource.text, readFileSync(file, 'utf8'));
    const [blob] = await answered('Dynamic Blob Resource', { resourceId: '1' });
    assert.match(Buffer.from(blob.resource.blob, 'base64').toString(), /^Resource 1/);
    const given = { department: 'Engineering', name: 'Alice' };
    const [role, message] = await answered('completable-prompt', given);
    assert.deepEqual([role.text, /Alice .* Engineering/.test(message.text)], ['user', true]);
  });
});

describe('the tab of a tool', () => {
  const person = personForEachTest();
  unsetAfterEachTest('idleMinutes');
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

  it('is one for each tool, and loads and runs only its own files', async () => {
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

  it('shows errors of the tool, of the protocol and of the extension as the answer', async () => {
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

  it('asks the questions of the server in the tab only', async () => {
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

  it('calls a server again that was stopped because nobody used it', async () => {
    await open('report');
    await set('idleMinutes', 0.001);
    await call({});
    await becomes(server, ({ state, isIdle }) => isIdle && state.kind === 'stopped');
    assert.deepEqual(rowOf(server), ['server.stopped', 'idle']);
    await set('idleMinutes', undefined);
    assert.equal((await call({})).kind, 'result');
    assert.equal(server.state.kind, 'running');
  });

  it('refuses a form without a schema at once', async () => {
    await open('askNothing');
    tab.say({ kind: 'call', args: '{}' });
    assert.match(await text(), /"code":-32602/);
    assert.ok(!tab.told.some(({ kind }) => kind === 'asked'));
  });

  it('cancels the call and its question when it is closed', async () => {
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
      /The command failed/,
    );
  });

  it('announces a question when the tab is hidden', async () => {
    await open('ask');
    tab.isVisible = false;
    person().will('Show');
    tab.say({ kind: 'call', args: '{}' });
    await person().sees(/ asks a question in the tab of ask\.$/);
    await eventually(() => assert.ok(tab.isVisible));
  });

  it('copies and saves a result, whole and in parts, and opens its resources', async () => {
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
    const note = new ToolTab();
    tab.say({ kind: 'openResource', uri: 'note:///b.txt' });
    const outcome = await note.outcome();
    note.leave();
    assert.ok(outcome.kind === 'result' && outcome.result.includes('The text of b.'));
  });

  it('ignores messages that a page cannot send', async () => {
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
