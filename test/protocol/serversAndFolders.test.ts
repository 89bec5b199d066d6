import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Grant } from '../../src/domain/consent/grants.ts';
import { diskFolder, type Folder } from '../../src/domain/folders/folders.ts';
import {
  defaultTerms,
  type ServerDefinition,
  userServer,
} from '../../src/domain/servers/serverDefinition.ts';
import { isSoak } from '../support/effort.ts';
import { RootsWindow, SharedAnswers } from '../support/rootsWindow.ts';
import { ToldLists } from '../support/toldLists.ts';
import type { WindowServer } from '../support/windowServer.ts';

const names = ['web', 'api', 'docs', 'tools', 'data'];
const folders = names.map(name => diskFolder(`/proj/${name}-folder`, name, 'directory', 'linux'));
const [web, api, docs] = folders as [Folder, Folder, Folder];

const decisions: readonly (Grant['decision'] | 'undecided')[] = ['allowed', 'denied', 'undecided'];
/** A server in each row and a folder in each column: allowed, denied or undecided. */
const table = { first: 'adaud', second: 'uadda', third: 'aaaaa', fourth: 'duuau' };

// Turned twice, so that each server has had each answer on each folder.
for (const turn of isSoak ? [0, 1, 2] : [0]) {
  test(`four servers, five folders, answers turned ${turn} times: each is told of its own after each change`, async t => {
    const { window, expected } = await startedTable(t, turn);
    await assertTold(expected);
    for (const folder of folders) {
      for (const [server, told] of expected) {
        const decision = told.answerOn(folder.name) === 'allowed' ? 'denied' : 'allowed';
        told.answer(folder.name, decision);
        await window.answer(server, folder, decision, 'workspace');
        await assertTold(expected);
      }
    }
  });

  test(`four servers, five folders, answers turned ${turn} times: each loses what is closed or revoked`, async t => {
    const { window, expected } = await startedTable(t, turn);
    for (const open of [folders.slice(1), folders, folders.toReversed(), folders.slice(0, 4)]) {
      for (const told of expected.values()) {
        told.show(open.map(({ name }) => name));
      }
      await window.open(open);
      await assertTold(expected);
    }
    for (const [server, told] of expected) {
      told.revokeAll();
      await window.revokeAll(server);
      await assertTold(expected);
    }
  });
}

test('a server of the same name that is started in another way sees nothing of what the first was allowed', async t => {
  const window = new RootsWindow(folders);
  const before = window.define(t, definition('database'));
  const after = window.define(t, definition('database', '--all'));
  assert.equal(before.definition.id, after.definition.id);
  await window.answer(before, web, 'allowed', 'always');
  await window.answer(before, docs, 'allowed', 'session');
  await Promise.all([before.start(), after.start()]);
  await window.answer(after, api, 'allowed', 'workspace');
  await window.answer(after, docs, 'denied', 'workspace');
  assert.deepEqual(await before.lists(), [['web', 'docs']]);
  assert.deepEqual(await after.lists(), [[], ['api']]);
  assert.deepEqual(await foldersOnWire(before), ['web', 'docs']);
  assert.deepEqual(await foldersOnWire(after), ['api']);
});

test('a server of another name that is started in the very same way is asked about for itself', async t => {
  const window = new RootsWindow(folders);
  const one = window.define(t, definition('database'));
  const { launch } = one.definition;
  const two = window.define(t, userServer('other', launch, defaultTerms));
  assert.equal(one.identity, two.identity);
  await window.answer(one, web, 'allowed', 'always');
  await window.answer(two, api, 'allowed', 'always');
  await window.answer(two, docs, 'denied', 'always');
  await Promise.all([one.start(), two.start()]);
  await window.answer(one, docs, 'allowed', 'always');
  assert.deepEqual(await one.lists(), [['web'], ['web', 'docs']]);
  assert.deepEqual(await two.lists(), [['api']]);
  await window.revokeAll(one);
  assert.deepEqual([one.isRunning, two.isRunning], [false, true]);
  assert.deepEqual(await two.lists(), [['api']]);
});

test('what is withdrawn from a server, or revoked, is withdrawn from what it was before as well', async t => {
  const window = new RootsWindow(folders);
  const before = window.define(t, definition('database'));
  const after = window.define(t, definition('database', '--all'));
  for (const server of window.servers) {
    await window.answer(server, web, 'allowed', 'always');
    await window.answer(server, api, 'allowed', 'workspace');
  }
  await Promise.all(window.servers.map(server => server.start()));
  await window.answer(after, web, 'denied', 'always');
  for (const server of [before, after]) {
    assert.deepEqual(await server.lists(), [['web', 'api'], ['api']]);
  }
  await window.revokeAll(after);
  assert.deepEqual([before.isRunning, after.isRunning], [false, false]);
  for (const server of [before, after]) {
    assert.deepEqual(await server.lists(), [['web', 'api'], ['api']]);
  }
});

test('in two windows on the same folders, only what holds always is told in both', async t => {
  const { one, two } = twoWindows(t);
  await one.window.answer(one.same, web, 'allowed', 'session');
  await one.window.answer(one.same, api, 'allowed', 'workspace');
  await two.window.look();
  await Promise.all([one, two].flatMap(({ same, changed }) => [same.start(), changed.start()]));
  await one.window.answer(one.same, docs, 'allowed', 'always');
  await two.window.look();
  const told = {
    'where it was allowed': await one.same.lists(),
    'in the other window': await two.same.lists(),
    'of the same name, where it was allowed': await one.changed.lists(),
    'of the same name, in the other window': await two.changed.lists(),
  };
  assert.deepEqual(told, {
    'where it was allowed': [
      ['web', 'api'],
      ['web', 'api', 'docs'],
    ],
    'in the other window': [[], ['docs']],
    'of the same name, where it was allowed': [[]],
    'of the same name, in the other window': [[]],
  });
  assert.deepEqual(await foldersOnWire(two.same), ['docs']);
  assert.deepEqual(await foldersOnWire(one.changed), []);
  assert.deepEqual(await foldersOnWire(two.changed), []);
});

test('in two windows on the same folders, what is refused for always in one is off the wire of both', async t => {
  const { one, two } = twoWindows(t);
  for (const folder of [web, api, docs]) {
    await one.window.answer(one.same, folder, 'allowed', 'always');
  }
  await Promise.all([one.same.start(), two.same.start()]);
  await two.window.answer(two.same, web, 'denied', 'always');
  await one.window.look();
  assert.deepEqual(await one.same.lists(), [
    ['web', 'api', 'docs'],
    ['api', 'docs'],
  ]);
  assert.deepEqual(await two.same.lists(), await one.same.lists());
});

test('revoking all in one of two windows stops that server in both, and no other', async t => {
  const { one, two } = twoWindows(t);
  const other = two.window.define(t, definition('other'));
  for (const { window, same } of [one, two]) {
    await window.answer(same, web, 'allowed', 'workspace');
    await window.answer(same, api, 'allowed', 'session');
  }
  await two.window.answer(other, web, 'allowed', 'always');
  await Promise.all([one.same.start(), two.same.start(), other.start()]);
  await one.window.revokeAll(one.same);
  await two.window.look();
  assert.deepEqual(
    [one.same, two.same, other].map(({ isRunning }) => isRunning),
    [false, false, true],
  );
  for (const { same } of [one, two]) {
    assert.deepEqual(await same.lists(), [['web', 'api']]);
  }
  assert.deepEqual(await other.lists(), [['web']]);
});

/** Two windows with the same server, and with one that only has its name. */
function twoWindows(t: TestContext) {
  const shared = new SharedAnswers();
  const window = () => {
    const window = new RootsWindow(folders, shared);
    const same = window.define(t, definition('database'));
    const changed = window.define(t, definition('database', '--all'));
    return { window, same, changed };
  };
  return { one: window(), two: window() };
}

/** The servers of the table, running, with what each of them should have been told. */
async function startedTable(t: TestContext, turn: number) {
  const window = new RootsWindow(folders);
  const expected = new Map<WindowServer, ToldLists>();
  for (const [name, row] of Object.entries(table)) {
    const server = window.define(t, definition(name));
    const answers = [...row].map(letter => decisions[('adu'.indexOf(letter) + turn) % 3]!);
    for (const [index, decision] of answers.entries()) {
      if (decision !== 'undecided') {
        await window.answer(server, folders[index]!, decision, 'workspace');
      }
    }
    const byName = names.map((folder, index) => [folder, answers[index]!] as const);
    expected.set(server, new ToldLists(Object.fromEntries(byName)));
  }
  await Promise.all(window.servers.map(server => server.start()));
  return { window, expected };
}

/** Each process was sent exactly these lists, and none of its bytes names a folder that is in none. */
async function assertTold(expected: ReadonlyMap<WindowServer, ToldLists>): Promise<void> {
  for (const [server, told] of expected) {
    const { id } = server.definition;
    const inLists = names.filter(name => told.lists.flat().includes(name));
    assert.equal(server.isRunning, told.isRunning, id);
    assert.deepEqual(await server.lists(), told.lists, id);
    assert.deepEqual(new Set(await foldersOnWire(server)), new Set(inLists), id);
  }
}

/** The folders whose paths were sent to a server, in whatever message. */
async function foldersOnWire(server: WindowServer): Promise<string[]> {
  const found = (await server.wire()).matchAll(/(\w+)-folder/g);
  return [...new Set([...found].map(([, name]) => name!))];
}

function definition(name: string, ...args: readonly string[]): ServerDefinition {
  // In a folder of its own: what works in a root that it loses is started again instead of told.
  const launch = { type: 'stdio', command: `serve-${name}`, cwd: '/', env: {} } as const;
  return userServer(name, { ...launch, args, envFile: undefined }, defaultTerms);
}
