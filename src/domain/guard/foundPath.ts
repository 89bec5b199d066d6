/**
 * A text in the arguments that names a path, or may do so.
 *
 * `path`: it is one, and has to be inside whatever it looks like. `maybe`: it is refused only when
 * it leads outside. `name`: the same, for a single name, which can do so only as a link. `word`: as
 * `maybe`, and a shell would put what is there in the place of its wildcards. `folder`: as `maybe`,
 * and the others may start in it. `url`: it is refused only when, taken as a relative path, it would lead outside.
 */
export interface FoundPath {
  readonly kind: 'path' | 'maybe' | 'name' | 'word' | 'folder' | 'url';
  readonly text: string;
}

/** Takes what was found. */
export type Found = (kind: FoundPath['kind'], text: string) => void;
