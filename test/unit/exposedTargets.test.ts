import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { HumanError } from '../../src/domain/errors.ts';
import { exposedName } from '../../src/domain/hub/exposedNames.ts';
import { exposedUri } from '../../src/domain/hub/exposedUris.ts';
import { Catalogue } from '../../src/server/hub/expose/catalogue.ts';
import { ExposedNamed } from '../../src/server/hub/expose/exposedNamed.ts';
import { ExposedResources } from '../../src/server/hub/expose/exposedResources.ts';
import type { ExposedParts } from '../../src/server/hub/session/exposed/exposedCalls.ts';
import {
  findExposed,
  findExposedUri,
} from '../../src/server/hub/session/exposed/exposedTargets.ts';

const onProblem = () => {};
const tools = new ExposedNamed({ kind: 'tools', catalogue: new Catalogue(), onProblem });
const context = {} as ServerContext;

/** Looks for names and URIs among these children and servers that are not run. */
function looking(present: () => readonly object[], notRun: readonly string[] = []) {
  const noted: unknown[] = [];
  const parts = {
    resources: new ExposedResources(onProblem),
    children: { present },
    calls: { noteUnrun: (names: unknown, error: unknown) => noted.push([names, error]) },
    config: { leftOut: notRun, switchedOff: [] },
  } as unknown as ExposedParts;
  const name = (exposed: string) =>
    findExposed(parts, tools, { exposed, toolName: exposed }, context);
  const uri = (exposed: string) =>
    findExposedUri(parts, { exposed, toolName: 'resources/read' }, context);
  return { name, uri, noted };
}

test('a request is taken down as refused when there can be no servers to look it up', async () => {
  const tooMany = new HumanError('The hub serves too many clients.');
  const { name, uri, noted } = looking(() => {
    throw tooMany;
  });
  await rejects(name('files__read'), tooMany);
  await rejects(uri('files+demo://a'), tooMany);
  deepEqual(noted, [
    [{ serverName: '', toolName: 'files__read' }, tooMany],
    [{ serverName: '', toolName: 'resources/read' }, tooMany],
  ]);
});

test('what is the bundled server’s own needs no server to be told', async () => {
  const { name, uri, noted } = looking(() => {
    throw new Error('Nobody is to be asked.');
  });
  equal(await name('read-file'), undefined);
  equal(await uri('FILE:///proj/a+b'), undefined);
  deepEqual(noted, []);
});

test('a server that is not run is known by what it would offer, and one of that name that runs goes first', async () => {
  const running = { server: { name: 'both', fingerprint: 'f' }, isReady: false };
  const { name, uri } = looking(() => [running], ['both', 'off', 'turned off']);
  deepEqual(await name('both__read'), { serverName: 'both', name: 'read', child: running });
  deepEqual(await name('off__read'), { serverName: 'off', name: 'read' });
  // Which tool that is, only the server could tell.
  const hashed = exposedName('turned off', 'read');
  deepEqual(await name(hashed), { serverName: 'turned off', name: hashed });
  equal(await name('offer__read'), undefined);
  for (const serverName of ['off', 'turned off']) {
    deepEqual(await uri(exposedUri(serverName, 'demo://a')), { serverName, name: 'demo://a' });
  }
  equal(await uri('demo://a'), undefined);
});
