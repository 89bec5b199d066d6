import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A server as `mcp.json` names it. */
interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Names servers in both places where the editor's own MCP client looks for those of a workspace: in
 * the `.vscode/mcp.json` of one folder, and in the workspace file. There `-of-folder` stands after
 * their names, and here `-of-window`.
 */
export function nameForBuiltInClient(
  workspace: string,
  folder: string,
  servers: Readonly<Record<string, McpServer>>,
): void {
  const named = (end: string) =>
    Object.fromEntries(Object.entries(servers).map(([name, server]) => [name + end, server]));
  const settings = join(dirname(workspace), folder, '.vscode');
  mkdirSync(settings, { recursive: true });
  writeJson(join(settings, 'mcp.json'), { servers: named('-of-folder') });
  const { folders } = JSON.parse(readFileSync(workspace, 'utf8'));
  writeJson(workspace, { folders, settings: { mcp: { servers: named('-of-window') } } });
}

/** The bundled server as a hub, with the file server of the protocol's authors behind it. */
export function hubServer(folder: string, server: McpServer, packages: string): McpServer {
  const config = join(folder, 'servers.json');
  const program = join(packages, '@modelcontextprotocol', 'server-filesystem', 'dist', 'index.js');
  writeJson(config, { mcpServers: { files: { command: server.command, args: [program] } } });
  return { ...server, args: [...server.args, '--config', config] };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
