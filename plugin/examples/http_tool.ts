/**
 * title: HTTP request
 * description: Lets the model read JSON from one API that an administrator has set.
 */
import type { Helpers } from '@chancery/plugin'

interface Settings {
  base_url: string
  key?: string
}

export class Tools {
  static Valves = {
    base_url: { type: 'string', default: '', title: 'Base URL', description: 'Such as https://api.example.com/v1' },
    key: { type: 'string', secret: true, title: 'API key', description: 'Sent as a bearer token.' },
  }

  /**
   * Reads from the API.
   * @param path The path after the base URL, such as /orders/17.
   * @param query Parameters of the query.
   */
  async api_get(args: { path: string; query?: object }, { __valves__, signal }: Helpers<Settings>): Promise<string> {
    if (!__valves__.base_url) return 'An administrator has not set the base URL yet.'
    const base = new URL(__valves__.base_url)
    const url = new URL(`${base.href.replace(/\/$/, '')}/${args.path.replace(/^\/+/, '')}`)
    // A path with dots must not lead out of what was set.
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return 'This path is not allowed.'
    for (const [name, value] of Object.entries(args.query ?? {})) url.searchParams.set(name, String(value))
    const headers: Record<string, string> = { accept: 'application/json' }
    if (__valves__.key) headers.authorization = `Bearer ${__valves__.key}`
    const reply = await fetch(url, { headers, signal })
    const text = await reply.text()
    return reply.ok ? text.slice(0, 20_000) : `The API answered ${reply.status}: ${text.slice(0, 500)}`
  }
}
