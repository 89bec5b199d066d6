/**
 * A text in the arguments that names a path, or may do so.
 *
 * `path`: it is one, and has to be inside whatever it looks like. `maybe`: it is refused only when
 * it leads outside. `url`: it is refused only when, taken as a relative path, it would do so.
 */
export interface FoundPath {
  readonly kind: 'path' | 'maybe' | 'url';
  readonly text: string;
}

/** Takes what was found. */
export type Found = (kind: FoundPath['kind'], text: string) => void;
