import { STATUS_CODES } from 'node:http';

/** A server can say a lot where a person needs a line. */
export const longestWords = 300;

/**
 * What a response says that is none of MCP, to be read after its status: the body where it is JSON or
 * short, and never a page, of which the status says all that matters to who wanted no page.
 */
export function refusalText(status: number, body: string, contentType: string | null): string {
  const isPage = /^\s*text\/html/i.test(contentType ?? '') || /^\s*<[!?a-z]/i.test(body);
  if (isJson(body) || (!isPage && body.length <= longestWords)) {
    return body;
  }
  return insteadOfMcp(status, isPage ? 'a web page' : 'a long text');
}

/** The meaning of a status, with what came in the place of an answer where that is an advice. */
export function insteadOfMcp(status: number, what: string): string {
  const meaning = STATUS_CODES[status] ?? '';
  // Those of who asks, and of a server that has no time or is broken, are right at this address.
  const isRight = [401, 403, 407, 429].includes(status) || status >= 500;
  return isRight ? meaning : `${meaning}, with ${what} instead of MCP: check the URL`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // It may be anything else.
  }
}
