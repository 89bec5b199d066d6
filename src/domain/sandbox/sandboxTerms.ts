/** What a sandboxed server may reach besides its folders and what it needs to run. */
export interface SandboxTerms {
  /** Absolute paths of files and folders that it may read. */
  readonly read: readonly string[];
  /** Absolute paths of files and folders that it may read and change. */
  readonly write: readonly string[];
  readonly network: boolean;
}
