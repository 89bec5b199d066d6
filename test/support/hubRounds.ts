import { ok } from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { auditEntries } from './auditLines.ts';
import { type Message, RawSession, rootOf, type ToolResult } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { configOf, type HubServer } from './hubServers.ts';
import { tempFolder, writeTree } from './temp.ts';

/** What a client declares that servers may ask during a call. */
export const capabilities = { elicitation: {}, sampling: {} };
/** What it answers with when it is asked for a name. */
export const accepted = { action: 'accept', content: { name: 'Ada' } };
/** And when it is asked for a poem. */
export const poem = { role: 'assistant', content: { type: 'text', text: 'Roses' }, model: 'm' };

/** One round of a call as it goes over the wire. */
export interface Round {
  readonly requestState?: unknown;
  readonly answers?: Record<string, unknown>;
  readonly progressToken?: string;
  /** The folders that the client shares in this round, below that of the test. */
  readonly roots?: readonly string[];
}

/** What a round comes to: the answer, or what the client is asked next. */
export type RoundResult = NonNullable<Message['result']> & {
  readonly inputRequests?: Record<string, unknown>;
  readonly requestState?: unknown;
};

/** A hub with one server, and a client that sends each round by hand. */
export function modernHub(t: TestContext, server: HubServer) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a': '', 'two/a': '', 'three/a': '' });
  const audit = join(folder, 'audit.jsonl');
  const config = writeConfig(t, configOf({ asking: server }));
  const session = new RawSession(t, ['--config', config, '--audit', audit]);
  session.endsInPeace(t);
  let lastId = 0;
  const send = (toolArgs: object, { roots = ['.'], answers, ...round }: Round = {}) => {
    lastId += 1;
    const served = { roots: roots.map(name => rootOf(join(folder, name))) };
    const all = { roots: served, ...answers };
    session.send(roundRequest(lastId, toolArgs, { ...round, answers: all }, { roots: {} }));
    return lastId;
  };
  const call = async (toolArgs: object, round?: Round) => {
    const { result, error } = await session.answerTo(send(toolArgs, round));
    ok(result, JSON.stringify(error));
    return result as RoundResult;
  };
  /** The verdicts, and what else was said of calls. */
  const audited = () =>
    auditEntries(audit).flatMap(({ event, verdict }) =>
      event === 'round-refused' ? event : (verdict ?? []),
    );
  return { session, folder, call, send, audited };
}

/** A call of the tool `ask`, by a client of the newest revision. */
export function roundRequest(
  id: number,
  toolArgs: object,
  { requestState, answers, progressToken }: Omit<Round, 'roots'>,
  more: object = {},
): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { ...capabilities, ...more },
    ...(progressToken !== undefined && { progressToken }),
  };
  const params = {
    name: 'call-tool',
    arguments: { serverName: 'asking', toolName: 'ask', toolArgs },
    ...(answers && { inputResponses: answers }),
    ...(requestState !== undefined && { requestState }),
    _meta,
  };
  return { id, method: 'tools/call', params };
}

/** What the tool `ask` was told, a list for each of its rounds. */
export function told({ content }: ToolResult): unknown {
  return JSON.parse(content?.[0]?.text ?? 'null');
}
