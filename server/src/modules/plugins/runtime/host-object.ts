/** The functions of `sandbox/host.ts`: all that a sandbox can call outside of itself. Text in, text out. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'

const maxRandomBytes = 65_536

const digests = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
])

/** The functions of `Host`, in the sandbox. */
export const hostObject = (context: QuickJSContext, send: (text: string) => void): QuickJSHandle => {
  const made = context.newObject()
  const add = (name: string, work: (...args: string[]) => string | undefined): void => {
    const fn = context.newFunction(name, (...handles) => {
      const result = work(...handles.map((handle) => context.getString(handle)))
      return result === undefined ? context.undefined : context.newString(result)
    })
    context.setProp(made, name, fn)
    fn.dispose()
  }
  add('send', (text = '') => {
    send(text)
    return undefined
  })
  add('parseUrl', (address = '', from = '') => partsOf(from === '' ? URL.parse(address) : URL.parse(address, from)))
  add('digest', (algorithm = '', bytes = '') => {
    const known = digests.get(algorithm.toUpperCase())
    if (!known) throw new Error(`The digest ${algorithm} is not supported.`)
    return createHash(known).update(Buffer.from(bytes, 'base64')).digest('base64')
  })
  add('randomBytes', (count = '0') => randomBytes(Math.min(Number(count) || 0, maxRandomBytes)).toString('base64'))
  add('randomUuid', () => randomUUID())
  return made
}

const partsOf = (url: URL | null): string => {
  if (!url) return ''
  const { href, protocol, username, password, host, hostname, port, pathname, search, hash, origin } = url
  return JSON.stringify({ href, protocol, username, password, host, hostname, port, pathname, search, hash, origin })
}
