import type { PathScope } from '../../src/domain/paths/pathScope.ts';
import type { Outcome } from '../../src/server/paths/refusal.ts';
import type { RootFolder } from '../../src/server/roots/rootFolders.ts';
import type { SearchRequest } from '../../src/server/search/search.ts';
import { type FoundFiles, searchFileNames } from '../../src/server/search/searchFileNames.ts';
import {
  type FoundText,
  searchFileTexts,
  type TextRequest,
} from '../../src/server/search/searchFileTexts.ts';
import { patience } from './patience.ts';

const request: SearchRequest = {
  path: '.',
  include: [],
  exclude: [],
  includeIgnored: false,
  limit: 10_000,
  offset: 0,
};

/** The arguments of a search besides the request. */
export interface Setting {
  readonly scope: PathScope<RootFolder>;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number) => void;
  /** How long a regular expression may take on some files: a busy machine takes its time. */
  readonly longest?: number;
}

export async function find(
  setting: Setting,
  pattern: string,
  options: Partial<SearchRequest> = {},
): Promise<FoundFiles> {
  return foundIn(
    await searchFileNames({ ...request, include: [pattern], ...options }, callOf(setting)),
  );
}

export async function search(
  setting: Setting,
  query: string,
  options: Partial<TextRequest> = {},
): Promise<FoundText> {
  return foundIn(await trySearch(setting, query, options));
}

/** The same, where a refusal may be the answer. */
export function trySearch(
  { longest = patience, ...setting }: Setting,
  query: string,
  options: Partial<TextRequest> = {},
): Promise<Outcome<FoundText>> {
  const plain = { isRegex: false, isCaseSensitive: true, contextLines: 0, filesOnly: false };
  const asked = { ...request, ...plain, query, ...options };
  return searchFileTexts(asked, callOf(setting), longest);
}

function callOf({ scope, signal = new AbortController().signal, progress = () => {} }: Setting) {
  return { scope, signal, progress };
}

function foundIn<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) {
    throw new Error(outcome.message);
  }
  return outcome.value;
}
