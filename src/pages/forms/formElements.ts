import { element } from '../elements.ts';

/** A small button with a sign on it, which is named for those who don't see it. */
export function signButton(sign: string, name: string, onClick: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'sign', 'aria-label': name, title: name };
  const made = element('button', attributes, sign);
  made.addEventListener('click', onClick);
  return made;
}

/** What a text is typed into. */
export interface TextInput {
  readonly element: HTMLElement & { value: string };
  /** Sets attributes where a screen reader finds them. */
  readonly describe: (attributes: Readonly<Record<string, string>>) => void;
}

/**
 * Makes what a text is typed into: the editor's field for a line, or an area that grows with its lines.
 * That is the browser's own, as lists, checkboxes and the bar of progress are: it looks the same, takes a
 * tenth of the code, and is known to screen readers.
 */
export function textInput(options: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly kind: 'line' | 'secret' | 'lines' | 'json';
}): TextInput {
  const { label, value, placeholder, kind } = options;
  if (kind === 'line' || kind === 'secret') {
    const field = element('vscode-textfield', { class: 'control' });
    Object.assign(field, { label, value, placeholder });
    field.type = kind === 'secret' ? 'password' : 'text';
    return {
      element: field,
      describe: attributes => {
        field.invalid = attributes['aria-invalid'] === 'true';
        void field.updateComplete.then(() => setAll(field.wrappedElement, attributes));
      },
    };
  }
  const area = element('textarea', { class: `control ${kind}`, rows: '1', 'aria-label': label });
  Object.assign(area, { value, placeholder });
  return { element: area, describe: attributes => setAll(area, attributes) };
}

function setAll(target: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    target.setAttribute(name, value);
  }
}
