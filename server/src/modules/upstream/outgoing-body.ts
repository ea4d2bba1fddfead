/** Pure. A request as it leaves: with one name for its model, ours, and nothing that would lead it elsewhere. */
import type { Fields } from './dress-request.ts'

/**
 * Relays take most of these as the place to call and the key to use. The names of the model are here in any case of
 * letters: runtimes written in Go read `Model` as `model`, and of two the last one counts.
 */
const ours = new Set([
  ...['model', 'name', 'api_base', 'base_url', 'url', 'api_key', 'api_version', 'extra_headers', 'headers'],
])

export const outgoingBody = (body: Fields): ((nativeId: string) => string) => {
  const field = body.model === undefined ? 'name' : 'model'
  const rest = Object.entries(body).filter(([name]) => !ours.has(name.toLowerCase()))
  return (nativeId) => JSON.stringify(Object.fromEntries([[field, nativeId], ...rest]))
}
