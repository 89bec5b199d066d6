import type { FetchLike } from '@modelcontextprotocol/client';
import { OutageError } from './outageError.ts';

/** How often a stream that broke off is opened again, in a row, before the server counts as lost. */
export const mostReopenings = 5;

/** Tells from the requests to a server whether it, and its session with us, are still there. */
export class SessionWatch {
  private readonly onLost: (message: string) => void;
  private hadStream = false;
  private failures = 0;

  constructor(onLost: (message: string) => void) {
    this.onLost = onLost;
  }

  watching(fetch: FetchLike): FetchLike {
    return async (url, init = {}) => {
      try {
        const response = await fetch(url, init);
        this.see(init, response);
        return response;
      } catch (error) {
        this.seeOutage(init, error);
        throw error;
      }
    };
  }

  private see({ method, headers }: RequestInit, { ok, status }: Response): void {
    const isStream = method === 'GET';
    const isInSession = new Headers(headers).has('mcp-session-id');
    // Many servers have no such stream at all, and say that, too, by 404.
    if (status === 404 && isInSession && (method === 'POST' || (isStream && this.hadStream))) {
      this.onLost('It has ended the session.');
    } else if (isStream && ok) {
      this.hadStream = true;
      this.failures = 0;
    } else if (isStream && this.hadStream) {
      this.countFailure(`HTTP ${status}`);
    }
  }

  private seeOutage({ method }: RequestInit, error: unknown): void {
    if (!(error instanceof OutageError)) {
      return;
    }
    if (!error.wasConnected) {
      this.onLost(error.message);
    } else if (method === 'GET') {
      this.countFailure(error.message);
    }
  }

  private countFailure(reason: string): void {
    this.failures += 1;
    if (this.failures >= mostReopenings) {
      this.onLost(`Its stream of messages can't be opened again: ${reason}`);
    }
  }
}
