/** The way in: the name of the public address, what answers there, and whose headers the server believes. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { isPublicAddress } from '#kernel/outbound/address-rules.ts'
import { type Check, failed, ok, unused, warning } from './check.ts'

export const dns: Check = {
  name: 'DNS',
  advice: 'Add an A or AAAA record for the host of SVC_URL, or correct SVC_URL.',
  run: async ({ config }) => {
    if (config.SVC_URL === undefined) return unused('SVC_URL is not set')
    const host = new URL(config.SVC_URL).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0) return unused(`${host} is an address, not a name`)
    const found = (await lookup(host, { all: true })).map(({ address: each }) => each)
    const text = `${host} is ${found.join(', ')}`
    if (found.some(isPublicAddress)) return ok(text)
    return warning(`${text}: from outside your network nobody gets there. Add a public record if signers are to.`)
  },
}

const dayMs = 86_400_000

const daysOfCertificate = async (url: URL): Promise<number> => {
  const socket = connect({ host: url.hostname, port: Number(url.port || 443), servername: url.hostname })
  try {
    await once(socket, 'secureConnect')
    return (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs
  } finally {
    socket.destroy()
  }
}

export const address: Check = {
  name: 'Address',
  advice: 'Check SVC_URL, its certificate, and that the proxy leads to the server.',
  run: async ({ config }) => {
    if (config.SVC_URL === undefined) return warning('SVC_URL is not set: links in emails lead to localhost.')
    const url = new URL(config.SVC_URL)
    const { status } = await fetch(new URL('/ready', url), { redirect: 'manual' })
    if (status !== 200) return failed(`${url.origin}/ready answers ${status}: the proxy or the server isn't ready.`)
    if (url.protocol === 'http:') return warning(`${url.origin} answers, without TLS: let a proxy add it.`)
    const days = Math.floor(await daysOfCertificate(url))
    if (days < 21) return warning(`The certificate of ${url.host} ends in ${days} days: renew it.`)
    return ok(`${url.origin} answers; its certificate is valid for ${days} days`)
  },
}

/** As the server reads them: names of ranges, addresses and networks. */
const ranges = ['loopback', 'linklocal', 'uniquelocal']

const isProxy = (entry: string): boolean => {
  if (ranges.includes(entry)) return true
  const [host = '', size, ...rest] = entry.split('/')
  const bits = isIP(host) === 4 ? 32 : 128
  const isSize = size === undefined || (/^\d{1,3}$/.test(size) && Number(size) <= bits) || isIP(size) === 4
  return isIP(host) !== 0 && isSize && rest.length === 0
}

/** So large that it has most of the internet in it. */
const isEverybody = (entry: string): boolean => {
  const [host = '', size = ''] = entry.split('/')
  return /^\d+$/.test(size) && Number(size) < (isIP(host) === 4 ? 8 : 16)
}

export const proxyHeaders: Check = {
  name: 'Proxy',
  advice: 'Check TRUSTED_PROXIES.',
  run: async ({ config }) => {
    const { TRUSTED_PROXIES: entries, SVC_URL: url } = config
    if (entries.length === 0 && !url?.startsWith('https:')) return unused('TRUSTED_PROXIES is not set')
    if (entries.length === 0)
      return warning(
        'TRUSTED_PROXIES is empty, though TLS ends elsewhere: limits and logs see the address of the proxy instead of the client’s. Set it to the address of the proxy, such as 127.0.0.1.',
      )
    const unreadable = entries.find((entry) => !isProxy(entry))
    if (unreadable !== undefined)
      return failed(
        `"${unreadable}" in TRUSTED_PROXIES is no address or network (as 10.0.0.0/8): the server won't start.`,
      )
    const everybody = entries.find(isEverybody)
    if (everybody !== undefined)
      return warning(
        `TRUSTED_PROXIES has ${everybody}: anybody there can claim any address, past limits and logs. Name the proxies alone.`,
      )
    return ok(`X-Forwarded-* is believed from ${entries.join(', ')}`)
  },
}
