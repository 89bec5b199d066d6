import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unless } from '../privateFolder.ts';
import { type Launcher, writing } from './launcher.ts';

/** The file that names the hub's servers, beside its launcher. The user edits this file. */
export function hubConfigFile(launcher: Pick<Launcher, 'path'>): string {
  return join(dirname(launcher.path), 'servers.json');
}

/**
 * Makes the file if it is missing. An existing file stays unchanged.
 *
 * @throws HumanError when the folder can't be written to.
 */
export async function prepareHubConfig(launcher: Launcher): Promise<string> {
  const file = hubConfigFile(launcher);
  // Only the user can read the file, because people write secrets into such files.
  const once = { flag: 'wx', mode: 0o600 };
  await writing(dirname(file), () => writeFile(file, configTemplate, once).catch(unless('EEXIST')));
  return file;
}

/** The hub's configuration until the user changes it: JSON with comments. */
export const configTemplate = `// The MCP servers that the hub of MCP Roots runs for its clients. It tells each
// server its client's roots and checks the paths in calls: a filter, not a
// boundary. What you save counts about a second later.
//
// A server is started ("command", "args", "env", "cwd") or called ("url",
// "headers"). For one that knows no roots, "args" can hold \${roots}. Keep
// secrets out of this file: \${env:NAME}.
{
  "mcpServers": {
    // "files": {
    //   "command": "npx",
    //   "args": ["-y", "@modelcontextprotocol/server-filesystem"]
    // }
  }
}
`;
