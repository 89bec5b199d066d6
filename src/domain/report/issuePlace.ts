/** The addresses in the manifest of the extension, which whoever publishes it fills in. */
export interface ManifestLinks {
  readonly repository?: { readonly url?: string };
  readonly bugs?: { readonly url?: string };
}

/** The editor's means for reports. */
export interface ReportingEditor {
  /** Whether it has a form for issues at all, which its user did not switch off. */
  readonly hasForm: boolean;
  /** Whether it runs in a browser, where it shows that form only if it has one for there, too. */
  readonly isWeb: boolean;
  readonly hasWebForm: boolean;
}

/** Where an issue is to be reported. */
export type IssuePlace =
  /** The form of the editor, which sends it on. */
  | { readonly kind: 'form' }
  | { readonly kind: 'page'; readonly url: string }
  /** The manifest names no address. */
  | { readonly kind: 'nowhere' };

/** Where an issue on this extension is to be reported with this editor. */
export function issuePlace(
  { repository, bugs }: ManifestLinks,
  editor: ReportingEditor,
): IssuePlace {
  const links = [bugs?.url, repository?.url];
  const isFormThere = editor.hasForm && (!editor.isWeb || editor.hasWebForm);
  if (isFormThere && links.some(url => /^https:\/\/github\.com\/[^/]+\/[^/]+/.test(url ?? ''))) {
    return { kind: 'form' };
  }
  const url = bugs?.url;
  return url?.startsWith('https://') ? { kind: 'page', url } : { kind: 'nowhere' };
}
