/** A PDF encrypted as programs did before AES-256 (ISO 32000-1, 7.6.3), which no library here writes any more. */
import { createCipheriv, createHash } from 'node:crypto'
import { rc4 } from '#modules/pdf/strict/rc4.ts'
import { onePage, rawPdf, say } from './raw-pdf.ts'

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password), padding]).subarray(0, 32)
const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`
const shifted = (key: Buffer, round: number): Buffer => Buffer.from(key.map((byte) => byte ^ round))

const kinds = {
  'RC4-40': { version: 1, revision: 2, length: 5 },
  'RC4-128': { version: 2, revision: 3, length: 16 },
  'AES-128': { version: 4, revision: 4, length: 16 },
}

export const oldEncryptedPdf = (kind: keyof typeof kinds, { user, owner }: { user: string; owner: string }): Buffer => {
  const { version, revision, length } = kinds[kind]
  const often = (hash: Buffer): Buffer => {
    for (let round = 0; revision > 2 && round < 50; round += 1) hash = md5(hash.subarray(0, length))
    return hash.subarray(0, length)
  }
  const rounds = (key: Buffer, data: Buffer): Buffer => {
    for (let round = 0; round < (revision > 2 ? 20 : 1); round += 1) data = rc4(shifted(key, round), data)
    return data
  }
  const id = Buffer.from('0123456789abcdef')
  const ownerEntry = rounds(often(md5(padded(owner))), padded(user))
  const key = often(md5(padded(user), ownerEntry, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id))
  const check = revision === 2 ? padding : Buffer.concat([md5(padding, id)])
  const userEntry = Buffer.concat([rounds(key, check), Buffer.alloc(32)]).subarray(0, 32)
  const salt = kind === 'AES-128' ? Buffer.from('sAlT') : Buffer.alloc(0)
  const ownKey = md5(key, Buffer.from([4, 0, 0, 0, 0]), salt).subarray(0, Math.min(16, length + 5))
  const content = Buffer.from(say('Shown'))
  const iv = Buffer.alloc(16, 7)
  const aes = (): Buffer => {
    const cipher = createCipheriv('aes-128-cbc', ownKey, iv)
    return Buffer.concat([iv, cipher.update(content), cipher.final()])
  }
  const data = kind === 'AES-128' ? aes() : rc4(ownKey, content)
  const filters = version === 4 ? '/CF << /StdCF << /CFM /AESV2 /Length 16 >> >> /StmF /StdCF /StrF /StdCF' : ''
  const encrypt = `<< /Filter /Standard /V ${version} /R ${revision} /Length ${length * 8} /P -4 /O ${hex(ownerEntry)} /U ${hex(userEntry)} ${filters} >>`
  const parts = onePage().map(([number, text]) =>
    number === 4
      ? ([4, `<< /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`] as const)
      : ([number, text] as const),
  )
  return rawPdf(parts, { trailer: `/Encrypt ${encrypt} /ID [${hex(id)} ${hex(id)}]` })
}
