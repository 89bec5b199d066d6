import type { Tool } from '@modelcontextprotocol/client';
import type { Reach } from '../../domain/rootsCheck/rootsFindings.ts';
import { namingTools, type PathTool, pathTools } from './safeTools.ts';
import type { ThrowAwayFolder } from './throwAwayFolders.ts';

/** What a tool answered, as one text. */
export interface Said {
  readonly isError: boolean;
  readonly text: string;
}

/** Calls a tool; `undefined` when it gave no answer, which says nothing of folders. */
export type CallTool = (
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

/** What the argument itself does not hold, so that an echo of it is not taken for having read. */
function evidence({ aim }: PathTool, { file }: ThrowAwayFolder): string {
  return aim === 'file' ? file.marker : file.name;
}
