import type { AccessFilter } from '../../domain/access/accessFilter.ts';
import type { AccessTable } from '../../domain/access/accessTable.ts';

/** What the page with the table of who sees what is told. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why nobody sees anything. */
      readonly notice?: 'restricted' | 'no-folder' | 'virtual' | undefined;
    }
  | { readonly kind: 'filter'; readonly filter: AccessFilter }
  /** The text is in the clipboard. */
  | { readonly kind: 'copied' };
