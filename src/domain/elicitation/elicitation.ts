import { formFields } from '../forms/formFields.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { cut, printable } from '../printable.ts';
import { isOnThisMachine } from '../servers/serverUrl.ts';

/** A server's question to the user. Its texts are safe to show, except the texts in the schema. */
export type Elicitation =
  | {
      readonly kind: 'form';
      readonly message: string;
      /** The server's schema, flattened to one object. */
      readonly schema: JsonObject;
    }
  | { readonly kind: 'page'; readonly message: string; readonly page: PageQuestion }
  /** A question that no user may be asked; the reason is for the server. */
  | { readonly kind: 'invalid'; readonly reason: string };

export interface PageQuestion {
  /** The whole address in ASCII, so that the user sees exactly what the browser will open. */
  readonly url: string;
  /** The host in ASCII, so that letters of another script can't imitate another host. */
  readonly host: string;
}

const longestText = 1000;
const longestUrl = 2000;
const mostFields = 50;

/** Reads the parameters of `elicitation/create`. (2025-11-25, client/elicitation.) */
export function elicitationOf(params: Readonly<Record<string, unknown>>): Elicitation {
  const { mode = 'form', requestedSchema, url, message: text } = params;
  const message = cut(printable(typeof text === 'string' ? text : ''), longestText);
  if (mode === 'form') {
    // In every revision a form has a schema, even a form without fields.
    const schema = isJsonObject(requestedSchema) ? requestedSchema : undefined;
    const fields = schema && formFields(schema);
    const isFlat = fields?.every(({ kind }) => kind !== 'list' && kind !== 'json');
    return isFlat && fields && fields.length <= mostFields
      ? { kind: 'form', message, schema }
      : { kind: 'invalid', reason: 'The schema must be a short, flat form.' };
  }
  if (mode === 'url') {
    const page = pageOf(url);
    return page
      ? { kind: 'page', message, page }
      : { kind: 'invalid', reason: 'The URL must begin with https: or http://localhost.' };
  }
  return { kind: 'invalid', reason: 'The mode of the question must be "form" or "url".' };
}

/** The page, if its address is safe. Over plain HTTP, others could change the page on its way. */
function pageOf(address: unknown): PageQuestion | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : undefined;
  const isSafe = (url: URL) =>
    url.href.length <= longestUrl &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isOnThisMachine(url.href)));
  return url && isSafe(url) ? { url: url.href, host: url.host } : undefined;
}
