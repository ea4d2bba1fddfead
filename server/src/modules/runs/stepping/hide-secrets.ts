/** Hides secrets in the values that runs keep, and what looks like a credential. Pure. */
import { hiddenSecret, secretWords } from '@chancery/contract/plugins/secret-headers.ts'

/** In the values and not in the text: JSON has many ways to write the same characters. */
export const hideIn = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === 'string') return hide(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    const digits = String(value)
    return hide(digits) === digits ? value : hide(digits)
  }
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? hideInList(value, hide) : hideInObject(value, hide)
}

/** The same list where nothing is hidden, which is nearly every one. */
const hideInList = (list: readonly unknown[], hide: (text: string) => string): unknown => {
  const shown = list.map((one) => hideIn(one, hide))
  return shown.every((one, at) => one === list[at]) ? list : shown
}

const hideInObject = (object: object, hide: (text: string) => string): unknown => {
  const entries = Object.entries(object)
  const shown = entries.map(([, one]) => hideIn(one, hide))
  const isSame = entries.every(([name, one], at) => shown[at] === one && hide(name) === name)
  return isSame ? object : Object.fromEntries(entries.map(([name], at) => [hide(name), shown[at]]))
}

/**
 * Keys of providers and of ours, access tokens, and values of `Authorization`. A token is looked for at the start of a word
 * with its hyphens only: from each hyphen on, the time would grow with the square of the length.
 */
const credentials = /\b(?:sk-[\w-]{16,}|whsec_[\w+/=-]{8,}|(?<!-)eyJ[\w-]{8,}\.[\w-]+\.[\w-]+)/g
const authorization = /(authorization\W{1,6}basic\s+|\bbearer\s+)[\w.~+/=-]{12,}/gi
const secretName = String.raw`[\w-]{0,40}(?:${secretWords})[\w-]{0,40}`
/** Fields of JSON that are called like a secret header. */
const secretField = new RegExp(String.raw`("${secretName}"\s*:\s*")(?:[^"\\]|\\.)+`, 'gi')
/** The same where the JSON is a text inside JSON. */
const quotedSecretField = new RegExp(String.raw`(\\"${secretName}\\"\s*:\s*\\")(?:[^"\\]|\\[^"])+`, 'gi')

/** Hides what looks like a credential, where no list of secrets can be complete: in what models write and tools return. */
export const hideCredentials = (text: string): string =>
  text
    .replace(secretField, `$1${hiddenSecret}`)
    .replace(quotedSecretField, `$1${hiddenSecret}`)
    .replace(authorization, `$1${hiddenSecret}`)
    .replace(credentials, hiddenSecret)
