import manifest from '../../package.json' with { type: 'json' };

/** The id of the extension in an editor, for any publisher. */
export const extensionId = `${manifest.publisher}.${manifest.name}`;
