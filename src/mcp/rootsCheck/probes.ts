import type { Tool } from '@modelcontextprotocol/client';
import { propertiesOf } from '../../domain/forms/jsonSchema.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { Reach } from '../../domain/rootsCheck/rootsFindings.ts';
import type { ThrowAwayFolder } from './throwAwayFolders.ts';

/** The answer of a tool, as one text. */
export interface Said {
  readonly isError: boolean;
  readonly text: string;
}

/** Calls a tool; `undefined` when it gave no answer, which says nothing of folders. */
type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Said | undefined>;

/** Finds out, by one call, whether a folder is within the reach of a server. */
export interface Probe {
  readonly tool: string;
  readonly reach: (folder: ThrowAwayFolder) => Promise<Reach>;
}

/** How many ways to read by path are tried before a server counts as having none. */
const mostTries = 8;

/** Probes that have a tool read by path. A folder is served when what is in it comes back. */
export function readingProbes(tools: readonly Tool[], call: CallTool): Probe[] {
  return pathTools(tools)
    .slice(0, mostTries)
    .map(tool => ({
      tool: tool.name,
      reach: async folder =>
        reachOf(await call(tool.name, argumentsFor(tool, folder)), evidence(tool, folder)),
    }));
}

/** Probes that ask a tool for the server's folders. A folder is served when its name comes back. */
export function namingProbes(tools: readonly Tool[], call: CallTool): Probe[] {
  return namingTools(tools)
    .slice(0, mostTries)
    .map(tool => ({
      tool,
      reach: async folder => reachOf(await call(tool, {}), folder.name),
    }));
}

function reachOf(said: Said | undefined, shown: string): Reach {
  if (!said) {
    return 'untold';
  }
  return !said.isError && said.text.includes(shown) ? 'served' : 'refused';
}

function argumentsFor(
  { parameter, takesUri, aim }: PathTool,
  { path, root, file }: ThrowAwayFolder,
) {
  const uri = aim === 'file' ? `${root.uri}/${file.name}` : root.uri;
  return { [parameter]: takesUri ? uri : aim === 'file' ? file.path : path };
}

/** The text that proves a read. The argument does not hold it, so that an echo is no proof. */
function evidence({ aim }: PathTool, { file }: ThrowAwayFolder): string {
  return aim === 'file' ? file.marker : file.name;
}

/** A way to have a tool read by path. */
interface PathTool {
  readonly name: string;
  readonly parameter: string;
  readonly takesUri: boolean;
  /**
   * Whether it takes the path of a file, whose text it may show, or of a folder, whose files it may
   * list.
   */
  readonly aim: 'file' | 'folder';
}

const fileParameters = ['file', 'filename', 'filepath'];
const folderParameters = ['dir', 'directory', 'dirpath', 'directorypath', 'folder', 'folderpath'];
const pathParameters = ['path', 'pathname', 'fullpath', 'absolutepath'];
const uriParameters = ['uri', 'fileuri'];
const parametersOf = {
  file: [...fileParameters, ...pathParameters, ...uriParameters],
  folder: [...folderParameters, ...pathParameters, ...uriParameters],
} as const;

/**
 * The ways in which tools may be had to read by path, the most promising first. Each is safe to
 * try.
 */
export function pathTools(tools: readonly Tool[]): PathTool[] {
  const safe = safeTools(tools);
  return (['file', 'folder'] as const).flatMap(aim =>
    safe.flatMap(tool => {
      const parameter = onlyRequired(tool);
      const plain = parameter?.replace(/[-_]/g, '').toLowerCase() ?? '';
      return parameter !== undefined && parametersOf[aim].includes(plain)
        ? [{ name: tool.name, parameter, takesUri: uriParameters.includes(plain), aim }]
        : [];
    }),
  );
}

/** The tools that may say, without any argument, in which folders the server works. */
export function namingTools(tools: readonly Tool[]): string[] {
  return safeTools(tools)
    .filter(tool => propertiesOf(tool.inputSchema).every(({ isRequired }) => !isRequired))
    .filter(({ name }) => /roots|allowed|directories|folders/i.test(name))
    .map(({ name }) => name);
}

/** The tools that change nothing, by their own word or by their name; the word goes first. */
function safeTools(tools: readonly Tool[]): readonly Tool[] {
  const declared = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const named = tools.filter(
    ({ name, annotations }) =>
      annotations?.readOnlyHint === undefined &&
      annotations?.destructiveHint !== true &&
      /^(?:read|list|get|stat)(?![a-z])/.test(name),
  );
  return [...declared, ...named];
}

function onlyRequired({ inputSchema }: Tool): string | undefined {
  const required = propertiesOf(inputSchema).filter(({ isRequired }) => isRequired);
  const [{ name, schema } = { name: '', schema: undefined }] = required;
  const isText = isJsonObject(schema) && schema['type'] === 'string' && !schema['enum'];
  return required.length === 1 && isText ? name : undefined;
}
