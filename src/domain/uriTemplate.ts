/** The operators of a URI template: what stands first, between values, and whether names are written. */
const operators = {
  '': { first: '', between: ',', isNamed: false, isRaw: false },
  '+': { first: '', between: ',', isNamed: false, isRaw: true },
  '#': { first: '#', between: ',', isNamed: false, isRaw: true },
  '.': { first: '.', between: '.', isNamed: false, isRaw: false },
  '/': { first: '/', between: '/', isNamed: false, isRaw: false },
  ';': { first: ';', between: ';', isNamed: true, isRaw: false },
  '?': { first: '?', between: '&', isNamed: true, isRaw: false },
  '&': { first: '&', between: '&', isNamed: true, isRaw: false },
} as const;

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

/** The names of the variables of a URI template, in their order, each once. (RFC 6570.) */
export function templateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap(([, , list = '']) =>
    list.split(',').map(nameOf),
  );
  return [...new Set(names)];
}

/** The URI for these values, all of them single texts; an empty one is left out. (RFC 6570.) */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_, operator: keyof typeof operators, list: string) => {
    const { first, between, isNamed, isRaw } = operators[operator];
    const parts = list.split(',').flatMap(variable => {
      const name = nameOf(variable);
      const value = [...(values[name] ?? '')].slice(0, prefixOf(variable)).join('');
      const written = isRaw ? encodeURI(value) : encoded(value);
      return value === '' ? [] : [isNamed ? `${name}=${written}` : written];
    });
    return parts.length > 0 ? first + parts.join(between) : '';
  });
}

/** Encodes all characters with a meaning in a URI; the platform leaves some. */
function encoded(value: string): string {
  const rest = /[!'()*]/g;
  return encodeURIComponent(value).replace(rest, sign => `%${sign.charCodeAt(0).toString(16)}`);
}

/** The name without what says how its value is written. */
function nameOf(variable: string): string {
  return variable.replace(/(?:\*|:\d+)$/, '').trim();
}

/** The number of characters of the value that count. */
function prefixOf(variable: string): number | undefined {
  const [, length] = /:(\d+)$/.exec(variable) ?? [];
  return length === undefined ? undefined : Number(length);
}
