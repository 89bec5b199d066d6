/** Where what a sign-in leads to is kept: secrets, for one server. */
export interface AuthorizationStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` forgets the value. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** What signing in at a server's authorization server takes from its surroundings. */
export interface Authorization {
  /** Shows a page in the person's browser. `false` when the person, or the editor, refused. */
  openBrowser(url: string): Promise<boolean>;
  readonly store: AuthorizationStore;
}
