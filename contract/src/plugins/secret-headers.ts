/** Request headers whose values are secrets. Server and web hide the same ones. */

/** Part of a regular expression: one of these is in the name of everything that carries a credential. */
export const secretWords = 'authorization|cookie|api[-_]?key|token|secret|password'
const secretName = new RegExp(secretWords, 'i')

/** Headers that carry credentials, whatever they are called. */
export const isSecretHeader = (name: string): boolean => secretName.test(name)

/** Shown instead of a secret in replies, diffs and files. Sent back, it means "keep the stored value". */
export const hiddenSecret = '••••••'
