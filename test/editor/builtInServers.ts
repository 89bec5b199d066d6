import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A server as `mcp.json` names it. */
interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Names the bundled server in both places where the editor's own MCP client looks for those of a
 * workspace: in the `.vscode/mcp.json` of one folder, and in the workspace file.
 */
export function nameForBuiltInClient(workspace: string, folder: string, server: McpServer): void {
  const settings = join(dirname(workspace), folder, '.vscode');
  mkdirSync(settings, { recursive: true });
  writeJson(join(settings, 'mcp.json'), { servers: { 'bundled-of-folder': server } });
  const { folders } = JSON.parse(readFileSync(workspace, 'utf8'));
  const servers = { 'bundled-of-window': server };
  writeJson(workspace, { folders, settings: { mcp: { servers } } });
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
