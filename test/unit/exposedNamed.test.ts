import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Forwarded } from '../../src/mcp/forwarding.ts';
import { Catalogue } from '../../src/server/hub/expose/catalogue.ts';
import { ExposedNamed } from '../../src/server/hub/expose/exposedNamed.ts';
import { Offerings } from '../../src/server/hub/expose/offerings.ts';
import type { NamedOffer } from '../../src/server/hub/expose/offers.ts';
import { TurnedClock } from '../support/turnedClock.ts';

const clock = new TurnedClock();

/** A server that runs and lists these tools, or does with the request what the function does. */
function running(name: string, tools: readonly NamedOffer[] | (() => Promise<Forwarded>)) {
  const forward =
    typeof tools === 'function'
      ? tools
      : () => Promise.resolve({ kind: 'result', result: { tools } } as const);
  const offerings = new Offerings({ capabilities: { tools: {} }, forward }, clock.after);
  return { server: { name, fingerprint: `print of ${name}` }, isUp: true, offerings };
}

function stopped(name: string) {
  const { server } = running(name, []);
  return { server, isUp: false, offerings: undefined };
}

function exposedTools(catalogue = new Catalogue()) {
  const problems: string[] = [];
  const onProblem = (problem: string) => problems.push(problem);
  return { tools: new ExposedNamed({ kind: 'tools', catalogue, onProblem }), problems };
}

test('the tools of all servers are listed in their order, untouched but for their names', async () => {
  const { tools } = exposedTools();
  const read = { title: 'Read', name: 'read', inputSchema: { 'x-a': 1 }, _meta: { b: 2 } };
  const listed = await tools.list([
    running('files', [read, { name: 'write' }]),
    running('git', [{ name: 'read' }, { name: 'log.all' }]),
    running('none', []),
  ]);
  assert.deepEqual(listed, [
    { ...read, name: 'files__read' },
    { name: 'files__write' },
    { name: 'git__read' },
    { name: 'git__log_all_49fe0b10' },
  ]);
  assert.equal(read.name, 'read', 'what the server sent is its own');
});

test('a server that fails is left out, and it is said why', async () => {
  const { tools, problems } = exposedTools();
  const error = new Error('no\ntools');
  const listed = await tools.list([
    running('broken\n', () => Promise.reject(error)),
    running('files', [{ name: 'read' }]),
  ]);
  assert.deepEqual(listed, [{ name: 'files__read' }]);
  assert.deepEqual(problems, ['broken\\u000a: It did not say what it offers: no\\u000atools']);
});

test('a server that hangs holds up the others for ten seconds, and is left out', async () => {
  const { tools, problems } = exposedTools();
  const files = running('files', [{ name: 'read' }]);
  const listing = tools.list([running('hanging', () => new Promise(() => {})), files]);
  await files.offerings.tools();
  clock.pass(10_000);
  assert.deepEqual(await listing, [{ name: 'files__read' }]);
  assert.deepEqual(problems, ['hanging: It did not answer tools/list within 10 seconds.']);
});

test('of a server that does not run, those are listed that it had when it ran', async () => {
  const catalogue = new Catalogue();
  const { tools } = exposedTools(catalogue);
  await tools.list([running('files', [{ name: 'read' }]), running('git', [{ name: 'log' }])]);
  // One that ended may not be asked either.
  const ended = { ...running('files', () => assert.fail('asked')), isUp: false };
  const servers = [ended, stopped('git'), stopped('other')];
  const names = (await tools.list(servers)).map(({ name }) => name);
  assert.deepEqual(names, ['files__read', 'git__log']);
});

test('what is remembered of tools is none of the prompts', async () => {
  const catalogue = new Catalogue();
  await exposedTools(catalogue).tools.list([running('files', [{ name: 'read' }])]);
  const prompts = new ExposedNamed({ kind: 'prompts', catalogue, onProblem: assert.fail });
  assert.deepEqual(await prompts.list([stopped('files')]), []);
});

test('a plain name is found without asking anybody', async () => {
  const { tools } = exposedTools();
  const files = running('files', () => assert.fail('asked'));
  const git = stopped('git');
  const children = [files, git];
  assert.deepEqual(
    [
      await tools.find(children, 'files__read'),
      await tools.find(children, 'git__log'),
      await tools.find(children, 'other__log'),
      await tools.find(children, 'list-tools'),
    ],
    [
      { kind: 'found', child: files, name: 'read' },
      { kind: 'found', child: git, name: 'log' },
      undefined,
      undefined,
    ],
  );
});

test('a name with a hash is found where it is listed', async () => {
  const { tools, problems } = exposedTools();
  const one = running('a.b', [{ name: 'x' }]);
  const other = running('a_b', [{ name: 'x.y' }, { name: 'x' }]);
  const broken = running('a-b', () => assert.fail('asked'));
  const children = [broken, one, other];
  const names = (await tools.list([one, other])).map(({ name }) => name);
  const found = await Promise.all(names.map(name => tools.find(children, name)));
  assert.deepEqual(found, [
    { kind: 'found', child: one, name: 'x' },
    { kind: 'found', child: other, name: 'x.y' },
    { kind: 'found', child: other, name: 'x' },
  ]);
  assert.equal(await tools.find(children, 'a_b__x_00000000'), undefined);
  assert.deepEqual(problems, []);
});

test('a name with a hash that only a stopped server can explain names that server', async () => {
  const catalogue = new Catalogue();
  const { tools } = exposedTools(catalogue);
  const child = stopped('git');
  const [listed] = await exposedTools().tools.list([running('git', [{ name: 'log.all' }])]);
  assert.deepEqual(await tools.find([child], listed!.name), { kind: 'not-running', child });
  await tools.list([running('git', [{ name: 'log.all' }])]);
  assert.deepEqual(await tools.find([child], listed!.name), {
    kind: 'found',
    child,
    name: 'log.all',
  });
});
