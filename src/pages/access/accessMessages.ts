import type { AccessTable } from '../../domain/access/accessTable.ts';

/** What the page with the table of who sees what is told. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why nobody sees anything. */
      readonly notice?: string | undefined;
      /** What alone is to be shown from now on; `undefined`: what was. */
      readonly filter?: string | undefined;
    }
  /** The text is in the clipboard. */
  | { readonly kind: 'copied' };
