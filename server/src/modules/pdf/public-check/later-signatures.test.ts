/** Files that somebody else signed, before or after this service sealed them or without it, and what is said of whom. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { CryptoKeySigner, PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import {
  appendRevision,
  type Sign,
  signAlone,
  signLater,
  someoneElse,
  structureOf,
  withEntry,
} from '#test/harness/pdf-revisions.ts'
import { plainPdf } from '#test/harness/pdfs.ts'
import { documentId, sealedBefore, startSealDesk } from '#test/harness/seals.ts'
import { startOpenssl } from '#test/peers/openssl.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { makeCertificate } from '../cms/make-certificate.ts'
import { timestampRequest, tokenIn } from '../cms/timestamp.ts'

const openssl = startOpenssl()
const poppler = startPoppler()
const desk = await startSealDesk({ TRUSTED_PROXIES: '127.0.0.1' })
const knowing = await startSealDesk(
  { TRUSTED_PROXIES: '127.0.0.1', SIGNING_SIGNER_CA_PATH: openssl.path('ca.crt') },
  desk.door,
)
const sealed = await sealedBefore(desk, await plainPdf([{}, {}]))
const certified = await desk.seal([await plainPdf([{}, {}])])
const sign = await someoneElse()
let callers = 0

const verify = async (file: Buffer, at = desk): Promise<VerifyReply> => {
  callers += 1
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'a.pdf')
  const headers = { 'x-forwarded-for': `198.51.100.${callers}` }
  const reply = await fetch(`${at.door.url}/api/public/verify`, { method: 'POST', body: form, headers })
  expect(reply.status).toBe(200)
  return (await reply.json()) as VerifyReply
}

/** As `openssl cms` signs: the time is in the signature, with the certificate of an authority. */
const signWithOpenssl =
  (name: 'rsa' | 'tsa' = 'rsa'): Sign =>
  async (content) => {
    const signer = ['-signer', openssl.path(`${name}.crt`), '-inkey', openssl.path(`${name}.key`)]
    const form = ['-outform', 'DER', '-md', 'sha256', '-certfile', openssl.path('ca.crt')]
    return execFileSync('openssl', ['cms', '-sign', '-binary', ...form, ...signer], { input: content })
  }

const stamp: Sign = async (content) => {
  const request = timestampRequest(content)
  return tokenIn(openssl.timestampReply(request.body), request)
}

const stranger = async (): Promise<CryptoKeySigner> => {
  const { keyPem, certificatePem } = await makeCertificate(new Date(), 'A library')
  const der = Buffer.from(keyPem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const key = await crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  return new CryptoKeySigner(key, new X509Certificate(certificatePem).raw, 'EC', 'ECDSA')
}

describe('a later signature', () => {
  it('by any program is named, and the seal stays what it is', async () => {
    const byLibrary = await (await PDF.load(sealed)).sign({ signer: await stranger() })
    const files = {
      'by hand': await signLater(sealed, { sign }),
      'a PDF library': Buffer.from(byLibrary.bytes),
      openssl: await signLater(sealed, { sign: signWithOpenssl(), format: 'adbe.pkcs7.detached', more: '' }),
    }
    for (const [name, file] of Object.entries(files)) {
      expect(poppler.pages(file), name).toEqual(poppler.pages(sealed))
      const reply = await verify(file)
      const facts = { valid: true, intact: true, sealedHere: true, trusted: true, coversWholeFile: false, documentId }
      expect(reply, name).toMatchObject(facts)
      expect(reply.laterSignatures, name).toMatchObject([{ intact: true, trusted: false }])
      expect(reply.signer, name).not.toBe(reply.laterSignatures[0]?.signer)
      expect(reply.signatures[0]?.changes, name).toEqual([])
    }
  })

  it('that only says when an authority saw the file is named too', async () => {
    const file = await signLater(sealed, { sign: stamp, format: 'ETSI.RFC3161', more: '' })
    const reply = await verify(file)
    expect(reply).toMatchObject({ valid: true, documentId, laterSignatures: [{ signer: 'CN=tsa', intact: true }] })
    expect(reply.signatures).toHaveLength(1)
    const moved = Buffer.from(file)
    moved[sealed.length + 30] = (moved[sealed.length + 30] ?? 0) ^ 1
    expect(await verify(moved)).toMatchObject({ valid: false, intact: false })
  })

  it('is a change where the seal allows none, and a time-stamp of the file isn’t', async () => {
    const reply = await verify(await signLater(certified, { sign }))
    expect(reply).toMatchObject({ valid: false, intact: false, sealedHere: true, laterSignatures: [{ intact: true }] })
    expect(reply.signatures[0]).toMatchObject({ reason: 'changed', changes: [{ kind: 'signature_added' }] })
    const stamped = await verify(await signLater(certified, { sign: stamp, format: 'ETSI.RFC3161', more: '' }))
    expect(stamped).toMatchObject({ valid: true, documentId, laterSignatures: [{ signer: 'CN=tsa', intact: true }] })
  })

  it('may be followed by another', async () => {
    const twice = await signLater(await signLater(sealed, { sign }, { field: '/T (One)' }), { sign })
    const reply = await verify(twice)
    expect(reply).toMatchObject({ valid: true, documentId })
    expect(reply.laterSignatures).toHaveLength(2)
  })

  it('that is drawn on a page, or comes with a change, is named beside the change', async () => {
    const structure = await structureOf(sealed)
    const looks = [
      { field: '/Rect [50 50 200 200] /AP << /N 5 0 R >>' },
      { page: '/Rotate 90' },
      { field: '/T (Seal)' },
      { field: '/A << /S /Named /N /Print >>' },
      // For readers that search for objects.
      { field: '/TU (\n3 0 obj << /Type /Page >> endobj\n)' },
    ]
    for (const look of looks) {
      const reply = await verify(await signLater(sealed, { sign }, look))
      expect(reply, JSON.stringify(look)).toMatchObject({ valid: false, intact: false, sealedHere: true })
      expect(reply, JSON.stringify(look)).not.toHaveProperty('documentId')
      expect(reply.laterSignatures, JSON.stringify(look)).toMatchObject([{ intact: true }])
      expect(reply.signatures[0], JSON.stringify(look)).toMatchObject({ reason: 'changed', valid: false })
    }
    const [first = 0] = structure.pages
    const turned = await appendRevision(sealed, [[first, withEntry(structure.text(first), 'Rotate', '90')]])
    expect(await verify(await signLater(turned, { sign }))).toMatchObject({ valid: false, sealedHere: true })
  })

  it('that is broken, or isn’t over the whole file, makes the file another', async () => {
    const later = await signLater(sealed, { sign })
    const broken = Buffer.from(later)
    const at = later.indexOf('/SubFilter', sealed.length)
    broken[at + 12] = (broken[at + 12] ?? 0) ^ 1
    for (const file of [
      broken,
      Buffer.concat([later, Buffer.from('\n')]),
      Buffer.concat([later, Buffer.from('% x\n')]),
    ])
      expect(await verify(file)).toMatchObject({ valid: false, intact: false })
  })
})

describe('a signature without a time in its dictionary', () => {
  it('is judged by the time in the signature, or by today', async () => {
    const plain = await plainPdf()
    const signed = await signAlone(plain, { sign: signWithOpenssl(), format: 'adbe.pkcs7.detached', more: '' })
    expect(await verify(signed)).toMatchObject({ valid: true, signedAt: expect.stringMatching(/^20/) })
    const untimed = await signAlone(plain, { sign, more: '' })
    expect(await verify(untimed)).toMatchObject({
      valid: true,
      signedAt: null,
      signatures: [{ timeSource: null, reason: null }],
    })
  })

  it('is not valid by a certificate that isn’t any more, and the reply says that this is why', async () => {
    const file = await signAlone(await plainPdf(), { sign, more: '/M (D:19990101000000Z)' })
    expect(await verify(file)).toMatchObject({ valid: false, intact: true, signatures: [{ reason: 'certificate' }] })
  })
})

describe('certificates for later checks that another program adds', () => {
  it('are told, and leave a signature by others valid, but are no part of our seal', async () => {
    const withStore = async (file: Buffer) => {
      const { root, size, text } = await structureOf(file)
      return appendRevision(file, [
        [root, withEntry(text(root), 'DSS', `${size} 0 R`)],
        [size, '<< >>'],
      ])
    }
    const theirs = await verify(await withStore(await signAlone(await plainPdf(), { sign })))
    expect(theirs).toMatchObject({ valid: true, signatures: [{ changes: [{ kind: 'security_store' }] }] })
    expect(await verify(await withStore(sealed))).toMatchObject({ valid: false, intact: false })
    const later = await verify(await withStore(await signLater(sealed, { sign })))
    expect(later).toMatchObject({ valid: true, documentId, signatures: [{ changes: [] }, {}] })
  })
})

describe('trust', () => {
  it('is not given to anybody with a root of their own, however intact the file is', async () => {
    const file = await signAlone(await plainPdf(), { sign: await someoneElse('European Central Bank') })
    const reply = await verify(file)
    expect(reply).toMatchObject({ intact: true, valid: true, trusted: false, sealedHere: false })
    expect(reply.signer).toContain('European Central Bank')
  })

  it('is given where the operator names the signer’s root, and then only for certificates that are made for documents', async () => {
    const file = await signAlone(await plainPdf(), { sign: signWithOpenssl(), format: 'adbe.pkcs7.detached' })
    expect(await verify(file)).toMatchObject({ intact: true, trusted: false })
    expect(await verify(file, knowing)).toMatchObject({ trusted: true, signatures: [{ trustedBy: 'authority' }] })
    const stamped = await signAlone(await plainPdf(), { sign: signWithOpenssl('tsa'), format: 'adbe.pkcs7.detached' })
    expect(await verify(stamped, knowing)).toMatchObject({ intact: true, trusted: false })
  })

  it('is given to the service itself', async () => {
    expect(await verify(sealed)).toMatchObject({ trusted: true, signatures: [{ trustedBy: 'this_service' }] })
  })
})
