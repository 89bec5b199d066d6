import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SandboxTerms } from '../../../../src/domain/sandbox/sandboxTerms.ts';
import { joinServers, readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { effort } from '../../../support/effort.ts';
import { onlyOn } from '../../../support/systems.ts';
import { mistakeBy } from '../../../support/texts.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

const around = { folders: [{ name: 'web', path: '/proj/web' }], userHome: '/home/me' };
const command = 'files';
const none = { read: [], write: [], network: true };

/** The sandbox of a server with these settings, and the mistakes. */
function read(sandbox: unknown, more: object = { command }) {
  const { servers, problems } = readServerSettings({ files: { ...more, sandbox } }, around);
  return { sandbox: servers[0]?.sandbox, problems: problems.map(mistakeBy) };
}

/** The same where the user says one thing of a server, and the workspace another. */
function joined(user: unknown, workspace: unknown) {
  const [one, other] = [user, workspace].map(entry => readServerSettings({ files: entry }, around));
  const { servers, clashes } = joinServers(one!, other!);
  return {
    servers: servers.map(({ from, sandbox }) => ({ from, sandbox })),
    problems: [...one!.problems, ...other!.problems, ...clashes].map(mistakeBy),
  };
}

describe('the key "sandbox"', { skip }, () => {
  test('says whether a sandbox exists, and what it may reach', () => {
    const paths = ['~/b', '${userHome}/a/', '${workspaceFolder}/x', '/a/../c', '~/a', '~'];
    const named = ['/c', '/home/me', '/home/me/b', '/proj/web/x'];
    const said: readonly (readonly [said: unknown, sandbox: unknown])[] = [
      [undefined, undefined],
      ['off', undefined],
      ['on', none],
      [{}, none],
      [
        { read: paths, write: ['~/a'], network: false },
        { read: named, write: ['/home/me/a'], network: false },
      ],
    ];
    for (const [words, sandbox] of said) {
      deepEqual(read(words), { sandbox, problems: [] });
    }
  });

  test('leaves out a path in a folder that this window does not have', () => {
    const sandbox = { read: ['${workspaceFolder:app}/x', '/a'] };
    deepEqual(read(sandbox), { sandbox: { ...none, read: ['/a'] }, problems: [] });
  });

  test('leaves out a server when it has a mistake', () => {
    const form = 'sandbox sandboxForm()';
    const cases: readonly (readonly [sandbox: unknown, ...problems: string[]])[] = [
      [true, form],
      [null, form],
      [['~/a'], form],
      [{ reads: [] }, 'sandbox.reads noteUnknown(read)'],
      [{ read: '~/a' }, 'sandbox.read readTexts()'],
      [{ network: 'off' }, 'sandbox.network readSwitch()'],
      [
        { write: ['', 'a', '~b', './c'] },
        ...[0, 1, 2, 3].map(at => `sandbox.write[${at}] readPaths()`),
      ],
      [{ read: ['/a\0'] }, 'sandbox.read[0] checkCharacters()'],
      [{ read: ['${env:A}'] }, 'sandbox.read[0] checkFolderVariables(${env:A})'],
      [{ read: ['/a/${firstRoot}'] }, 'sandbox.read[0] checkFolderVariables(${firstRoot})'],
    ];
    for (const [sandbox, ...problems] of cases) {
      deepEqual(read(sandbox), { sandbox: undefined, problems });
    }
  });

  test('is for a server started here, and not for a program that runs containers', () => {
    const url = { url: 'https://example.com/mcp' };
    deepEqual(read('on', url).problems, ['sandbox ofCalledServer()']);
    for (const program of ['docker', '/usr/bin/podman']) {
      const docker = { command: program, args: ['run', 'image'] };
      deepEqual(read('on', docker), { sandbox: undefined, problems: ['sandbox ofContainers()'] });
      deepEqual(read('off', docker).problems, []);
    }
  });
});

describe('the sandbox of a server that user and workspace define', { skip }, () => {
  const looser = 'sandbox looser()';
  const sandbox = { read: ['/a', '/w/keep'], write: ['/w', '/v'], network: true };
  const user = { command, sandbox };
  const tightened = (said: unknown, problems: string[] = []) => {
    const result = joined(user, { command: 'other', sandbox: said });
    deepEqual([result.servers.length, result.servers[0]?.from], [1, 'workspace']);
    deepEqual(result.problems, problems);
    return result.servers[0]?.sandbox;
  };

  test('is the user’s, if the workspace does not name one', () => {
    const own = { ...sandbox, write: ['/v', '/w'] };
    deepEqual(tightened(undefined), own);
    deepEqual(tightened('on'), own);
    deepEqual(tightened({}), own);
  });

  test('has unix sockets if both say so', () => {
    const open = (words: object, unixSockets: boolean) =>
      joined({ command, sandbox: { unixSockets } }, { command: 'other', sandbox: words }).servers[0]
        ?.sandbox?.unixSockets;
    deepEqual(
      [open({}, true), open({ unixSockets: false }, true), open({ unixSockets: true }, false)],
      [true, undefined, undefined],
    );
  });

  test('is tightened by the workspace', () => {
    deepEqual(tightened({ network: false })?.network, false);
    deepEqual(tightened({ read: [], write: [] }), none);
    deepEqual(tightened({ write: ['/v'] }), { ...none, read: sandbox.read, write: ['/v'] });
    // A writable path is readable.
    deepEqual(tightened({ read: ['/v'], write: [] }), { ...none, read: ['/v'] });
    // Within a writable folder, a read-only path stays read-only.
    const within = { read: ['/w/keep'], write: ['/w'] };
    deepEqual(tightened({ read: [], write: ['/w'] }), { ...none, ...within });
    // A path that the workspace names for reading only.
    deepEqual(tightened({ read: ['/v', '/w'] }), { ...none, read: ['/v', '/w'] });
  });

  test('is not switched off or widened by the workspace, which is reported', () => {
    const own = { ...sandbox, write: ['/v', '/w'] };
    deepEqual(tightened('off', [looser]), own);
    deepEqual(tightened({ read: ['/', '/a'], write: [] }, [looser]), { ...none, read: ['/a'] });
    deepEqual(tightened({ read: [], write: ['/a'] }, [looser]), { ...none, read: ['/a'] });
    // The path may be a link that leads out of the folder.
    deepEqual(tightened({ read: ['/a/b'], write: [] }, [looser]), none);
    const closed = { command, sandbox: { network: false } };
    const opened = joined(closed, { command, sandbox: { network: true } });
    deepEqual(opened.servers[0]?.sandbox, { ...none, network: false });
    deepEqual(opened.problems, [looser]);
  });

  test('holds even if a mistake leaves out the server of the user', () => {
    const wrong = { command, typo: 1, sandbox: { network: false } };
    deepEqual(joined(wrong, { command }).servers, [
      { from: 'workspace', sandbox: { ...none, network: false } },
    ]);
    const closed = { read: [], write: [], network: false };
    for (const sandbox of [true, { read: '/', write: 5, network: 1 }]) {
      deepEqual(joined({ command, sandbox }, { command }).servers[0]?.sandbox, closed);
    }
  });

  test('is not dropped for a server over HTTP', () => {
    const { servers, problems } = joined(user, { url: 'http://localhost:1/mcp' });
    deepEqual([servers.map(({ from }) => from), problems], [['user'], ['url calledElsewhere()']]);
  });

  test('is the workspace’s, if the user has none', () => {
    for (const mine of [{ command }, { command, sandbox: 'off' }, undefined]) {
      const other = { command, sandbox: { read: ['/b'] } };
      const [result] = joined(mine, other).servers;
      deepEqual(result, { from: 'workspace', sandbox: { ...none, read: ['/b'] } });
      equal(joined(mine, { command, sandbox: 'off' }).servers[0]?.sandbox, undefined);
    }
  });

  test('is never looser than the user’s, whatever the workspace says', () => {
    let count = 0;
    fc.assert(
      fc.property(entry(), entry(), (mine, theirs) => {
        const { sandboxes } = readServerSettings({ files: mine }, around);
        const alone = readServerSettings({ files: { command, sandbox: mine['sandbox'] } }, around);
        const terms = alone.servers[0]?.sandbox;
        if (!sandboxes.has('setting:files') || mine['sandbox'] === 'off') {
          return;
        }
        for (const { sandbox } of joined(mine, theirs).servers) {
          ok(sandbox);
          // Of a sandbox with a mistake nothing is known but that it is one.
          ok(!terms || !sandbox.network || terms.network);
          for (const path of terms ? probes : []) {
            ok(accessTo(path, sandbox) <= accessTo(path, terms!), path);
          }
          count += 1;
        }
      }),
      { numRuns: 300 * effort },
    );
    ok(count > 50 * effort, `${count} were compared`);
  });
});

const places = ['/', '/home/me', '/a', '/a/b', '/a/b/c', '/a-b', '/w'];
const probes = [...places, ...places.map(path => `${path}/x`.replace('//', '/'))];

/** Definitions of a server with these keys, in any order, right ones and wrong ones. */
function entry() {
  const odd = ['~', '~/', '/a/../w', '/a/b/', '${userHome}', 'a', '/é'];
  const spelling = fc.constantFrom(...places, ...odd);
  const list = fc.oneof(
    { weight: 8, arbitrary: fc.array(spelling, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  );
  const words = fc.record(
    { read: list, write: list, network: fc.oneof(fc.boolean(), fc.constant('no')) },
    { requiredKeys: [] },
  );
  const values = fc.record({
    sandbox: fc.oneof(
      { weight: 6, arbitrary: words },
      { weight: 3, arbitrary: fc.constantFrom('on', 'off', 'On', true, null) },
    ),
    command: fc.constant(command),
    url: fc.constant('https://example.com/mcp'),
    args: fc.constant(['x']),
    roots: fc.constant(['/']),
    autoStart: fc.boolean(),
    sandboxEnabled: fc.boolean(),
  });
  const usual = ['sandbox', 'command', 'args', 'roots', 'autoStart'] as const;
  const more = fc.constantFrom([], [], [], ['url'] as const, ['sandboxEnabled'] as const);
  return fc
    .tuple(values, fc.shuffledSubarray([...usual], { minLength: 3 }), more, fc.boolean())
    .map(([all, some, others, isFirst]): Record<string, unknown> => {
      const keys = isFirst ? [...others, ...some] : [...some, ...others];
      return Object.fromEntries(keys.map(key => [key, all[key]]));
    });
}

/** 0: not there; 1: can be read; 2: can be changed. The innermost path that holds it decides. */
function accessTo(path: string, { read, write }: SandboxTerms): number {
  const holders = [...read, ...write].filter(
    holder => holder === '/' || path === holder || path.startsWith(`${holder}/`),
  );
  const [innermost] = holders.sort((a, b) => b.length - a.length);
  return innermost === undefined ? 0 : write.includes(innermost) ? 2 : 1;
}
