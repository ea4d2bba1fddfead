/** A software authenticator with one passkey, as a browser would hand its answers over (WebAuthn Level 3, JSON). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Options {
  challenge: string
  rpId?: string
  rp?: { id?: string }
}

interface Lies {
  origin?: string
  rpId?: string
  /** What it says it has counted to; 0 for one that doesn't count. */
  counter?: number
  /** Whether its holder unlocked it. */
  isUnlocked?: boolean
  challenge?: string
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer): string => data.toString('base64url')

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const integer = (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value))
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
const map = (...pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, pairs.length), ...pairs.flat()])

const flags = { present: 1, unlocked: 4, hasCredential: 64 }

export const createPasskey = (home: { origin: string; rpId: string }, id = randomBytes(16)) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let count = 0

  const cose = map(
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  )
  const authenticatorData = ({ rpId = home.rpId, counter, isUnlocked = true }: Lies, credential?: Buffer): Buffer => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter ?? count)
    const flag = flags.present | (isUnlocked ? flags.unlocked : 0) | (credential ? flags.hasCredential : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flag]), counted, ...(credential ? [credential] : [])])
  }
  const clientData = (type: string, { challenge }: Options, lies: Lies): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? home.origin }))
  const shell = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }

  return {
    id: base64url(id),
    create: (options: Options, lies: Lies = {}) => {
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(authenticatorData(lies, credential))],
      )
      return {
        ...shell,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, lies)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    answer: (options: Options, lies: Lies = {}) => {
      count += 1
      const data = authenticatorData(lies)
      const client = clientData('webauthn.get', options, lies)
      return {
        ...shell,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        },
      }
    },
  }
}

export type Passkey = ReturnType<typeof createPasskey>
