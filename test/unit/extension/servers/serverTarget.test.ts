import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import * as vscode from 'vscode';
import { HumanError } from '../../../../src/domain/sentence.ts';
import type { EditorRules } from '../../../../src/domain/servers/editorRules.ts';
import type { HttpLaunch, StdioLaunch } from '../../../../src/domain/servers/launch.ts';
import type { EditorProxy } from '../../../../src/domain/servers/proxies.ts';
import {
  defaultTerms,
  type ServerDefinition,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import { bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import {
  assertComplete,
  expectedStart,
  serverTarget,
} from '../../../../src/extension/servers/serverTarget.ts';
import type { StartMode } from '../../../../src/mcp/life/managedServer.ts';
import type { SecretStore } from '../../../../src/mcp/process/oauth/authorization.ts';
import type { ProcessStart } from '../../../../src/mcp/process/stdio/serverProcess.ts';
import type { Sandbox } from '../../../../src/mcp/sandbox/sandbox.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { skipLinks } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const process = stdioLaunch({ command: 'indexer' });

interface Situation {
  readonly roots?: readonly string[];
  readonly mode?: StartMode;
  readonly answer?: string;
  readonly kept?: Map<string, string>;
  readonly signal?: AbortSignal;
  readonly isEnvFileBound?: boolean;
  readonly proxy?: EditorProxy;
  readonly rules?: EditorRules;
  /** The server, in a sandbox that can't be had. */
  readonly inSandbox?: ServerDefinition;
  /** What the sandbox makes of a start; left out: it can't be had. */
  readonly confined?: ProcessStart;
}

/** The start of a server, and the questions to the user before it. */
async function start(launch: StdioLaunch | HttpLaunch, situation: Situation = {}) {
  const { roots = [], mode = 'by-hand', answer, kept = new Map<string, string>() } = situation;
  const { signal = new AbortController().signal } = situation;
  const asked: string[] = [];
  const secrets: SecretStore = {
    get: async name => kept.get(name),
    set: async (name, value) => void kept.set(name, value ?? ''),
  };
  const target = await serverTarget(
    {
      definition: situation.inSandbox ?? userServer('raw', launch, defaultTerms),
      identity: 'identity',
      secrets,
      mode,
      roots: roots.map(path => ({ uri: path, name: path, path })),
      signal,
      hidden: [],
      isEnvFileBound: () => situation.isEnvFileBound ?? true,
    },
    {
      askForInput: async ({ id }) => {
        asked.push(id);
        return answer;
      },
      rules: () => (situation.rules ? [situation.rules] : []),
      proxy: () => situation.proxy ?? { url: '', exceptions: [] },
      openBrowser: async () => false,
      sandbox: async () => {
        assert.ok(situation.inSandbox, 'No other server here has a sandbox.');
        const none = new HumanError('There is no sandbox here.');
        const start = async () => situation.confined ?? Promise.reject(none);
        return { start } as unknown as Sandbox;
      },
    },
  );
  return { target, asked, kept };
}

/** Removes this machine's proxies from the environment until the test ends. */
function withoutProxies(t: TestContext): void {
  const { env } = globalThis.process;
  const others = Object.entries(env).filter(([name]) => !/_proxy$/i.test(name));
  t.mock.property(globalThis.process, 'env', Object.fromEntries(others));
}

async function startProcess(launch: StdioLaunch, situation?: Situation): Promise<ProcessStart> {
  const { target } = await start(launch, situation);
  assert.ok('command' in target);
  return target;
}

describe('a server that starts as a process', () => {
  it('works in its folder, else in its first root, else at home', async t => {
    const [first, second] = [tempFolder(t), tempFolder(t)];
    assert.equal((await startProcess(process, { roots: [first, second] })).cwd, first);
    assert.equal((await startProcess(process)).cwd, homedir());
    assert.equal((await startProcess({ ...process, cwd: second }, { roots: [first] })).cwd, second);
  });

  it('does not start in a missing folder', async () => {
    const launch = { ...process, cwd: '/no/such/folder' };
    await assert.rejects(
      startProcess(launch),
      /working directory \S*no\Wsuch\Wfolder is not a readable folder/,
    );
  });

  it('gets each root as an argument, and does not start without one', async t => {
    const roots = [tempFolder(t), tempFolder(t)];
    const launch = { ...process, args: ['--dir=${roots}', 'serve'] };
    const { args } = await startProcess(launch, { roots });
    assert.deepEqual(args, [`--dir=${roots[0]}`, `--dir=${roots[1]}`, 'serve']);
    await assert.rejects(startProcess(launch), { name: 'HumanError' });
  });

  it('gets the variables of its file, overruled by those of its definition', async t => {
    const folder = fileOf(t, 'MODE=slow\nAPI_TOKEN=tok-123456\n');
    const launch = { ...process, env: { MODE: 'fast' }, envFile: join(folder, '.env') };
    const { env, secrets } = await startProcess(launch, { roots: [folder] });
    assert.equal(env['MODE'], 'fast');
    assert.equal(env['API_TOKEN'], 'tok-123456');
    assert.deepEqual(secrets, ['tok-123456']);
  });

  it('gets the proxy of the editor, unless the proxy has a password, with a note', async t => {
    withoutProxies(t);
    const exceptions = ['localhost'];
    const of = (url: string) => startProcess(process, { proxy: { url, exceptions } });
    const plain = await of('http://proxy.example');
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(name => plain.env[name]);
    assert.deepEqual(proxies, ['http://proxy.example', 'http://proxy.example', 'localhost']);
    assert.deepEqual(plain.withheldProxies, []);
    const secret = await of('http://user:password@proxy.example');
    assert.deepEqual([secret.env['HTTP_PROXY'], secret.env['HTTPS_PROXY']], [undefined, undefined]);
    assert.deepEqual(secret.withheldProxies, ['HTTP_PROXY', 'HTTPS_PROXY']);
  });

  it('gets more time if its program may download', async () => {
    const isGiven = async (command: string) =>
      (await startProcess({ ...process, command, args: ['run', 'files'] })).mayDownload;
    assert.deepEqual([await isGiven('docker'), await isGiven('node')], [true, false]);
  });

  it('refuses a missing, broken or changed file of variables without showing its values', async t => {
    const folder = fileOf(t, 'MODE=slow\nhunter2 is no variable\n');
    const refused = (envFile: string, message: RegExp, situation?: Situation) =>
      assert.rejects(startProcess({ ...process, envFile }, situation), { message });
    await refused(join(folder, '.env'), /^(?!.*hunter2).*\.env has a mistake.*2/);
    const unbound = join(fileOf(t, 'MODE=slow\n'), '.env');
    await refused(unbound, /\.env changed since you allowed the server/, { isEnvFileBound: false });
    await refused(join(folder, 'no.env'), /no\.env does not exist/);
    await refused('.env', /\.env must be an absolute path/, { roots: [folder] });
  });
});

describe('the file of variables of a server in a repository', { skip: skipLinks }, () => {
  it('is refused behind a link out of the workspace, before a question and at the start', async t => {
    const [folder, home] = [fileOf(t, 'MODE=slow\n'), fileOf(t, 'API_TOKEN=tok-123456\n')];
    t.mock.property(vscode.workspace, 'workspaceFolders', [
      { uri: vscode.Uri.file(folder), name: 'api', index: 0 },
    ]);
    symlinkSync(join(home, '.env'), join(folder, 'out.env'));
    symlinkSync('.env', join(folder, 'in.env'));
    const launch = (name: string) => ({ ...process, envFile: join(folder, name) });
    const leadsOut = /out\.env .* a link out /;
    await assert.rejects(startProcess(launch('out.env')), leadsOut);
    const definition = userServer('raw', launch('out.env'), defaultTerms);
    await assert.rejects(assertComplete(definition), leadsOut);
    await assert.rejects(expectedStart(definition.launch, [folder]), leadsOut);
    assert.equal((await startProcess(launch('in.env'))).env['MODE'], 'slow');
    // The user's own may be one.
    symlinkSync(join(home, '.env'), join(home, 'own.env'));
    const own = await startProcess({ ...process, envFile: join(home, 'own.env') });
    assert.equal(own.env['API_TOKEN'], 'tok-123456');
  });
});

describe('a reason against a start before any question', () => {
  const complete = (launch: Partial<StdioLaunch>) =>
    assertComplete(userServer('raw', { ...process, ...launch }, defaultTerms));

  it('is never one that an answer could change', async () => {
    const env = { ROOT: '${firstRoot}', TOKEN: '${input:token}' };
    await complete({ cwd: 'tools', envFile: 'no.env', args: ['${roots}'], env });
    await complete({ cwd: '${firstRoot}/tools', envFile: '/${input:file}/no.env' });
  });

  it('is a missing folder, file or variable', async t => {
    const missing = join(tempFolder(t), 'missing');
    await assert.rejects(complete({ cwd: missing }), /missing is not a readable folder/);
    const env = { TOKEN: '${input:token}' };
    await assert.rejects(complete({ envFile: missing, env }), /missing does not exist/);
    await assert.rejects(complete({ args: ['${env:NO_SUCH_ONE}'] }), /NO_SUCH_ONE is not set/);
  });
});

describe('a server that needs an unavailable sandbox', () => {
  const terms = { read: [], write: [], network: true };

  it('is refused with the reason', async () => {
    const inSandbox = userServer('raw', process, { ...defaultTerms, sandbox: terms });
    await assert.rejects(start(process, { inSandbox }), {
      name: 'HumanError',
      message: 'There is no sandbox here.',
    });
  });

  it('starts without a sandbox if it is the bundled server, with the reason', async () => {
    const inSandbox = bundledServer('/proj', { allowWrite: false, isBundledSandboxed: true });
    const { target } = await start(process, { inSandbox });
    assert.ok('command' in target);
    assert.deepEqual(
      [target.command, target.sandbox, target.noSandbox?.template],
      [globalThis.process.execPath, undefined, 'There is no sandbox here.'],
    );
  });

  it('starts without Landlock if it is the bundled server and may write', async () => {
    const inSandbox = bundledServer('/proj', { allowWrite: true, isBundledSandboxed: true });
    const alone = { roots: [], alsoSees: [], tool: 'Landlock', cwd: '/', hasNetwork: false };
    const confined = (seesNames: boolean) => ({
      ...{ command: 'perl', args: [], cwd: '/', env: {} },
      sandbox: { ...alone, seesNames },
    });
    const commands = [true, false].flatMap(seesNames =>
      [['/proj'], []].map(async roots => {
        const how = { inSandbox, roots, confined: confined(seesNames) };
        return (await startProcess(process, how)).command;
      }),
    );
    const bare = globalThis.process.execPath;
    assert.deepEqual(await Promise.all(commands), [bare, 'perl', 'perl', 'perl']);
  });
});

describe('an input of a definition', () => {
  const headers = { Authorization: 'Bearer ${input:token}' };
  const launch: HttpLaunch = { type: 'http', url: 'https://mcp.example.com/mcp', headers };

  it('is asked for once', async () => {
    const first = await start(launch, { answer: 'tok-123456' });
    assert.deepEqual(first.asked, ['token']);
    const again = await start(launch, { kept: first.kept, mode: 'by-itself' });
    assert.deepEqual(again.asked, []);
    for (const { target } of [first, again]) {
      assert.ok('url' in target);
      assert.deepEqual(target.headers, { Authorization: 'Bearer tok-123456' });
      assert.ok(target.secrets?.includes('tok-123456'));
    }
    assert.equal('isInteractive' in again.target && again.target.isInteractive, false);
  });

  it('does not change how it is reached', async () => {
    const { target } = await start({ ...launch, transport: 'sse' }, { answer: 'tok-123456' });
    assert.equal('transport' in target && target.transport, 'sse');
  });

  it('is not asked for in an automatic start, and prevents the start when not entered', async () => {
    const kept = new Map<string, string>();
    const answer = 'tok-123456';
    const alone = start(launch, { mode: 'by-itself', answer, kept });
    await assert.rejects(alone, /needs "token"\. To enter the value, start/);
    await assert.rejects(start(launch), /needs "token", but you entered no value/);
    const calledOff = start(launch, { answer, kept, signal: AbortSignal.abort() });
    await assert.rejects(calledOff, /you entered no value/);
    assert.deepEqual([...kept], []);
  });

  it('is refused by name if a rule of the editor forbids it', async () => {
    const url = 'https://${env:RULED_HOST}/mcp';
    globalThis.process.env['RULED_HOST'] = 'mcp.example.com';
    const rules = {
      access: 'all',
      allowed: null,
      denied: [{ serverUrl: 'https://mcp.example.com/*' }],
    };
    await assert.rejects(
      start({ type: 'http', url, headers: {} }, { rules }),
      / chat\.mcp\.deniedServers .* "raw"\./,
    );
  });
});

function fileOf(t: TestContext, text: string): string {
  const folder = tempFolder(t);
  writeFileSync(join(folder, '.env'), text);
  return folder;
}
