import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { isShownOn, type MenuItem } from '../../support/menus.ts';
import { said } from '../../support/texts.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { connectClient } from '../support/connectedClient.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { serverNamed, shownServers, startWith } from '../support/shownRows.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { commands, menus } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
).contributes;
const names = ['one', 'two', 'three'];
const run = (command: string, ...handed: readonly unknown[]) =>
  vscode.commands.executeCommand(command, ...handed);

/** Rows of the views, each with its `contextValue`. */
type Rows = readonly (readonly [row: object, value: string])[];

describe('all buttons and menus', () => {
  const person = personForEachTest();
  const leaving: (() => void)[] = [];

  afterEach(async () => {
    for (const leave of leaving.splice(0)) {
      leave();
    }
    await run('workbench.action.closeAllEditors');
    await run('workbench.action.closePanel');
  });

  it('work with each kind of row selected, none, and three', async () => {
    // A row of a server that another test has left would be gone before its command is run.
    await setServers({});
    await eventually(async () => assert.equal((await shownServers()).length, 1));
    const drawn = drawnRows();
    leaving.push(drawn.leave);
    await run('mcpRoots.servers.focus');
    const sound = names.map(name => [name, new Recorder(name).definition()]);
    const odd = { comand: 'x' };
    const lost = { command: 'no-such' };
    await setServers({ ...Object.fromEntries(sound), lost, odd, even: odd });
    const server = await startWith(person(), 'one', 'api');
    person().will('lost', 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('mcpRoots.startServer');
    person().forget();
    const client = await connectClient('agent', 'one', uriOf('api').fsPath);
    leaving.push(() => void client.close());
    await eventually(() => {
      const kinds = [...drawn.rows.values()].map(value => value.replace(/\..*/, ''));
      const wanted = ['client', 'folder', 'mistake', 'problem', 'server', 'tools'];
      assert.ok(
        wanted.every(kind => kinds.includes(kind)),
        kinds.join(),
      );
    });
    const [tool] = await server.listTools();
    const rows: Rows = [
      ...drawn.rows,
      [{ kind: 'tool', server, tool }, 'tool'],
      [{ kind: 'started', serverLabel: 'one' }, 'of the view Activity'],
    ];
    leaving.push(leaveQuestions());
    const failed: unknown[] = [];
    for (const { command, handed } of callsOn(rows)) {
      await (server.state.kind === 'running' || server.start('by-hand'));
      const before = person().seen.length;
      await run(command, ...handed);
      const texts = person()
        .seen.slice(before)
        .map(({ text }) => text);
      const isRefusal = (text: string) =>
        /^Select /.test(text) || said(text).startsWith('registerCommands.');
      if (texts.some(isRefusal)) {
        const selected = rows.find(([row]) => row === handed[0])?.[1];
        failed.push({ command, selected, isOfSeveral: handed.length > 1, texts });
      }
    }
    assert.deepEqual(failed, []);
  });

  it('act on all three selected rows, with one question at most', async () => {
    const recorders = names.map(name => new Recorder(name));
    const defined = recorders.map(recorder => [recorder.name, recorder.definition()]);
    await setServers(Object.fromEntries(defined));
    const servers: Server[] = [];
    for (const name of names) {
      servers.push(await startWith(person(), name, 'api'));
    }
    const selected = servers.map(server => ({ kind: 'server', server }));
    const labels = '"one", "two", "three"';
    for (const [command, state, isOffered, asked] of [
      ['stopServer', 'stopped', false],
      ['startServer', 'running', false],
      ['restartServer', 'running', false],
      ['offerToAgents', 'running', true],
      ['withdrawFromAgents', 'running', false],
      ['revokeAllOf', 'running', false, `Revoke every folder from ${labels}?`],
      ['removeServer', 'running', false, `Remove servers ${labels}?`],
    ] as const) {
      const before = person().seen.length;
      await run(`mcpRoots.${command}`, selected[0], selected);
      const questions = person()
        .seen.slice(before)
        .filter(({ text }) => text.endsWith('?'));
      assert.deepEqual(
        [questions.map(({ text }) => text), servers.map(one => [one.state.kind, one.isOffered])],
        [asked ? [asked] : [], names.map(() => [state, isOffered])],
        command,
      );
    }
    assert.deepEqual(
      recorders.map(({ pids }) => pids.length),
      [3, 3, 3],
    );
    person().will('Remove');
    await run('mcpRoots.removeServer', selected[0], selected);
    await Promise.all(recorders.map(recorder => recorder.ended()));
    await assert.rejects(serverNamed('three'), /There is no server "three"/);
  });
});

/**
 * Each call that VS Code can make of each command: without a row, unless the palette hides it, then with each
 * look that its menu lets through, and with three. A command with no such row here gets all of them.
 */
function callsOn(rows: Rows) {
  const palette: readonly MenuItem[] = menus.commandPalette;
  const ofRows: readonly MenuItem[] = menus['view/item/context'];
  const calls = (commands as readonly MenuItem[]).flatMap(({ command }) => {
    const isHidden = palette.some(item => item.command === command && item.when === 'false');
    const items = ofRows.filter(item => item.command === command);
    const letThrough = (isOneOfSeveral: boolean) => {
      const shown = ([, value]: Rows[number]) =>
        items.some(item => isShownOn(value, item, isOneOfSeveral));
      // A view hands any of its rows to the commands in its title.
      return rows.some(shown)
        ? rows.filter(shown)
        : rows.slice(0, items.length > 0 ? -1 : undefined);
    };
    const ofEachLook = new Map(letThrough(false).map(([row, value]) => [value, row]));
    const isOfOne = items.length > 0 && items.every(({ when = '' }) => /!listMulti/.test(when));
    const [first, ...others] = isOfOne ? [] : letThrough(true).map(([row]) => row);
    return [
      ...(isHidden ? [] : [[]]),
      ...[...ofEachLook.values()].map(row => [row]),
      ...(others.length > 0 ? [[first, [first, ...others.slice(0, 2)]]] : []),
    ].map(handed => ({ command, handed }));
  });
  // In this order: the row of a client that was disconnected stays as long as there is an answer.
  const last = ['allowClient', 'denyClient', 'disconnectClient', 'forgetClient'];
  const rank = ({ command }: { readonly command: string }) =>
    last.indexOf(command.replace('mcpRoots.', ''));
  return calls.toSorted((one, other) => rank(one) - rank(other));
}

/** Leaves what the stand-in person is not asked, until the returned function is called. */
function leaveQuestions(): () => void {
  const { showSaveDialog, showOpenDialog } = vscode.window;
  const { openExternal } = vscode.env;
  const quick = new QuickInputs();
  Object.assign(vscode.window, { showSaveDialog: async () => {}, showOpenDialog: async () => {} });
  Object.assign(vscode.env, { openExternal: async () => true });
  return () => {
    quick.leave();
    Object.assign(vscode.window, { showSaveDialog, showOpenDialog });
    Object.assign(vscode.env, { openExternal });
  };
}

/** The rows of the servers view with their `contextValue`, taken where the tree keeps what it has drawn. */
function drawnRows(): { readonly rows: ReadonlyMap<object, string>; leave(): void } {
  const rows = new Map<object, string>();
  const { set } = WeakMap.prototype;
  WeakMap.prototype.set = function (key: object, value) {
    const [, shown] = /"contextValue":"([^"]+)"/.exec(String(value?.look)) ?? [];
    if (shown !== undefined && 'kind' in key) {
      rows.set(key, shown);
    }
    return set.call(this, key, value);
  };
  return {
    rows,
    leave: () => {
      WeakMap.prototype.set = set;
    },
  };
}
