const words = [
  'token|secret|passw|passphrase|credential|auth|private|cookie|bearer|jwt',
  '(?:api|access)[-_]?key|(?:^|[-_])key',
  // As in `licenseKey`; not as in `monkey` and `keyboard`.
  '(?:account|encryption|licen[cs]e|master|service|shared|signing|storage|subscription)[-_]?key(?![a-z])',
  'conn(?:ection)?[-_]?str(?:ing)?(?![a-z])',
  '(?:^|[-_])(?:pass|pwd|pat|dsn|sas)(?:$|[-_])',
  '(?:^|[-_])sig$|signature$',
];
const secretName = new RegExp(words.join('|'), 'i');

/** Whether a name suggests that its value must be kept out of logs, prompts and stored state. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
