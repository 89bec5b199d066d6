import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestRoot, ToolResult } from './bundledServer.ts';
import {
  argumentsServer,
  everythingServer,
  filesystemServer,
  type HubServer,
  newestServer,
} from './hubServers.ts';

/** A real server behind the hub, and how to see what it knows. */
export interface HubCase {
  readonly name: string;
  readonly make: (t: TestContext) => HubServer;
  /** A tool that takes a path and works without looking for it. */
  readonly tool: string;
  readonly args: (path: string) => Record<string, unknown>;
  /** What that tool answers with. */
  readonly answer: RegExp;
  /** A tool that tells the roots, and the folders that it tells. */
  readonly knows: string;
  readonly foldersIn: (result: ToolResult) => readonly string[];
  /** How `list-servers` says that they reach it. */
  readonly reached: RegExp;
}

/** The servers with which the hub has to work. */
export const hubCases: readonly HubCase[] = [
  {
    name: 'server-filesystem',
    make: filesystemServer,
    tool: 'read_text_file',
    args: path => ({ path }),
    answer: /^a$/,
    knows: 'list_allowed_directories',
    foldersIn: result => textOf(result).split('\n').slice(1),
    reached: /when it asks/,
  },
  {
    name: 'server-everything',
    make: everythingServer,
    tool: 'echo',
    args: path => ({ message: 'hello', path }),
    answer: /^Echo: hello$/,
    knows: 'get-roots-list',
    foldersIn: result =>
      [...textOf(result).matchAll(/URI: (.*)/g)].map(([, uri = '']) => fileURLToPath(uri)),
    reached: /when it asks/,
  },
  {
    name: 'a server of the newest revision',
    make: newestServer,
    tool: 'where',
    args: path => ({ path }),
    answer: /^\[\{"uri":"file:/,
    knows: 'where',
    foldersIn: result =>
      (JSON.parse(textOf(result)) as TestRoot[]).map(({ uri }) => fileURLToPath(uri)),
    reached: /when a call asks/,
  },
  {
    name: 'a server that gets them as arguments',
    make: argumentsServer,
    tool: 'echo',
    args: path => ({ path }),
    answer: /^\{"path":".*a\.txt"\}$/,
    knows: 'started',
    foldersIn: result => (JSON.parse(textOf(result)) as { folders: string[] }).folders,
    reached: /as arguments/,
  },
];

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}
