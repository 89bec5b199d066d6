/** A page says that it is loaded, and can be told what to show. */
export interface Loaded {
  readonly kind: 'loaded';
}

/** The first message to a page: the editor's language. */
export interface Greeting {
  readonly kind: 'greeting';
  /** By each English text its translation; none in English. */
  readonly texts: Readonly<Record<string, string>>;
}
