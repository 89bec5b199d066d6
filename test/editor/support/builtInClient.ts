import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';

/** What `get-roots` answers, as far as the tests look at it. */
export interface RootsAnswer {
  readonly roots: readonly { readonly uri: string; readonly name: string }[];
  readonly source: string;
  readonly era: string;
}

const getRoots = 'get-roots';
const callTool = 'call-tool';

/**
 * The tools of one server of the editor's own MCP client, as an agent sees and calls them. The
 * client has no API: servers are started by its commands.
 */
export class BuiltInServer {
  /** What the editor puts before the names of this server's tools. */
  private readonly prefix: string;

  private constructor(prefix: string) {
    this.prefix = prefix;
  }

  /**
   * Starts a server by the editor's own id, and settles once an agent could use the tools of the
   * one that was told of exactly these folders. The editor does not say whose a tool is, and
   * reads at its leisure where servers are named: no event tells of either.
   */
  static start(id: string, ...folders: readonly string[]): Promise<BuiltInServer> {
    return BuiltInServer.startOne(id, folders, server => !server.isHub);
  }

  /** The same for one that has others behind it. */
  static startHub(id: string, ...folders: readonly string[]): Promise<BuiltInServer> {
    return BuiltInServer.startOne(id, folders, server => server.isHub);
  }

  private static startOne(
    id: string,
    folders: readonly string[],
    isMeant: (server: BuiltInServer) => boolean,
  ): Promise<BuiltInServer> {
    return eventually(async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', id);
      const servers = vscode.lm.tools
        .filter(({ name }) => name.endsWith(getRoots))
        .map(({ name }) => new BuiltInServer(name.slice(0, -getRoots.length)))
        .filter(isMeant);
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

  private get isHub(): boolean {
    return this.tools.includes(callTool);
  }

  /** Calls a tool and returns the text that the agent gets. */
  async call(tool: string, input: object): Promise<string> {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(this.prefix + tool, options);
    const texts = content.filter(part => part instanceof vscode.LanguageModelTextPart);
    return texts.map(({ value }) => value).join('\n');
  }

  /** Calls a tool of a server behind this one. */
  async callBehind(serverName: string, toolName: string, toolArgs: object): Promise<string> {
    return this.call(callTool, { serverName, toolName, toolArgs });
  }

  /** What the server says its roots are. */
  async roots(): Promise<RootsAnswer> {
    return JSON.parse(await this.call(getRoots, {}));
  }

  /** The names of its roots, in their order. */
  async folders(): Promise<string[]> {
    return (await this.roots()).roots.map(({ name }) => name);
  }
}
