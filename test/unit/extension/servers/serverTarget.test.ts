import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
import type { SecretStore } from '../../../../src/extension/secrets/serverSecrets.ts';
import { bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import {
  assertComplete,
  expectedStart,
  serverTarget,
} from '../../../../src/extension/servers/serverTarget.ts';
import type { StartMode } from '../../../../src/mcp/managedServer.ts';
import type { Sandbox } from '../../../../src/mcp/sandbox/sandbox.ts';
import type { ProcessStart } from '../../../../src/mcp/stdio/serverProcess.ts';
import { onlyOn, skipLinks, skipPipes } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const process: StdioLaunch = {
  type: 'stdio',
  command: 'indexer',
  args: [],
  cwd: undefined,
  env: {},
  envFile: undefined,
};

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
}

/** How a server is started, and what the user was asked for before. */
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
        const start = () => Promise.reject(new HumanError('There is no sandbox here.'));
        return { start } as unknown as Sandbox;
      },
    },
  );
  return { target, asked, kept };
}

/** Takes what this machine says of proxies out of the environment until the test ends. */
function withoutProxies(t: Pick<TestContext, 'after'>): void {
  const { env } = globalThis.process;
  for (const name of Object.keys(env).filter(one => /_proxy$/i.test(one))) {
    const value = env[name];
    delete env[name];
    t.after(() => {
      env[name] = value;
    });
  }
}

async function startProcess(launch: StdioLaunch, situation?: Situation): Promise<ProcessStart> {
  const { target } = await start(launch, situation);
  assert.ok('command' in target);
  return target;
}

describe('a server that is started as a process', () => {
  it('works in its first root, else at home, else where it says', async t => {
    const [first, second] = [tempFolder(t), tempFolder(t)];
    assert.equal((await startProcess(process, { roots: [first, second] })).cwd, first);
    assert.equal((await startProcess(process)).cwd, homedir());
    assert.equal((await startProcess({ ...process, cwd: second }, { roots: [first] })).cwd, second);
  });

  it('is not started where there is no folder', async () => {
    const launch = { ...process, cwd: '/no/such/folder' };
    await assert.rejects(
      startProcess(launch),
      /working directory \S*no\Wsuch\Wfolder is no folder/,
    );
  });

  it('gets each root as an argument, and is not started without one', async t => {
    const roots = [tempFolder(t), tempFolder(t)];
    const launch = { ...process, args: ['--dir=${roots}', 'serve'] };
    const { args } = await startProcess(launch, { roots });
    assert.deepEqual(args, [`--dir=${roots[0]}`, `--dir=${roots[1]}`, 'serve']);
    await assert.rejects(startProcess(launch), { name: 'HumanError' });
  });

  it('gets the variables of its file, which those of its definition overrule', async t => {
    const folder = fileOf(t, 'MODE=slow\nAPI_TOKEN=tok-123456\n');
    const launch = { ...process, env: { MODE: 'fast' }, envFile: join(folder, '.env') };
    const { env, secrets } = await startProcess(launch, { roots: [folder] });
    assert.equal(env['MODE'], 'fast');
    assert.equal(env['API_TOKEN'], 'tok-123456');
    assert.deepEqual(secrets, ['tok-123456']);
  });

  it('gets the proxy of the editor, unless that has a password, which is noted', async t => {
    withoutProxies(t);
    const exceptions = ['localhost'];
    const of = (url: string) => startProcess(process, { proxy: { url, exceptions } });
    const plain = await of('http://proxy.example');
    assert.deepEqual(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(name => plain.env[name]),
      ['http://proxy.example', 'http://proxy.example', 'localhost'],
    );
    assert.deepEqual(plain.withheldProxies, []);
    const secret = await of('http://user:password@proxy.example');
    assert.deepEqual([secret.env['HTTP_PROXY'], secret.env['HTTPS_PROXY']], [undefined, undefined]);
    assert.deepEqual(secret.withheldProxies, ['HTTP_PROXY', 'HTTPS_PROXY']);
  });

  it('has the time of a download where its program is one that downloads', async () => {
    const isGiven = async (command: string) =>
      (await startProcess({ ...process, command, args: ['run', 'files'] })).mayDownload;
    assert.deepEqual([await isGiven('docker'), await isGiven('node')], [true, false]);
  });

  it('is not started with a file of variables that is missing, broken or not agreed to, and tells no value', async t => {
    const folder = fileOf(t, 'MODE=slow\nhunter2 is no variable\n');
    const broken = startProcess({ ...process, envFile: join(folder, '.env') });
    await assert.rejects(broken, ({ message }: Error) => {
      assert.match(message, /\.env has a mistake/);
      assert.match(message, /2/);
      assert.doesNotMatch(message, /hunter2/);
      return true;
    });
    const unbound = join(fileOf(t, 'MODE=slow\n'), '.env');
    await assert.rejects(
      startProcess({ ...process, envFile: unbound }, { isEnvFileBound: false }),
      /\.env is not what you agreed to/,
    );
    const missing = startProcess({ ...process, envFile: join(folder, 'no.env') });
    await assert.rejects(missing, /no\.env is not there/);
    const relative = startProcess({ ...process, envFile: '.env' }, { roots: [folder] });
    await assert.rejects(relative, /\.env must be an absolute path/);
  });

  it('does not wait for a pipe in the place of a file of variables', {
    skip: skipPipes,
  }, async t => {
    const pipe = join(tempFolder(t), 'pipe.env');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(startProcess({ ...process, envFile: pipe }), /pipe\.env can't be read/);
  });
});

describe('the file of variables of a server in a repository', { skip: skipLinks }, () => {
  it('is no link out of the workspace, before anything is asked and at the start', async t => {
    const [folder, home] = [fileOf(t, 'MODE=slow\n'), fileOf(t, 'API_TOKEN=tok-123456\n')];
    t.mock.property(vscode.workspace, 'workspaceFolders', [
      { uri: vscode.Uri.file(folder), name: 'api', index: 0 },
    ]);
    symlinkSync(join(home, '.env'), join(folder, 'out.env'));
    symlinkSync('.env', join(folder, 'in.env'));
    const launch = (name: string) => ({ ...process, envFile: join(folder, name) });
    const leadsOut = /out\.env can't be read\. It leads out of the workspace by a link\. Put/;
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

  it('is nothing that the system makes up without end', {
    skip: onlyOn('linux', 'It has /proc.'),
  }, async () => {
    const launch = { ...process, envFile: '/proc/self/pagemap' };
    await assert.rejects(startProcess(launch), /\/proc\/self\/pagemap can't be read\. It /);
  });
});

describe('what keeps a server from a start before anything is asked', () => {
  const complete = (launch: Partial<StdioLaunch>) =>
    assertComplete(userServer('raw', { ...process, ...launch }, defaultTerms));

  it('is nothing that an answer could change', async () => {
    const env = { ROOT: '${firstRoot}', TOKEN: '${input:token}' };
    await complete({ cwd: 'tools', envFile: 'no.env', args: ['${roots}'], env });
    await complete({ cwd: '${firstRoot}/tools', envFile: '/${input:file}/no.env' });
  });

  it('is a folder, a file or a variable that is the same for all folders', async t => {
    const missing = join(tempFolder(t), 'missing');
    await assert.rejects(complete({ cwd: missing }), /missing is no folder that can be read/);
    const env = { TOKEN: '${input:token}' };
    await assert.rejects(complete({ envFile: missing, env }), /missing is not there/);
    await assert.rejects(complete({ args: ['${env:NO_SUCH_ONE}'] }), /NO_SUCH_ONE is not set/);
  });
});

describe('a server in a sandbox that can not be had', () => {
  const terms = { read: [], write: [], network: true };

  it('is not started, and why is said', async () => {
    const inSandbox = userServer('raw', process, { ...defaultTerms, sandbox: terms });
    await assert.rejects(start(process, { inSandbox }), {
      name: 'HumanError',
      message: 'There is no sandbox here.',
    });
  });

  it('is started without, and why is known, if it is the one that comes with the extension', async () => {
    const inSandbox = bundledServer('/proj', { allowWrite: false, isBundledSandboxed: true });
    const { target } = await start(process, { inSandbox });
    assert.ok('command' in target);
    assert.deepEqual(
      [target.command, target.sandbox, target.noSandbox?.template],
      [globalThis.process.execPath, undefined, 'There is no sandbox here.'],
    );
  });
});

describe('what a definition asks for', () => {
  const headers = { Authorization: 'Bearer ${input:token}' };
  const launch: HttpLaunch = { type: 'http', url: 'https://mcp.example.com/mcp', headers };

  it('is asked for once, and kept', async () => {
    const first = await start(launch, { answer: 'tok-123456' });
    assert.deepEqual(first.asked, ['token']);
    const again = await start(launch, { kept: first.kept, mode: 'by-itself' });
    assert.deepEqual(again.asked, []);
    for (const { target } of [first, again]) {
      assert.ok('url' in target);
      assert.deepEqual(target.headers, { Authorization: 'Bearer tok-123456' });
      assert.deepEqual(target.secrets?.includes('tok-123456'), true);
    }
    assert.equal('isInteractive' in again.target && again.target.isInteractive, false);
  });

  it('does not change how it is reached', async () => {
    const { target } = await start({ ...launch, transport: 'sse' }, { answer: 'tok-123456' });
    assert.equal('transport' in target && target.transport, 'sse');
  });

  it('is not asked for when nobody started it', async () => {
    const kept = new Map<string, string>();
    const attempt = start(launch, { mode: 'by-itself', answer: 'tok-123456', kept });
    await assert.rejects(attempt, /needs "token"\. Start it by hand/);
    assert.deepEqual([...kept], []);
  });

  it('is not kept when the start was called off meanwhile', async () => {
    const kept = new Map<string, string>();
    const attempt = start(launch, { answer: 'tok-123456', kept, signal: AbortSignal.abort() });
    await assert.rejects(attempt, /was not entered/);
    assert.deepEqual([...kept], []);
  });

  it('is nothing that a rule of the editor forbids, whose name is said', async () => {
    const url = 'https://${env:RULED_HOST}/mcp';
    globalThis.process.env['RULED_HOST'] = 'mcp.example.com';
    const rules = {
      access: 'all',
      allowed: null,
      denied: [{ serverUrl: 'https://mcp.example.com/*' }],
    };
    await assert.rejects(
      start({ type: 'http', url, headers: {} }, { rules }),
      /The setting chat\.mcp\.deniedServers of the editor, .* forbids "raw"\./,
    );
  });

  it('keeps it from starting when the user leaves the question', async () => {
    await assert.rejects(start(launch), /needs "token", which was not entered/);
  });
});

function fileOf(t: TestContext, text: string): string {
  const folder = tempFolder(t);
  writeFileSync(join(folder, '.env'), text);
  return folder;
}
