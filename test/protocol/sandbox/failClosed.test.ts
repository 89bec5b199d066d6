import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type SeccompArch, seccompProgram } from '../../../src/domain/sandbox/seccomp.ts';
import { serverMain } from '../../support/bundledServer.ts';
import { isSoak } from '../../support/effort.ts';
import { type HubOptions, startHub } from '../../support/hub.ts';
import { untilItHasTools, untilListed } from '../../support/hubListing.ts';
import { packaged } from '../../support/hubServers.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, sandboxedServer } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder } from '../../support/temp.ts';

const here = await sandboxHere();
const { skip } = here;
const { tool } = here as { tool: Extract<typeof here, { skip: false }>['tool'] };
const filesystem = packaged('@modelcontextprotocol/server-filesystem');

/** What a hub runs in or is made of, and what it is to say. */
type Place = (t: TestContext) => Pick<HubOptions, 'starter' | 'main'>;

const cases: Readonly<Record<string, readonly [Place, RegExp]>> = {
  'bubblewrap is missing': [
    () => ({ starter: withoutBubblewrap() }),
    /could not be started: bubblewrap is missing.* Install it \("sudo apt install bubblewrap"/,
  ],
  'the system refuses namespaces, as a container does': [
    t => ({ starter: underFilter(t) }),
    /could not be started: The system lets bubblewrap make no sandbox \(.*namespace.*"--security-opt seccomp=unconfined"/,
  ],
  'no namespace fits into that which is there': [
    () => ({
      starter: ['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--disable-userns'],
    }),
    /could not be started: This is a sandbox already, .* Run the editor or the hub outside of it\.$/,
  ],
  'bubblewrap can’t run in itself': [
    t => ({ starter: withBubblewrap(t, refusesInItself) }),
    /could not be started: bubblewrap can't run in itself here \(bwrap: setting up uid map: Permission denied\), .* see "Kept in its folders by the system" in the help\.$/,
  ],
  'bubblewrap does not answer': [
    t => ({ starter: withBubblewrap(t, 'sleep 10 & exec sleep 10') }),
    /could not be started: bubblewrap does not work here: no answer within 10000 ms\.$/,
  ],
  'bubblewrap does not answer but to say its version': [
    t => ({ starter: withBubblewrap(t, '[ $1 = --version ] && echo 1.0 && exit; exec sleep 10') }),
    /could not be started: bubblewrap does not work here: no answer within 10000 ms\.$/,
  ],
  'a trial finds a way out': [
    t => ({ main: withAttacker(t, `process.stdout.write('{"direct": "answered"}')`) }),
    /could not be started: The sandbox of this machine does not hold: .* \(direct\)\. Update bubblewrap [\d.]+ and the system\.$/,
  ],
  'a trial says nothing': [
    t => ({ main: withAttacker(t, '') }),
    /could not be started: Whether the sandbox of this machine holds could not be tried\. Start again to try it\.$/,
  ],
  'a trial has no program': [
    t => ({ main: withAttacker(t, undefined) }),
    /could not be started: Whether the sandbox of this machine holds could not be tried\. Start again to try it\.$/,
  ],
};

/** Of what bubblewrap does, and of trials, the rest takes the same way to the user. */
const some = [
  'bubblewrap is missing',
  'the system refuses namespaces, as a container does',
  'a trial finds a way out',
  'a trial says nothing',
];

describe('a server that is to be kept in a sandbox is never started', {
  skip,
  concurrency: 2,
}, () => {
  for (const [what, [place, reason]] of Object.entries(cases)) {
    if (!isSoak && !some.includes(what)) {
      continue;
    }
    it(`where ${what}, and says why`, async t => {
      const root = tempFolder(t);
      const server = (sandbox: 'off' | 'on') => ({
        command: '/bin/sh',
        args: [
          '-c',
          'echo >"$1"; shift; exec "$@"',
          'sh',
          `${root}/${sandbox}`,
          process.execPath,
          filesystem,
          root,
        ],
        sandbox,
      });
      const config = { mcpServers: { kept: server('on'), free: server('off') } };
      const hub = await startHub(t, { era: 'modern', roots: [root], config, ...place(t) });
      // What is not to be kept is started in the same place.
      await untilItHasTools(hub, 'free');
      for (const time of ['first', 'second']) {
        const start = performance.now();
        const { isError, content } = await hub.call('kept', 'list_allowed_directories');
        t.diagnostic(
          `the ${time} call is refused after ${Math.round(performance.now() - start)} ms`,
        );
        assert.equal(isError, true);
        assert.match(content[0]?.text ?? '', reason);
      }
      const { servers } = await untilListed(hub, 'it has failed', listed =>
        listed.servers.some(({ name, problem }) => name === 'kept' && problem !== undefined),
      );
      const kept = servers.find(({ name }) => name === 'kept');
      assert.equal(kept?.state, 'failed');
      assert.match(kept?.problem ?? '', reason);
      assert.deepEqual([existsSync(`${root}/on`), existsSync(`${root}/off`)], [false, true]);
    });
  }

  it('when its bubblewrap is gone that was there before', async t => {
    const root = tempFolder(t);
    const server = sandboxedServer(t, {
      tool: {
        ...tool,
        start: (...how) => ({ ...tool.start(...how), command: join(root, 'bwrap') }),
      },
      command: '/bin/sh',
      args: ['-c', `echo >${root}/on; cat`],
      roots: [mountedRoot(root)],
    });
    const state = await server.start('by-itself');
    assert.equal(state.kind, 'failed');
    assert.equal(existsSync(`${root}/on`), false);
  });
});

/** Starts a program for which there is no bubblewrap. */
function withoutBubblewrap(): string[] {
  return inPlaceOfBubblewrap('/dev/null');
}

/** Starts a program for which a script of the shell is bubblewrap. */
function withBubblewrap(t: TestContext, script: string): string[] {
  const folder = tempFolder(t);
  cpSync('/usr/bin/bwrap', join(folder, 'real'));
  const file = join(folder, 'bwrap');
  writeFileSync(file, `#!/bin/sh\nreal=${folder}/real\n${script}\n`, { mode: 0o755 });
  return inPlaceOfBubblewrap(file);
}

/** The inner one has its options on the command line. */
const refusesInItself = `[ $1 != --unshare-user ] && exec $real "$@"
echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1`;

function inPlaceOfBubblewrap(file: string): string[] {
  const namespace = process.getuid?.() === 0 ? '-m' : '-Urm';
  const script = 'mount --bind "$0" /usr/bin/bwrap && exec "$@"';
  return ['unshare', namespace, '/bin/sh', '-c', script, file];
}

/** Starts a program that can make no namespace. */
function underFilter(t: TestContext): string[] {
  const file = join(tempFolder(t), 'filter');
  writeFileSync(file, seccompProgram(process.arch as SeccompArch));
  const script = 'exec bwrap --dev-bind / / --seccomp 3 "$@" 3<"$0"';
  return ['/bin/sh', '-c', script, file];
}

/** The hub as it is shipped, with another program that tries the ways out. */
function withAttacker(t: TestContext, program: string | undefined): string {
  const dist = join(tempFolder(t), 'dist');
  cpSync(dirname(serverMain), dist, { recursive: true });
  const attacker = join(dist, 'waysOut.js');
  rmSync(attacker);
  if (program !== undefined) {
    writeFileSync(attacker, program);
  }
  return join(dist, 'server.js');
}
