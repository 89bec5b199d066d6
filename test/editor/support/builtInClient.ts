import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';

/** The parts of a `get-roots` answer that the tests read. */
interface RootsAnswer {
  readonly roots: readonly { readonly uri: string; readonly name: string }[];
  readonly source: string;
  readonly era: string;
}

const getRoots = 'get-roots';

/**
 * The tools of one server of the editor's own MCP client, as an agent sees and calls them. The
 * client has no API: servers are started by its commands.
 */
export class BuiltInServer {
  /** The editor's prefix for the names of this server's tools. */
  private readonly prefix: string;

  private constructor(prefix: string) {
    this.prefix = prefix;
  }

  /**
   * Starts a server by the editor's own id, and settles when an agent can use the tools of the
   * server with exactly these folders. The editor neither says to which server a tool belongs, nor
   * when it has read its configuration.
   */
  static start(id: string, ...folders: readonly string[]): Promise<BuiltInServer> {
    return eventually(async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', id);
      const servers = vscode.lm.tools
        .filter(({ name }) => name.endsWith(getRoots))
        .map(({ name }) => new BuiltInServer(name.slice(0, -getRoots.length)));
      const known = await Promise.all(servers.map(server => server.folders()));
      const wanted = known.findIndex(names => names.join() === folders.join());
      const server = servers[wanted];
      assert.ok(server, `Told of ${folders}: none of ${JSON.stringify(known)}.`);
      return server;
    });
  }

  /** The names of its tools, in alphabetical order. */
  get tools(): string[] {
    const names = vscode.lm.tools.map(({ name }) => name);
    const own = names.filter(name => name.startsWith(this.prefix));
    return own.map(name => name.slice(this.prefix.length)).sort();
  }

  /** Calls a tool and returns the text that the agent gets. */
  async call(tool: string, input: object): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(this.prefix + tool, options);
    const texts = content.filter(part => part instanceof vscode.LanguageModelTextPart);
    return texts.map(({ value }) => value).join('\n');
  }

  /** The roots that the server reports. */
  async roots(): Promise<RootsAnswer> {
    return JSON.parse(await this.call(getRoots, {}));
  }

  /** The names of its roots, in their order. */
  async folders(): Promise<string[]> {
    return (await this.roots()).roots.map(({ name }) => name);
  }
}
