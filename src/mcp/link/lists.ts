import type { After } from '../../base/clock.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { messageOf } from '../../base/messageOf.ts';
import { isSameJson, type JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ForwardedRequest } from './forwarding.ts';
import { mended, mendedTool } from './mendedResults.ts';

/** The lists of a server. `form`: the SDK's name for an entry's type. `key` identifies an entry. */
export const lists = {
  tools: { method: 'tools/list', form: 'Tool', key: 'name' },
  resources: { method: 'resources/list', form: 'Resource', key: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    form: 'ResourceTemplate',
    key: 'uriTemplate',
  },
  prompts: { method: 'prompts/list', form: 'Prompt', key: 'name' },
} as const;

/** The most pages of a list that are read. Some servers always have a next page. */
const mostPages = 100;
const mostNames = 5;

/** A list that was read. */
export interface ReadList {
  readonly entries: readonly JsonObject[];
  /** The faults of the list, in finished sentences; `undefined`: none. */
  readonly remark: string | undefined;
}

/**
 * Reads a list page by page. Entries are mended or left out. If a later page fails, the pages
 * before it are used.
 *
 * @param longest the time for all pages, in milliseconds.
 * @throws the server's error for the first page, or a {@link HumanError} when it takes too long.
 */
export async function readList(
  kind: keyof typeof lists,
  forward: (request: ForwardedRequest) => Promise<JsonObject>,
  after: After,
  longest: number,
): Promise<ReadList> {
  const { method } = lists[kind];
  const end = new AbortController();
  const seconds = String(longest / 1000);
  const late = new HumanError('The server did not answer {0} within {1} seconds.', method, seconds);
  const tooLate = after(longest, () => end.abort(late));
  const entries = new Map<string, JsonObject>();
  const leftOut: string[] = [];
  const cursors = new Set<string | undefined>();
  let [bytes, cursor, fault] = [0, undefined as string | undefined, ''];
  try {
    do {
      cursors.add(cursor);
      const params = cursor === undefined ? {} : { cursor };
      const page = await forward({ method, params, signal: end.signal });
      for (const entry of Array.isArray(page[kind]) ? page[kind] : []) {
        leftOut.push(...takeEntry(kind, entry, entries));
        bytes += JSON.stringify(entry).length;
      }
      const { nextCursor } = page;
      cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
    } while (!cursors.has(cursor) && cursors.size < mostPages && bytes < longestMessage);
    if (cursor !== undefined) {
      fault = cursors.has(cursor)
        ? `The server sent the same page of ${method} again, so the list ends there.`
        : `The answer to ${method} is too long. Its last part is left out.`;
    }
  } catch (error) {
    if (cursor === undefined) {
      throw error;
    }
    fault = `A page of ${method} failed: ${printable(messageOf(error).slice(0, 500))}`;
  } finally {
    tooLate.dispose();
  }
  const count = leftOut.length === 1 ? '1 entry' : `${leftOut.length} entries`;
  const which = [...new Set(leftOut)].slice(0, mostNames).join(', ');
  const sentence = which && `${count} of ${method} left out: ${which}.`;
  return {
    entries: [...entries.values()],
    remark: `${sentence} ${fault}`.trim() || undefined,
  };
}

/** Mends an entry and adds it to `taken`. If it is left out, returns which entry it is and why. */
function takeEntry(
  kind: keyof typeof lists,
  entry: unknown,
  taken: Map<string, JsonObject>,
): readonly string[] {
  const { form, key } = lists[kind];
  const { title, name, [key]: id } = Object(entry) as JsonObject;
  const all = { ...Object(entry), name: name ?? id };
  const own = mended(form, kind === 'tools' ? mendedTool(all) : all);
  const text = [name, title].find(one => typeof one === 'string' && one !== '');
  const which = text === undefined ? 'one' : `"${printable(String(text))}"`;
  if (typeof id !== 'string' || id === '') {
    return [`${which} (it has no "${key}")`];
  }
  if (!own) {
    const fault =
      kind === 'tools'
        ? '(its input schema is not an object)'
        : '(its form is not that of the protocol)';
    return [`${which} ${fault}`];
  }
  const known = taken.get(id);
  taken.set(id, known ?? own);
  return known && !isSameJson(known, own) ? [`${which} (another entry has the same "${key}")`] : [];
}
