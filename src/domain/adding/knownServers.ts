import type { JsonObject } from '../json.ts';
import type { InputEntry } from './secretInputs.ts';
import type { WrittenServer } from './serverDraft.ts';

/** A commonly used server, as its authors say that it is to be started or called. */
export interface KnownServer extends WrittenServer {
  /** Its name in the settings, unless that is taken. */
  readonly name: string;
  /** Its purpose: like {@link needs} in finished English sentences, translated where they are shown. */
  readonly what: string;
  /** Requirements before it can be used, and limits it has here. */
  readonly needs: readonly string[];
  readonly entry: JsonObject & { readonly args?: readonly string[] };
  readonly inputs?: readonly InputEntry[];
  /** Whether it works in a sandbox as it is. Left out for one that is called at a URL. */
  readonly isSandboxable?: boolean;
}

const node = 'It needs Node.js (npx).';
const uv = 'It needs uv (uvx).';
const noFolders = 'It uses no folder.';
const itsBrowser = 'It starts a browser, which takes more words in a sandbox: see the help.';

/**
 * The servers that are offered by name where one is added. Each asks for its roots, as far as it
 * cares for folders, unless its entry says otherwise.
 */
export const knownServers: readonly KnownServer[] = [
  {
    name: 'filesystem',
    what: 'Reads, searches and changes files. It asks for its folders.',
    needs: [node],
    entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem'] },
    isSandboxable: true,
  },
  {
    name: 'git',
    what: 'Status, history and changes of Git repositories.',
    needs: [uv, 'A sandbox lets it read .git, so that it cannot commit.'],
    entry: { command: 'uvx', args: ['mcp-server-git'] },
    isSandboxable: true,
  },
  {
    name: 'github',
    what: 'Repositories, issues and pull requests on GitHub.',
    needs: ['It needs a personal access token of GitHub.', noFolders],
    entry: {
      url: 'https://api.githubcopilot.com/mcp/',
      headers: { Authorization: 'Bearer ${input:github-token}' },
    },
    inputs: [
      { id: 'github-token', description: 'A personal access token of GitHub', password: true },
    ],
  },
  {
    name: 'fetch',
    what: 'Fetches web pages, as Markdown.',
    needs: [uv, noFolders],
    entry: { command: 'uvx', args: ['mcp-server-fetch'] },
    isSandboxable: true,
  },
  {
    name: 'memory',
    what: 'Remembers facts from one chat to the next.',
    needs: [
      node,
      'What it remembers is gone with an update, unless MEMORY_FILE_PATH names a file.',
      noFolders,
    ],
    entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
    isSandboxable: true,
  },
  {
    name: 'sequential-thinking',
    what: 'Helps a model to think step by step.',
    needs: [node, noFolders],
    entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-sequential-thinking'] },
    isSandboxable: true,
  },
  {
    name: 'time',
    what: 'The time, in any time zone.',
    needs: [uv, noFolders],
    entry: { command: 'uvx', args: ['mcp-server-time'] },
    isSandboxable: true,
  },
  {
    name: 'everything',
    what: 'Tries out all that MCP has. It asks for its folders.',
    needs: [node],
    entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
    isSandboxable: true,
  },
  {
    name: 'playwright',
    what: 'Uses a browser: opens pages, clicks and types.',
    needs: [node, itsBrowser],
    entry: { command: 'npx', args: ['-y', '@playwright/mcp@latest'] },
    isSandboxable: false,
  },
  {
    name: 'chrome-devtools',
    what: 'Looks into web pages with the developer tools of Chrome.',
    needs: [node, 'It needs Chrome.', itsBrowser],
    entry: { command: 'npx', args: ['-y', 'chrome-devtools-mcp@latest'] },
    isSandboxable: false,
  },
  {
    name: 'context7',
    what: 'Current documentation of libraries.',
    needs: ['It needs a key of Context7.', noFolders],
    entry: {
      url: 'https://mcp.context7.com/mcp',
      headers: { CONTEXT7_API_KEY: '${input:context7-key}' },
    },
    inputs: [
      {
        id: 'context7-key',
        description: 'A key of Context7 (context7.com/dashboard)',
        password: true,
      },
    ],
  },
  {
    name: 'microsoft-learn',
    what: 'The documentation of Microsoft.',
    needs: [noFolders],
    entry: { url: 'https://learn.microsoft.com/api/mcp' },
  },
  {
    name: 'postgres',
    what: 'Queries a PostgreSQL database, and can only read it.',
    needs: [uv, 'It needs the address of a database.', noFolders],
    entry: {
      command: 'uvx',
      args: ['postgres-mcp', '--access-mode=restricted'],
      env: { DATABASE_URI: '${input:postgres-uri}' },
    },
    isSandboxable: true,
    inputs: [
      {
        id: 'postgres-uri',
        description: 'The address of the database (postgresql://…)',
        password: true,
      },
    ],
  },
  {
    name: 'dbhub',
    what: 'Queries databases of MySQL, MariaDB, SQL Server, PostgreSQL or SQLite.',
    needs: [node, 'It needs the address of a database.', noFolders],
    entry: {
      command: 'npx',
      args: ['-y', '@bytebase/dbhub@latest'],
      env: { DSN: '${input:database-address}' },
    },
    isSandboxable: true,
    inputs: [
      {
        id: 'database-address',
        description: 'The address of the database (mysql://…, sqlite:///…)',
        password: true,
      },
    ],
  },
];

/** The known server that an entry starts, whichever version of it, or calls. */
export function knownServerOf({ args, url }: JsonObject): KnownServer | undefined {
  const names = Array.isArray(args) ? args.map(arg => unversioned(String(arg))) : [];
  return knownServers.find(({ entry }) => {
    const own = entry.args?.find(arg => !arg.startsWith('-'));
    return own === undefined ? entry['url'] === url : names.includes(unversioned(own));
  });
}

/** `@scope/name@1.0` and `name==1.0` without the version. */
function unversioned(name: string): string {
  return name.replace(/(?<=.)(?:@|==).*$/, '');
}
