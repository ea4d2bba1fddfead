/** What others run: Redis, the S3 store and the mail server. */
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
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
