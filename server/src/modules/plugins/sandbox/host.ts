/**
 * The worker's functions for a sandbox: the only ones in there that lead outside. They take and return text, so that no
 * object of Node.js is ever within reach of a plugin.
 */
export interface Host {
  /** One message to the server, as JSON. */
  send(text: string): void
  /** The parts of an address as JSON, or an empty text where it is not one. */
  parseUrl(address: string, base: string): string
  /** Base64 in, base64 out. */
  digest(algorithm: string, bytes: string): string
  /** Base64. */
  randomBytes(count: number): string
  randomUuid(): string
}

let given: Host | undefined

export const setHost = (host: Host): void => {
  given = host
}

export const host = (): Host => {
  if (!given) throw new Error('The sandbox has not started.')
  return given
}

/** Taken before the plugin is loaded: what it does to the prototypes afterwards breaks only itself. */
export const { parse, stringify } = JSON

/** The most characters of a line in the log, or of an error's text, that leave the sandbox. */
export const maxTextChars = 4000
