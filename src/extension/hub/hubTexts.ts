/** What the configuration of the hub is before anybody wrote into it: JSON with comments. */
export const configTemplate = `// The MCP servers that the hub of MCP Roots runs for its clients. It tells each
// server its client's roots and checks the paths in calls: a filter, not a
// boundary. What you save takes effect at once.
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

/**
 * A program that runs the bundled server at `serverFile`, from a place that stays where it is: that
 * of an extension changes with each version. Old releases of Node can read it, to be told so.
 */
export function launcherText(serverFile: string): string {
  return `// Starts the server that MCP Roots brings. MCP Roots keeps this file up to date: do not change it.
'use strict';

const server = ${JSON.stringify(serverFile)};

if (parseInt(process.versions.node, 10) < 20) {
  fail('MCP Roots needs Node 20 or later. This is ' + process.version + '.');
} else if (!require('fs').existsSync(server)) {
  fail('There is no MCP Roots at ' + server + ' any more. Start the editor that holds it once.');
} else {
  require(server);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
`;
}
