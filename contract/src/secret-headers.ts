/** Request headers whose values are secrets. Server and web hide the same ones. */

/** Headers that carry credentials, whatever they are called. */
export const isSecretHeader = (name: string): boolean =>
  /authorization|cookie|api[-_]?key|token|secret|password/i.test(name)

/** Shown instead of a secret in replies, diffs and files. Sent back, it means "keep the stored value". */
export const hiddenSecret = '••••••'
