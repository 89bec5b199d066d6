import { basename } from 'node:path';
import {
  type CompleteResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { longestMessage } from '../base/lineReader.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import type { Era } from '../domain/exposure.ts';
import { fileUri, isFileUri } from '../domain/paths/fileUri.ts';
import type { PathPlatform } from '../domain/paths/pathNames.ts';
import type { PathScope } from '../domain/paths/pathScope.ts';
import { type DirectoryEntry, entriesIn } from './listing/entries.ts';
import { listFolder, textOfEntries } from './listing/folderListing.ts';
import { infoInside } from './paths/infoInside.ts';
import { inFolderInside } from './paths/openInside.ts';
import { invalid, type Refusal } from './paths/refusal.ts';
import { isText, mediaTypeOf } from './reading/mediaType.ts';
import { type WholeFile, wholeFileInside } from './reading/wholeFile.ts';
import type { RequestContext } from './requestContext.ts';
import type { RootFolder } from './roots/rootFolders.ts';
import { type CallParts, type LongCall, type RunningCall, runCall } from './runningCall.ts';

/** The URI template of a file or folder in a root, by its path without the first slash. */
const pathTemplate = 'file:///{+path}';

const template = {
  uriTemplate: pathTemplate,
  name: 'path',
  title: 'File or Folder',
  description: 'A file or folder in the shared folders, by its path without the first slash.',
};

/**
 * Offers the roots, and what they hold by its path, as resources. Call it before connecting.
 *
 * In the modern era only reading may ask for the roots: a list or a completion has nothing then.
 */
export function registerResources({ server }: McpServer, era: Era, parts: CallParts): void {
  server.registerCapabilities({ resources: { listChanged: era === 'legacy' }, completions: {} });
  server.setRequestHandler('resources/list', async (_request, context) => {
    const listed = await answer(parts, context, ({ scope }) => ({
      resources: rootResources(scope),
    }));
    return isInputRequiredResult(listed) ? { resources: [] } : listed;
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    answer(parts, context, call => readResource(uri, call)),
  );
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params;
    if (ref.type !== 'ref/resource' || ref.uri !== pathTemplate || argument.name !== 'path') {
      const message = `Only the "path" of the template ${pathTemplate} can be completed.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const completion = await answer(parts, context, call => completePath(argument.value, call));
    return { completion: isInputRequiredResult(completion) ? { values: [] } : completion };
  });
  announceChanges(server, parts);
}

/** Tells the client when the list of resources has changed. */
function announceChanges(server: McpServer['server'], { roots }: CallParts): void {
  let announced = '[]';
  roots.onDidChange(({ folders }) => {
    const now = JSON.stringify(rootResources(folders.scope));
    if (now !== announced) {
      announced = now;
      // A client that can no longer be told has ended the session.
      server.sendResourceListChanged().catch(() => {});
    }
  });
}

/** Runs a request like a tool. @throws the error that is answered: here a result can be none. */
async function answer<R extends object>(
  parts: CallParts,
  context: RequestContext,
  work: (call: RunningCall) => R | ProtocolError | Promise<R>,
): Promise<R | InputRequiredResult> {
  const refuse = (message: string) => new ProtocolError(ProtocolErrorCode.InternalError, message);
  const answered = await runCall<R | ProtocolError>(parts, context, work, refuse);
  if (answered instanceof ProtocolError) {
    throw answered;
  }
  return answered;
}

/** Each root, as a resource. */
export function rootResources(scope: PathScope<RootFolder>): Resource[] {
  return scope.inPlace().map(({ announced, name }) => ({
    // Without a slash at its end, by which some clients would take it for a folder of resources.
    uri: fileUri(announced, scope.platform),
    name: name ?? (basename(announced) || announced),
    description: 'What this shared folder holds.',
    mimeType: 'text/plain',
  }));
}

type Contents = ReadResourceResult['contents'][number];

/**
 * The contents of a file in a root, as text or as bytes, or the entries of a folder, as text; or what a
 * client is told of a resource that it cannot get.
 */
function readResource(uri: string, call: RunningCall): ReadResourceResult | ProtocolError {
  const { problem } = call.view;
  if (problem !== undefined) {
    const message = `It is not known which folders are shared, so nothing is served. ${problem}`;
    return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  if (!isFileUri(uri)) {
    return errorFor(uri, invalid(uri, 'It is not a file: URI.'));
  }
  const listed = inFolderInside(call.scope, uri, folder =>
    listFolder(folder, { offset: 0, limit: mostListed }),
  );
  if (listed.ok) {
    const { entries, ...head } = listed.value;
    const text = textOfEntries(entries, head);
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  }
  // An entry that exists and is no folder may be a file.
  const read = listed.kind === 'unusable' ? wholeFileInside(call.scope, uri) : listed;
  if (!read.ok) {
    return errorFor(uri, read);
  }
  return { contents: [contentsOf(uri, read.value)] };
}

/** The most entries of a folder that are listed. For the others there is list-directory. */
const mostListed = 1000;

function contentsOf(uri: string, { path, bytes }: WholeFile): Contents {
  const common = { uri, mimeType: mediaTypeOf(basename(path), bytes) };
  const text = isText(bytes) ? bytes.toString() : undefined;
  return text !== undefined && fitsAsText(text)
    ? { ...common, text }
    : { ...common, blob: bytes.toString('base64') };
}

/** Some characters take six bytes in JSON: a text of many of them is shorter as bytes. */
function fitsAsText(text: string): boolean {
  return text.length * 6 <= mostJson || Buffer.byteLength(JSON.stringify(text)) <= mostJson;
}

/** In bytes, which leave room for the rest of the line. */
const mostJson = 0.75 * longestMessage;

/** A path outside is not found, like a missing one. The message is that of the tools. */
function errorFor(uri: string, { kind, message }: Refusal): ProtocolError {
  return kind === 'outside' || kind === 'missing'
    ? new ResourceNotFoundError(uri, message)
    : new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * The roots and what they hold, as far as it goes on from what was typed: a whole path, or one
 * that is relative to any root. What lies outside is not looked at.
 * @throws the reason of the call's signal, when that is aborted.
 */
async function completePath(
  typed: string,
  { scope, signal }: Omit<LongCall, 'progress'>,
): Promise<CompleteResult['completion']> {
  const slice = new TimeSlice(signal);
  const found = new Set<string>();
  for (const root of scope.inPlace()) {
    for await (const value of valuesIn(root, typed.replace(/^\/+/, ''), { scope, slice })) {
      found.add(value);
    }
  }
  const values = [...found].sort();
  return {
    values: values.slice(0, mostCompletions),
    total: values.length,
    hasMore: values.length > mostCompletions,
  };
}

/** No answer may have more, by the specification. */
const mostCompletions = 100;

async function* valuesIn(
  root: RootFolder,
  typed: string,
  { scope, slice }: { readonly scope: PathScope<RootFolder>; readonly slice: TimeSlice },
): AsyncGenerator<string> {
  const top = variableFor(root, scope.platform);
  if (top === undefined) {
    return;
  }
  if (top.startsWith(typed) && top !== typed) {
    yield top;
  }
  const rest = typed.startsWith(top) ? typed.slice(top.length) : typed;
  const folder = rest.slice(0, rest.lastIndexOf('/') + 1);
  for (const entry of entriesBelow(scope, root, folder)) {
    if (slice.isSpent) {
      await slice.pause();
    }
    const isMeant = entry.name.startsWith(rest.slice(folder.length)) && isExpandable(entry.name);
    const type = isMeant && typeBehind(entry, pathIn(root, folder + entry.name), scope);
    if (type) {
      yield `${top}${folder}${entry.name}${type === 'directory' ? '/' : ''}`;
    }
  }
}

/** The completion for a root; empty for one that the template can't name. */
function variableFor({ announced }: RootFolder, platform: PathPlatform): string | undefined {
  const isWindows = platform === 'win32';
  const path = isWindows ? announced.replaceAll('\\', '/') : announced;
  const isOtherMachine = path.startsWith('//');
  const top = path.endsWith('/') ? path : `${path}/`;
  return isOtherMachine || !isExpandable(top) ? undefined : top.slice(isWindows ? 0 : 1);
}

function entriesBelow(
  scope: PathScope<RootFolder>,
  root: RootFolder,
  folder: string,
): readonly DirectoryEntry[] {
  const isPlain = !folder.split('/').some(name => name === '.' || name === '..');
  const found = isPlain ? inFolderInside(scope, pathIn(root, folder), entriesIn) : undefined;
  return found?.ok ? found.value : [];
}

function pathIn({ announced }: RootFolder, below: string): string {
  return `${announced}/${below}`;
}

/** Clients expand the template by leaving `#` and `?` as they are, which then end the path. */
function isExpandable(value: string): boolean {
  return !/[#?]/.test(value);
}

/** A link counts as what it leads to, if that is in a root. */
function typeBehind(
  { type }: DirectoryEntry,
  path: string,
  scope: PathScope<RootFolder>,
): 'file' | 'directory' | undefined {
  if (type === 'link') {
    const found = infoInside(scope, path);
    const stats = found.ok ? found.value.stats : undefined;
    return stats?.isDirectory() ? 'directory' : stats?.isFile() ? 'file' : undefined;
  }
  return type === 'file' || type === 'directory' ? type : undefined;
}
