import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  chooseWindow,
  isNoWorkFolder,
  type WindowWish,
} from '../../../src/connect/windowChoice.ts';
import type { WindowEntry } from '../../../src/connect/windowFiles.ts';

/** A window with these folders; the later its id in the alphabet, the later it was in front. */
function open(id: string, folders: readonly string[], grants?: readonly string[]): WindowEntry {
  const focusedAt = id.charCodeAt(0);
  const own = { socket: `/run/${id}`, nonce: id, name: `Window ${id}` };
  return { id, folders, focusedAt, ...own, ...(grants && { grants }) };
}

/** The id of the window that is chosen, or the sentence why there is none. */
function chosen(
  windows: readonly WindowEntry[],
  wish: Partial<WindowWish>,
  platform: NodeJS.Platform = 'linux',
): string {
  const choice = chooseWindow(windows, { cwd: '/elsewhere', ...wish }, platform);
  return 'window' in choice ? choice.window.id : choice.problem;
}

describe('choosing the window of a client', () => {
  const api = open('a', ['/w/api']);
  const web = open('b', ['/w/web', '/w/shared']);

  test('the window with the folder of the working directory', () => {
    const windows = [api, web];
    deepEqual(
      ['/w/api', '/w/api/src/deep', '/w/shared/x'].map(cwd => chosen(windows, { cwd })),
      ['a', 'a', 'b'],
    );
  });

  test('the longest folder wins, in any order, and a name that only begins alike is no folder', () => {
    const outer = open('o', ['/w']);
    for (const windows of [
      [outer, api, web],
      [web, api, outer],
    ]) {
      deepEqual(
        ['/w/api/src', '/w/api-old', '/w'].map(cwd => chosen(windows, { cwd })),
        ['a', 'o', 'o'],
      );
    }
    equal(chosen([open('r', ['/'])], { cwd: '/any' }), 'r');
  });

  test('a worktree belongs to the window that has it open, beside or inside its repository', () => {
    const inside = open('i', ['/w/api/.worktrees/fix']);
    const beside = open('n', ['/w/api-fix']);
    deepEqual(
      ['/w/api/.worktrees/fix/src', '/w/api/.worktrees/other', '/w/api-fix/src'].map(cwd =>
        chosen([api, inside, beside], { cwd }),
      ),
      ['i', 'a', 'n'],
    );
    match(chosen([api], { cwd: '/w/api-fix' }), /^No editor window has a folder open that holds/);
  });

  test('what is named comes before the terminal, that before the roots, those before the directory', () => {
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

  test('a client in a terminal of a window is not served another tree than the one it works in', () => {
    equal(
      chosen([api, web], { window: 'b', cwd: '/w/web-worktree' }),
      'This client works in /w/web-worktree, but its window "Window b" has open: /w/web, /w/shared.' +
        ' Add that folder to the window, or open it in one of its own and start the client there.',
    );
    match(chosen([open('e', [])], { window: 'e', cwd: '/x' }), /has open: no folder\./);
  });

  test('programs of a desktop work in no folder', () => {
    const places = { home: '/home/u', program: '/opt/agent/bin' };
    const windows = { home: 'C:\\Users\\u', program: 'C:\\Agent', system: 'C:\\Windows' };
    deepEqual(
      [
        ...['/', '/home', '/home/u', '/home/u/w', '/opt/agent/bin', '/opt/agent'].map(cwd =>
          isNoWorkFolder(cwd, places, 'linux'),
        ),
        ...['c:\\', 'C:\\Windows\\System32', 'C:\\Agent', 'C:\\Users\\u\\w'].map(cwd =>
          isNoWorkFolder(cwd, windows, 'win32'),
        ),
      ],
      [true, true, true, false, true, false, true, true, true, false],
    );
  });

  test('what is named and not open leads to no other window', () => {
    const windows = [api, web];
    deepEqual(
      [
        chosen(windows, { workspace: '/x', window: 'a', roots: ['/w/api'], cwd: '/w/api' }),
        chosen(windows, { window: 'z', roots: ['/w/api'], cwd: '/w/api' }),
        chosen(windows, { roots: ['/x', '/y'], cwd: '/w/api' }),
      ].map(problem => problem.split('. Open are')[0]),
      [
        'No editor window has a folder open that holds /x',
        'The editor window that MCP_ROOTS_WINDOW names (z) is not open',
        'No editor window has a folder open that holds /x or /y',
      ],
    );
  });

  test('a folder that is named and not there is said not to be, unless a window has it open', () => {
    const wish = { workspace: '/w/api/gone', isGone: true };
    deepEqual(
      [chosen([api], wish), ...[[web], []].map(windows => chosen(windows, wish).split('. ', 2))],
      [
        'a',
        [
          'There is no folder /w/api/gone, which --workspace names',
          'Open are: Window b (/w/web, /w/shared)',
        ],
        [
          'There is no folder /w/api/gone, which --workspace names',
          'No editor window with MCP Roots is open',
        ],
      ],
    );
  });

  test('the first of several roots that a window holds decides', () => {
    equal(chosen([api, web], { roots: ['/x', '/w/web', '/w/api/very/deep'] }), 'b');
  });

  test('among equals, the one last in front that granted this client something', () => {
    const windows = [
      open('a', ['/w'], ['other', 'mine']),
      open('b', ['/w'], ['mine']),
      open('c', ['/w'], ['other']),
      open('d', ['/w']),
    ];
    equal(chosen(windows, { cwd: '/w/x', client: 'mine' }), 'b');
    equal(chosen([...windows].reverse(), { cwd: '/w/x', client: 'mine' }), 'b');
    const several =
      'Several editor windows have the folder of /w/x open: Window a (a); Window b (b); Window c (c);' +
      ' Window d (d). Close all but one, or put the id of one in MCP_ROOTS_WINDOW.';
    equal(chosen(windows, { cwd: '/w/x', client: 'new' }), several);
    equal(chosen(windows, { cwd: '/w/x' }), several);
    equal(chosen(windows, { window: 'd', cwd: '/w/x' }), 'd');
  });

  test('a folder that is open twice in one window is no choice between two', () => {
    equal(chosen([open('a', ['/w', '/w', '/w/'])], { cwd: '/w' }), 'a');
  });

  test('the Unicode form makes no difference, nor do the case of a drive and the way of its slashes', () => {
    const composed = '/w/caf\u00e9';
    const decomposed = '/w/cafe\u0301';
    equal(chosen([open('a', [decomposed])], { cwd: `${composed}/x` }, 'darwin'), 'a');
    equal(chosen([open('a', [composed])], { cwd: decomposed }), 'a');
    const disk = open('a', ['C:\\Work\\Api']);
    deepEqual(
      ['c:\\Work\\Api\\src', 'C:/Work/Api', 'C:\\Work\\Api\\'].map(cwd =>
        chosen([disk], { cwd }, 'win32'),
      ),
      ['a', 'a', 'a'],
    );
    equal(chosen([open('a', ['d:\\'])], { cwd: 'D:\\x' }, 'win32'), 'a');
    match(chosen([open('a', ['C:\\'])], { cwd: 'D:\\x' }, 'win32'), /^No editor window has/);
    equal(chosen([open('a', ['\\\\nas\\w'])], { cwd: '\\\\nas\\w\\x' }, 'win32'), 'a');
  });

  test('the sentences name the windows, so many as can be read', () => {
    equal(
      chosen([api, web, open('e', [])], { cwd: '/x' }),
      'No editor window has a folder open that holds /x. Open are: Window a (/w/api);' +
        ' Window b (/w/web, /w/shared); Window e (no folder).' +
        ' Open the folder in an editor, or name one of these with --workspace.',
    );
    const many = Array.from({ length: 50 }, (_, at) => open(`w${at}`, [`/w${at}`]));
    match(chosen(many, { cwd: '/x' }), /; Window w7 \(\/w7\); 42 more\. Open the folder/);
    equal(
      chosen([], { cwd: '/x' }),
      'No editor window with MCP Roots is open. Open /x in one.' +
        ` If one is, let this client's sandbox read ${join('~/.mcp-roots/windows')}, or switch it off.`,
    );
  });
});
