/** What a passphrase protects: the secrets in a file are sealed with it, and all of the file is authenticated. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { SealedSecrets } from './format.ts'

const derive = promisify<string, Buffer, number, { N: number; maxmem: number }, Buffer>(scrypt)

/** 64 MB and about 0.2 s for each guess. */
const usualCost = 2 ** 16
/** Who wrote the file may not choose how much memory reading it takes. */
const maxCost = 2 ** 18
const blockBytes = 1024

export interface Keys {
  sealing: Buffer
  /** The MAC of everything that was digested. */
  macOf(digest: Buffer): string
}

const keysOf = async (passphrase: string, salt: Buffer, cost: number): Promise<Keys> => {
  const bytes = await derive(passphrase.normalize(), salt, 64, { N: cost, maxmem: cost * blockBytes * 2 })
  const authenticating = bytes.subarray(32)
  return {
    sealing: bytes.subarray(0, 32),
    macOf: (digest) => createHmac('sha256', authenticating).update(digest).digest('hex'),
  }
}

export const sealSecrets = async (
  passphrase: string,
  secrets: object,
): Promise<{ sealed: SealedSecrets; keys: Keys }> => {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const keys = await keysOf(passphrase, salt, usualCost)
  const cipher = createCipheriv('aes-256-gcm', keys.sealing, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final(), cipher.getAuthTag()])
  return {
    keys,
    sealed: {
      salt: salt.toString('base64'),
      cost: usualCost,
      nonce: nonce.toString('base64'),
      sealed: sealed.toString('base64'),
    },
  }
}

export const openSecrets = async <Secrets>(
  passphrase: string,
  { salt, cost, nonce, sealed }: SealedSecrets,
): Promise<{ secrets: Secrets; keys: Keys }> => {
  if (!(cost > 1 && cost <= maxCost)) throw new StartError('The file is damaged: its secrets cannot be read.')
  const keys = await keysOf(passphrase, Buffer.from(salt, 'base64'), cost)
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keys.sealing, Buffer.from(nonce, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(-16))
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString()
    return { keys, secrets: parseOwn(text) as Secrets }
  } catch {
    throw new StartError('The passphrase is not the one this file was made with.')
  }
}
