import type { ServerContext } from '@modelcontextprotocol/server';
import { canBeOf, plainPair } from '../../../../domain/hub/exposedNames.ts';
import { resolveExposedUri } from '../../../../domain/hub/exposedUris.ts';
import { isFileUri } from '../../../../domain/paths/pathUri.ts';
import type { Child } from '../../children/child.ts';
import type { ExposedNamed } from '../../expose/exposedNamed.ts';
import type { CallNames } from '../guardedCalls.ts';
import type { ExposedParts } from './exposedCalls.ts';

/** What a name or URI upstream stands for. */
export interface ExposedTarget {
  readonly serverName: string;
  /** The tool, the prompt or the URI, as its server writes it. */
  readonly name: string;
  /** `undefined`: the server is in the configuration and not run, so the call will be refused. */
  readonly child?: Child;
}

/** What a request asks for, and what the audit calls that until it is known what it stands for. */
export interface Sought {
  readonly exposed: string;
  readonly toolName: string;
}

/**
 * What an exposed name stands for, its server started if only that can tell; `undefined`: nothing.
 * @throws {HumanError} when that can't be found out: then the request has its verdict.
 */
export async function findExposed(
  parts: ExposedParts,
  named: ExposedNamed,
  { exposed, toolName }: Sought,
  context: ServerContext,
): Promise<ExposedTarget | undefined> {
  // None of the bundled server's own names has two underscores.
  if (!exposed.includes('__')) {
    return undefined;
  }
  const found = await named.find(await present(parts, toolName, context), exposed);
  if (found?.kind !== 'not-running') {
    return found ? targetOf(found.child, found.name) : nameNotRun(exposed, parts);
  }
  const { child } = found;
  const start = () => child.prepare(context.mcpReq.signal);
  await beforeCall(parts, { serverName: child.server.name, toolName }, context, start);
  const again = await named.find([child], exposed);
  return again?.kind === 'found' ? targetOf(child, again.name) : undefined;
}

/**
 * Which resource of which server a URI stands for, or the template of some; `undefined`: of none.
 * @throws {HumanError} when that can't be found out: then the request has its verdict.
 */
export async function findExposedUri(
  parts: ExposedParts,
  { exposed, toolName }: Sought,
  context: ServerContext,
): Promise<ExposedTarget | undefined> {
  // Those are the bundled server's own, and ask for no server.
  if (isFileUri(exposed)) {
    return undefined;
  }
  const found = parts.resources.find(await present(parts, toolName, context), exposed);
  if (found) {
    return targetOf(found.child, found.uri);
  }
  const notRun = resolveExposedUri(exposed, namesNotRun(parts));
  return notRun && { serverName: notRun.server, name: notRun.uri };
}

function present(
  parts: ExposedParts,
  toolName: string,
  context: ServerContext,
): Promise<readonly Child[]> {
  const look = async () => parts.children.present(context);
  return beforeCall(parts, { serverName: '', toolName }, context, look);
}

/** A client that gets no further than this has called all the same, and that is taken down. */
async function beforeCall<T>(
  { calls }: ExposedParts,
  names: CallNames,
  context: ServerContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    calls.noteUnrun(names, error, context);
    throw error;
  }
}

function targetOf(child: Child, name: string): ExposedTarget {
  return { serverName: child.server.name, name, child };
}

function nameNotRun(exposed: string, parts: ExposedParts): ExposedTarget | undefined {
  const pair = plainPair(exposed);
  const serverName = namesNotRun(parts).find(name =>
    pair ? name === pair.server : canBeOf(name, exposed),
  );
  return serverName === undefined ? undefined : { serverName, name: pair?.name ?? exposed };
}

function namesNotRun({ config }: ExposedParts): readonly string[] {
  return [...config.leftOut, ...config.switchedOff];
}
