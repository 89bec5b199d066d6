/** A request of the page with the table. */
export type AccessRequest =
  | AccessChange
  /** The text in the clipboard. */
  | { readonly kind: 'copy'; readonly text: string };

/** An answer on one folder for one server. */
export interface AccessChange {
  readonly kind: 'set';
  /** The id of the server. */
  readonly viewer: string;
  /** The URI of the folder. */
  readonly folder: string;
  readonly isAllowed: boolean;
  /** `undefined`: as it was. */
  readonly isReadOnly?: boolean;
}

/** Reads what came from a page; `undefined`: that is no request. Whether it can be done is not looked at. */
export function readAccessRequest(message: unknown): AccessRequest | undefined {
  const { kind, viewer, folder, isAllowed, isReadOnly, text } = Object(message);
  switch (kind) {
    case 'set':
      return isText(viewer) &&
        isText(folder) &&
        typeof isAllowed === 'boolean' &&
        (isReadOnly === undefined || typeof isReadOnly === 'boolean')
        ? { kind, viewer, folder, isAllowed, ...(isReadOnly !== undefined && { isReadOnly }) }
        : undefined;
    case 'copy':
      return isText(text) ? { kind, text } : undefined;
    default:
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
