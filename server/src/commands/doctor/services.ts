/** What others run: Redis, the S3 store, the mail server, and the proxy with its certificate. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { openBlobStore } from '#kernel/blobs/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Check, failed, ok, unused, warning } from './check.ts'

export const redis: Check = {
  name: 'Redis',
  advice: 'Check REDIS_URL. Without Redis each machine counts limits for itself.',
  run: async ({ config }) => {
    if (config.REDIS_URL === undefined) return unused('not set: needed only where several machines share limits')
    const { Redis } = await import('ioredis')
    const client = new Redis(config.REDIS_URL, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      return ok('answers')
    } finally {
      client.disconnect()
    }
  },
}

/** With every right that is needed: to write, to read, and to delete. */
export const files: Check = {
  name: 'Files',
  advice: 'Check S3_ENDPOINT, S3_BUCKET and the rights of the key: GetObject, PutObject and DeleteObject.',
  run: async ({ config }) => {
    const store = await openBlobStore(config, systemClock)
    const key = `doctor/${randomUUID()}`
    try {
      await store.put(key, Buffer.from('chancery doctor'))
      const found = await store.get(key)
      const content = found && (await text(found.stream))
      await store.delete(key)
      if (content !== 'chancery doctor') return failed('What was stored came back as something else.')
      return ok(
        config.S3_ENDPOINT === undefined ? 'in the data folder' : `in ${config.S3_BUCKET} at ${config.S3_ENDPOINT}`,
      )
    } finally {
      await store.close()
    }
  },
}

export const mail: Check = {
  name: 'Mail',
  advice: 'Check SMTP_HOST, SMTP_PORT, SMTP_SECURE, SMTP_USER and SMTP_PASSWORD.',
  run: async ({ config }) => {
    const { SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: pass = '' } = config
    if (host === undefined)
      return warning('SMTP_HOST is not set: emails stay in the outbox, for platform admins to read.')
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host,
      port,
      secure: config.SMTP_SECURE,
      connectionTimeout: 10_000,
      ...(user !== undefined && {
        auth: { user, pass },
        requireTLS: !['localhost', '127.0.0.1', '::1'].includes(host),
      }),
    })
    try {
      await transport.verify()
      return ok(`${host}:${port} answers${user === undefined ? '' : ' and lets us sign in'}`)
    } finally {
      transport.close()
    }
  },
}

const dayMs = 86_400_000

const daysOfCertificate = async (address: URL): Promise<number> => {
  const socket = connect({ host: address.hostname, port: Number(address.port || 443), servername: address.hostname })
  try {
    await once(socket, 'secureConnect')
    return (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs
  } finally {
    socket.destroy()
  }
}

export const proxy: Check = {
  name: 'Address',
  advice: 'Check SVC_URL, its DNS name, its certificate, and that the proxy leads to the server.',
  run: async ({ config }) => {
    if (config.SVC_URL === undefined) return warning('SVC_URL is not set: links in emails lead to localhost.')
    const address = new URL(config.SVC_URL)
    const { status } = await fetch(new URL('/ready', address), { redirect: 'manual' })
    if (status !== 200) return failed(`${address.origin}/ready answers ${status}: the proxy or the server isn't ready.`)
    if (address.protocol === 'http:') return warning(`${address.origin} answers, without TLS: let a proxy add it.`)
    const days = Math.floor(await daysOfCertificate(address))
    if (days < 21) return warning(`The certificate of ${address.host} ends in ${days} days: renew it.`)
    if (config.TRUSTED_PROXIES.length === 0)
      return warning('TRUSTED_PROXIES is empty: limits and logs see the address of the proxy instead of the client’s.')
    return ok(`${address.origin} answers; its certificate is valid for ${days} days`)
  },
}
