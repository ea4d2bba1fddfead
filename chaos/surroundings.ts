/** What servers need around them: a model, a store for files, a mail server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPeer } from '../bench/lib/child.ts'
import { startS3 } from '../server/test/peers/s3.ts'
import { startSmtp } from '../server/test/peers/smtp.ts'

export interface Surroundings {
  /** By which the servers find them. */
  env: Record<string, string>
  /** Of the model. */
  model: string
  /** The link in the email to this address, once it has come. */
  linkTo(email: string): Promise<string>
  stop(): Promise<void>
}

/** The program of models and hostile servers. */
export const peerProgram = new URL('./tenants/peer.ts', import.meta.url).pathname

export const startSurroundings = async (): Promise<Surroundings> => {
  const [model, store, mailServer] = await Promise.all([startPeer(peerProgram, ['swift']), startS3(), startSmtp()])
  return {
    env: {
      COMPAT_API_BASE_URLS: `${model.url}/v1`,
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(mailServer.port),
      S3_ENDPOINT: store.endpoint,
      S3_BUCKET: store.bucket,
      S3_REGION: store.region,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    },
    model: model.url,
    linkTo: async (email) => {
      for (;;) {
        const mail = mailServer.mails.find(({ recipients }) => recipients.includes(email))
        const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
        if (link !== undefined) return link
        await sleep(50)
      }
    },
    stop: async () => {
      await Promise.all([model.stop(), store.close(), mailServer.close()])
    },
  }
}
