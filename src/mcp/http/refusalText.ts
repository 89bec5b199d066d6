import { STATUS_CODES } from 'node:http';

/** A server can say a lot where a person needs a line. */
export const longestWords = 300;

/**
 * What a response says that is none of MCP, to be read after its status: the body where it is JSON or
 * short, and never a page, of which the status says all that matters to who wanted no page.
 */
export function refusalText(status: number, body: string, contentType: string | null): string {
  const isPage =
    /^\s*text\/html/i.test(contentType ?? '') ||
    /^\s*<[!?a-z]|<(?:!doctype|html|head|body|script)\b/i.test(body);
  if (!isPage && (isJson(body) || body.length <= longestWords)) {
    return body;
  }
  return insteadOfMcp(status, isPage ? 'a web page' : 'a long text');
}

/** The meaning of a status, with what came in the place of an answer where that is an advice. */
export function insteadOfMcp(status: number, what: string): string {
  const meaning = STATUS_CODES[status] ?? '';
  return status < 400 || isStrange(status)
    ? `${meaning}, with ${what} instead of MCP: check the URL`
    : meaning;
}

/** Whether it refuses what was asked, and not who asked, or for now. */
export function isStrange(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // It may be anything else.
  }
}
