import { l10n } from 'vscode';
import { isHumanError } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import type { ConnectionState, Tool } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';
import { localized } from '../text.ts';
import type { Row } from './rows.ts';

/** A list that was asked for, and of which run of the server. */
interface Listing {
  readonly state: ConnectionState;
  readonly tools: Promise<readonly Tool[]>;
}

/** The rows below "Tools". A server is asked once for its tools, however often they are drawn. */
export class ToolRows {
  /** What is not answered yet, or was answered with an error. The server keeps the rest. */
  private readonly listings = new WeakMap<Server, Listing>();

  /** The tools of a server, or why there are none to show. Never rejects. */
  async of(server: Server): Promise<Row[]> {
    try {
      const tools = server.tools ?? (await this.list(server));
      return tools.length === 0
        ? [{ kind: 'tool-problem', server, reason: l10n.t('It has no tools.') }]
        : tools.map(tool => ({ kind: 'tool', server, tool }));
    } catch (error) {
      return [{ kind: 'tool-problem', server, reason: reasonOf(error) }];
    }
  }

  /** Asks again the next time, if the last time failed. */
  forget(server: Server): void {
    this.listings.delete(server);
  }

  private list(server: Server): Promise<readonly Tool[]> {
    const { state } = server;
    const known = this.listings.get(server);
    if (known?.state === state) {
      return known.tools;
    }
    const tools = this.ask(server);
    this.listings.set(server, { state, tools });
    return tools;
  }

  private async ask(server: Server): Promise<readonly Tool[]> {
    const tools = await server.listTools();
    this.listings.delete(server);
    return tools;
  }
}

function reasonOf(error: unknown): string {
  if (isHumanError(error)) {
    return localized(error.sentence);
  }
  // What a server answers is its own reason, and the user's to read.
  return l10n.t('They could not be listed: {0}', printable(String(error)));
}
