/** The version in `package.json`, of which a test reminds: reading it here would bundle all of it. */
export const version = '0.1.0';
