import type { JsonObject } from '../json.ts';
import type { Sentence } from '../sentence.ts';
import type { Asked, Rule, Verdict } from './asked.ts';
import { clientAllowed } from './clientAllowed.ts';
import { isFree } from './handshakeAndLists.ts';
import { pathsInRoots } from './pathsInRoots.ts';
import { serverUsable } from './serverUsable.ts';
import { toolsChosen } from './toolsChosen.ts';

/** The rules between a client and a server. Of several refusals, the first is the answer. */
const rules: readonly Rule[] = [serverUsable, clientAllowed, toolsChosen, pathsInRoots];

/** The facts about client, server and guard, without the request itself. */
export type Asking = Omit<Asked, 'method' | 'params' | 'tool'>;

/**
 * Decides on a request. Handshakes and lists are free. Any other request is refused if one rule
 * refuses, waits if one rule asks, and passes if no rule does either.
 */
export function judge(asked: Asked): Verdict {
  if (isFree(asked)) {
    return { kind: 'free' };
  }
  let decided: Verdict = { kind: 'passes' };
  for (const rule of rules) {
    const verdict = rule(asked);
    if (verdict?.kind === 'refused') {
      return verdict;
    }
    decided = verdict && decided.kind === 'passes' ? verdict : decided;
  }
  return decided;
}

/** Decides on the use of a server in general, without a certain tool, prompt or resource. */
export function judgeUse(asking: Asking): Verdict {
  return judge({ ...asking, method: 'tools/call', params: {} });
}

/** Why every use of the server is refused, in whole sentences; `undefined` if a use may pass. */
export function whyRefused(asking: Asking): Sentence | undefined {
  const verdict = judgeUse(asking);
  return verdict.kind === 'refused' ? verdict.why : undefined;
}

/** For each request of a list, the key of its entries, and the request that uses an entry. */
const lists: Readonly<
  Record<
    string,
    readonly [key: string, use: (entry: JsonObject) => Pick<Asked, 'method' | 'params' | 'tool'>]
  >
> = {
  'tools/list': ['tools', tool => ({ method: 'tools/call', params: { name: tool['name'] }, tool })],
  'prompts/list': ['prompts', ({ name }) => ({ method: 'prompts/get', params: { name } })],
  'resources/list': ['resources', ({ uri }) => ({ method: 'resources/read', params: { uri } })],
};

/**
 * The result of a list as the client sees it, without entries that the client could not use.
 * Returns the same object when all entries stay, and for any other request.
 */
export function withoutRefused(method: string, result: JsonObject, asking: Asking): JsonObject {
  const [key = '', use] = lists[method] ?? [];
  const entries = result[key];
  if (!use || !Array.isArray(entries)) {
    return result;
  }
  const isShown = (entry: unknown) =>
    judge({ ...asking, ...use(Object(entry)) }).kind !== 'refused';
  return entries.every(isShown) ? result : { ...result, [key]: entries.filter(isShown) };
}
