/** A minimal browser for login flows: it keeps cookies per host, follows redirects step by step and fills one form. */
import { createClient } from '../harness/client.ts'
import { appOrigin } from './idp-settings.ts'

interface Page {
  status: number
  url: string
  text: string
  headers: Headers
}

export interface Browser {
  /** By host, and then by name; a cookie of another path than `/` by `name path`. */
  cookies: Map<string, Map<string, string>>
  /** One request, no redirect followed. */
  ask(url: string, init?: { method?: string; body?: string; headers?: Record<string, string> }): Promise<Page>
  /** Follows redirects until a page answers, `stopAt` matches the next address, or ten steps have passed. */
  walk(url: string, options?: { stopAt?: RegExp }): Promise<Page>
  /** Opens an address of the app, signs in at the provider as this person, and comes back. */
  signIn(path: string, login: string, options?: { stopAt?: RegExp }): Promise<Page>
}

const jarKey = (url: string): string => new URL(url).host

/** `appUrl` is where the app really listens; to the provider and in redirects it is known by `knownAs`. */
export const createBrowser = (appUrl: string, { knownAs = appOrigin }: { knownAs?: string } = {}): Browser => {
  const cookies: Browser['cookies'] = new Map()

  const keep = (url: string, lines: string[]): void => {
    const jar = cookies.get(jarKey(url)) ?? new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /; path=([^;]+)/i.exec(line)?.[1] ?? '/'
      const key = path === '/' ? name : `${name} ${path}`
      const isOver = /expires=Thu, 01 Jan 1970/i.test(line) || /max-age=0(;|$)/i.test(line)
      if (isOver) jar.delete(key)
      else jar.set(key, value)
    }
    cookies.set(jarKey(url), jar)
  }

  const ask: Browser['ask'] = async (url, { method = 'GET', body, headers = {} } = {}) => {
    const real = url.startsWith(knownAs) ? appUrl + url.slice(knownAs.length) : url
    const jar = cookies.get(jarKey(real)) ?? new Map<string, string>()
    const cookie = [...jar]
      .map(([key, value]) => ({ name: key.split(' ')[0], path: key.split(' ')[1] ?? '/', value }))
      .filter(({ path }) => new URL(real).pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const reply = await createClient(new URL(real).origin).send(method, real.slice(new URL(real).origin.length), {
      headers: { ...(cookie && { cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    keep(real, reply.headers.getSetCookie())
    return { status: reply.status, url, text: reply.text, headers: reply.headers }
  }

  const walk: Browser['walk'] = async (start, { stopAt } = {}) => {
    let url = start
    for (let step = 0; step < 10; step += 1) {
      const page = await ask(url)
      const location = page.headers.get('location')
      if (location === null) return page
      url = new URL(location, url).href
      if (stopAt?.test(url)) return { ...page, url }
    }
    throw new Error(`redirected too often, last to ${url}`)
  }

  return {
    cookies,
    ask,
    walk,
    signIn: async (path, login, options) => {
      const form = await walk(appUrl + path, options)
      if (!form.text.includes('name="login"')) return form
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = await ask(form.url, { method: 'POST', body: `login=${encodeURIComponent(login)}`, headers })
      return walk(new URL(sent.headers.get('location') ?? '', form.url).href, options)
    },
  }
}
