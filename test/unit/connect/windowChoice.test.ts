import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  chooseWindow,
  isNoWorkFolder,
  type WindowWish,
} from '../../../src/connect/windowChoice.ts';
import type { WindowEntry } from '../../../src/connect/windowFiles.ts';
import { foundAsExpected } from '../../support/cases.ts';
import { said } from '../../support/texts.ts';

/** A window with these folders; the later its id in the alphabet, the later it was in front. */
function open(id: string, folders: readonly string[], grants?: readonly string[]): WindowEntry {
  const focusedAt = id.charCodeAt(0);
  const own = { socket: `/run/${id}`, nonce: id, name: `Window ${id}` };
  return { id, folders, focusedAt, ...own, ...(grants && { grants }) };
}

/** The id of the chosen window, or the keys of the reason for none. */
function chosen(
  windows: readonly WindowEntry[],
  wish: Partial<WindowWish>,
  platform: NodeJS.Platform = 'linux',
): string {
  const choice = chooseWindow(windows, { cwd: '/elsewhere', ...wish }, platform);
  if ('window' in choice) {
    return choice.window.id;
  }
  return choice.problem
    .split(/ (?=Open are|No editor)/)
    .map(said)
    .join(' ');
}

const windowsShown = join('~/.mcp-roots/windows');

const api = open('a', ['/w/api']);
const web = open('b', ['/w/web', '/w/shared']);

test('the window with the longest folder that contains the working directory', () => {
  const outer = open('o', ['/w']);
  const windows = [outer, api, web];
  const inBothOrders = (cwd: string) =>
    [windows, windows.toReversed()].map(all => chosen(all, { cwd })).join('');
  const found = ['/w/api/src', '/w/api-old', '/w', '/w/shared/x'].map(inBothOrders);
  deepEqual(found, ['aa', 'oo', 'oo', 'bb']);
  equal(chosen([open('r', ['/'])], { cwd: '/any' }), 'r');
});

test('--workspace comes before terminal, roots and directory', () => {
  const windows = [open('a', ['/1']), open('b', ['/2']), open('c', ['/3']), open('d', ['/4'])];
  const wish = { workspace: '/1', window: 'b', roots: ['/3'], cwd: '/4', isNowhere: true };
  const { workspace: _, ...inTerminal } = wish;
  const { window: __, ...withRoots } = inTerminal;
  deepEqual(
    [wish, inTerminal, withRoots, { cwd: '/4' }, { roots: [], cwd: '/4' }].map(one =>
      chosen(windows, one),
    ),
    ['a', 'b', 'c', 'd', 'd'],
  );
});

test('refuses a terminal with a working directory outside of its window', () => {
  equal(
    chosen([api, web], { window: 'b', cwd: '/w/web-worktree' }),
    'windowChoice.outside(/w/web-worktree, Window b, /w/web, /w/shared)',
  );
  match(chosen([open('e', [])], { window: 'e', cwd: '/x' }), /Window e, windowChoice.shown/);
});

test('a desktop program has no working folder', () => {
  const places = { home: '/home/u', program: '/opt/agent/bin' };
  const windows = { home: 'C:\\Users\\u', program: 'C:\\Agent', system: 'C:\\Windows' };
  const on = (platform: NodeJS.Platform, known: typeof places, ...paths: readonly string[]) =>
    paths.filter(path => isNoWorkFolder(path, known, platform));
  const posix = ['/', '/home', '/home/u', '/opt/agent/bin'];
  deepEqual(on('linux', places, ...posix, '/home/u/w', '/opt/agent'), posix);
  const ofWindows = ['c:\\', 'C:\\Windows\\System32', 'C:\\Agent'];
  deepEqual(on('win32', windows, ...ofWindows, 'C:\\Users\\u\\w'), ofWindows);
});

test('chooses no other window when the named window is closed', () => {
  const windows = [api, web];
  deepEqual(
    [
      chosen(windows, { workspace: '/x', window: 'a', roots: ['/w/api'], cwd: '/w/api' }),
      chosen(windows, { window: 'z', roots: ['/w/api'], cwd: '/w/api' }),
      chosen(windows, { roots: ['/x', '/y'], cwd: '/w/api' }),
    ].map(problem => problem.split(' windowChoice.')[0]),
    ['windowChoice.noneHolds(/x)', 'windowChoice.notOpen(z)', 'windowChoice.noneHolds(/x or /y)'],
  );
});

test('says that the named folder does not exist', () => {
  const wish = { workspace: '/w/api/gone', isGone: true };
  deepEqual(
    [[api], [web], []].map(windows => chosen(windows, wish)),
    [
      'a',
      'windowChoice.notThere(/w/api/gone) windowChoice.howToName(Window b (/w/web, /w/shared))',
      `windowChoice.notThere(/w/api/gone) windowChoice.noneOpen(/w/api/gone, ${windowsShown})`,
    ],
  );
});

test('says where it looked when no window is open', () => {
  equal(chosen([], { cwd: '/x' }), `windowChoice.noneOpen(/x, ${windowsShown})`);
});

test('the first root in a window decides, and a folder counts once', () => {
  equal(chosen([api, web], { roots: ['/x', '/w/web', '/w/api/very/deep'] }), 'b');
  equal(chosen([open('a', ['/w', '/w', '/w/'])], { cwd: '/w' }), 'a');
});

test('among equals, the last focused window with a grant for this client', () => {
  const windows = [
    open('a', ['/w'], ['other', 'mine']),
    open('b', ['/w'], ['mine', 'my-client']),
    open('c', ['/w'], ['other', 'mi', 'm-client']),
    open('d', ['/w']),
  ];
  equal(chosen(windows, { cwd: '/w/x', client: 'mine' }), 'b');
  equal(chosen([...windows].reverse(), { cwd: '/w/x', client: 'mine' }), 'b');
  equal(chosen(windows, { cwd: '/w/x', client: 'my-client-files', server: 'files' }), 'b');
  const listed = 'Window a (a); Window b (b); Window c (c); Window d (d)';
  const several = `windowChoice.several(/w/x, ${listed})`;
  for (const client of ['new', 'mine-files', 'm-client-2', 'my-clients']) {
    equal(chosen(windows, { cwd: '/w/x', client, server: 'files' }), several);
  }
  equal(chosen(windows, { cwd: '/w/x' }), several);
  equal(chosen(windows, { window: 'd', cwd: '/w/x' }), 'd');
});

test('compares folders as their system does', () => {
  const composed = '/w/caf\u00e9';
  const decomposed = '/w/cafe\u0301';
  equal(chosen([open('a', [decomposed])], { cwd: `${composed}/x` }, 'darwin'), 'a');
  equal(chosen([open('a', [composed])], { cwd: decomposed }), 'a');
  const onWindows = (folder: string, cwd: string) =>
    chosen([open('a', [folder])], { cwd }, 'win32').replace(/\(.*/, '');
  foundAsExpected({
    'another case of the drive': [onWindows('C:\\Work\\Api', 'c:\\Work\\Api\\src'), 'a'],
    'another kind of slash': [onWindows('C:\\Work\\Api', 'C:/Work/Api'), 'a'],
    'a drive': [onWindows('d:\\', 'D:\\x'), 'a'],
    'another drive': [onWindows('C:\\', 'D:\\x'), 'windowChoice.noneHolds'],
    'a share': [onWindows('\\\\nas\\w', '\\\\nas\\w\\x'), 'a'],
  });
});
