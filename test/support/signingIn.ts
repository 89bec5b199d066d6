import type { TestContext } from 'node:test';
import { wordsInEnglish } from '../../src/domain/sentence.ts';
import type { ConnectionState } from '../../src/mcp/link/link.ts';
import type { HttpStart } from '../../src/mcp/process/http/httpStart.ts';
import {
  type AuthorizationOptions,
  authorizationServer,
  protectedServer,
} from './authorizationServer.ts';
import type { Interfere } from './rawHttpServer.ts';
import { recordingConnection } from './recordingConnection.ts';
import { said } from './texts.ts';

/**
 * A server that asks for a sign-in, and a browser that follows each address.
 *
 * @param answer answers requests after the sign-in, instead of the usual answer.
 */
export async function signingIn(
  t: TestContext,
  options: AuthorizationOptions = {},
  answer?: Interfere,
) {
  const authorization = await authorizationServer(t, options);
  const server = await protectedServer(t, authorization, answer);
  const recording = recordingConnection(t);
  const kept = new Map<string, string>();
  const opened: string[] = [];
  const pages: string[] = [];
  const browser = {
    /** Its reaction to a page. */
    visit: async (url: string): Promise<boolean> => {
      pages.push(await (await fetch(url)).text());
      return true;
    },
  };
  const openBrowser = (url: string) => {
    opened.push(url);
    return browser.visit(url);
  };
  const store = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string | undefined) => {
      if (value === undefined) {
        kept.delete(key);
      } else {
        kept.set(key, value);
      }
    },
  };
  const target: HttpStart = {
    url: server.url,
    headers: { 'x-key': 'k3y-value' },
    authorization: { openBrowser, store },
    isInteractive: true,
  };
  return { ...recording, authorization, server, kept, opened, pages, browser, store, target };
}

/** The same, once a person has signed in and the token has run out. */
export async function signedIn(t: TestContext, options: AuthorizationOptions = {}) {
  const signing = await signingIn(t, options);
  await signing.connection.start(signing.target, []);
  await signing.connection.stop();
  signing.authorization.tokens.clear();
  return signing;
}

/** The reason of a failed sign-in, by the keys of its texts; `undefined`: another failure. */
export function signInProblem(state: ConnectionState): string | undefined {
  return state.kind === 'failed' && state.failure.kind === 'unauthorized'
    ? said(wordsInEnglish(state.failure.message))
    : undefined;
}
