/** Whose rules the variables in a text follow; `own` are those of our own settings. */
export type Dialect = 'own' | 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop';

/** A folder of the window, as far as servers that were written for it are concerned. */
export interface SourceFolder {
  readonly name: string;
  readonly path: string;
  /** Whether the window has no other, so that `${workspaceFolder}` can mean no other. */
  readonly isOnly: boolean;
}

/** A place where another client keeps its servers. */
export interface ImportSource {
  readonly dialect: Dialect;
  /** How the place is shown: printable as it is. */
  readonly label: string;
  /** Where in the file the lists of servers are: the keys that lead to them. Empty: at its top. */
  readonly at: readonly string[];
  /** Whether the file has no other purpose, so that whatever else is in it is worth a word. */
  readonly isOnlyServers: boolean;
  /** Whose servers they are: those of who works in this workspace, or of one person everywhere. */
  readonly scope: 'workspace' | 'user';
  /** The folder they are for; `undefined`: for none in particular. */
  readonly folder: SourceFolder | undefined;
  /** What stands between the parts of a path on this machine. */
  readonly separator: '/' | '\\';
}
