/** Sealed files are judged by pdfsig and openssl, and what is on their pages by poppler. */
import { X509Certificate } from 'node:crypto'
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { PDF, PdfStream } from '@libpdf/core'
import { describe, expect, it, vi } from 'vitest'
import { ChildFailure } from '#kernel/child/index.ts'
import { withStore } from '#test/harness/forgeries.ts'
import { signLater, someoneElse } from '#test/harness/pdf-revisions.ts'
import { activePdf, foreignSignedPdf, formPdf, inheritingPdf, plainPdf, pngOf, scanPdf } from '#test/harness/pdfs.ts'
import { fieldWith, type SealDesk, signedParts, startSealDesk } from '#test/harness/seals.ts'
import { startOpenssl, startRevocation, startTimestampAuthority } from '#test/peers/openssl.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { createSealKeys } from '../keys/seal-keys.ts'
import { readDrawn } from '../proof/read-drawn.ts'
import { createTrust } from '../public-check/trusted-authorities.ts'
import { resolverOf } from '../read/page-attributes.ts'

const desk = await startSealDesk()
const poppler = startPoppler()
const openssl = startOpenssl()
const authority = await startTimestampAuthority(openssl)
const stamped = { SIGNING_TSA_URL: authority.url }

const expectSealed = (file: Buffer, trusted: string): void => {
  const judged = poppler.pdfsig(file)
  expect(judged).toContain('Signature is Valid.')
  expect(judged).toContain('Total document signed')
  expect(judged).toContain('ETSI.CAdES.detached')
  expect(() => openssl.judge({ ...signedParts(file), trusted })).not.toThrow()
}
/** The document's only certifying signature, as a reader finds it: nothing may be added. */
const certifiedBy = (file: Buffer): boolean => {
  const text = file.toString('latin1')
  const [, signature] = /\/Perms <<\s*\/DocMDP (\d+) 0 R/.exec(text) ?? []
  const dict = text.slice(text.indexOf(`\n${signature} 0 obj`))
  const entries = dict.slice(0, dict.indexOf('endobj'))
  return ['/ByteRange', '/TransformMethod /DocMDP', '/P 1\n'].every((part) => entries.includes(part))
}
const selfMade = async (): Promise<string> => {
  const query = desk.door.kernel.db.selectFrom('sealCertificates').select('certificatePem')
  return openssl.write('self.crt', (await query.executeTakeFirstOrThrow()).certificatePem)
}

const verifyAt = async ({ door }: SealDesk, file: Buffer): Promise<VerifyReply> => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'a.pdf')
  return (await (await fetch(`${door.url}/api/public/verify`, { method: 'POST', body: form })).json()) as VerifyReply
}
const timeSourceFor = async (at: SealDesk, file: Buffer): Promise<string> =>
  String((await verifyAt(at, file)).signatures[0]?.timeSource)

/** The security store of a file, as a reader finds it. */
const storeIn = async (file: Buffer, name: string): Promise<Buffer[]> => {
  const pdf = await PDF.load(file)
  const list = pdf.getCatalog().getDict('DSS', resolverOf(pdf))?.getArray(name, resolverOf(pdf))
  return (list?.toArray() ?? []).flatMap((_, index) => {
    const item = list?.at(index, resolverOf(pdf))
    return item instanceof PdfStream ? [Buffer.from(item.getDecodedData())] : []
  })
}

describe('a sealed document', () => {
  it.each<[string, () => Promise<Buffer[]>]>([
    ['one file', async () => [await plainPdf()]],
    ['several files', async () => [await plainPdf(), await formPdf(), await inheritingPdf()]],
    ['a form with annotations', async () => [await formPdf()]],
    ['a file that somebody else signed', async () => [await foreignSignedPdf()]],
  ])('made of %s is valid for pdfsig and openssl', async (_name, files) => {
    expectSealed(await desk.seal(await files(), [fieldWith('Hello')]), await selfMade())
  })

  it.each<[string, Record<string, string>, string]>([
    ['a P12 file', { SIGNING_P12_PATH: openssl.path('rsa.p12'), SIGNING_P12_PASSWORD: 'secret' }, 'CN=rsa'],
    ['a PEM file', { SIGNING_PEM_PATH: openssl.path('ec.pem') }, 'CN=ec'],
  ])('is signed with the key of %s, and with a time-stamp where there is an authority', async (_name, env, signer) => {
    const stamping = await startSealDesk({ ...env, SIGNING_TSA_URL: authority.url }, desk.door)
    const sealed = await stamping.work.seal(await stamping.request([await plainPdf()]))
    expect(sealed).toMatchObject({ level: 'B-T', signer })
    expectSealed(await stamping.read(sealed.blobId), 'ca.crt')
  })

  it('has a time that is believed only where the operator names the root of its authority', async () => {
    const stamping = await startSealDesk({ ...stamped, SIGNING_TSA_CA_PATH: openssl.path('ca.crt') }, desk.door)
    const file = await stamping.seal([await plainPdf()])
    expect(await timeSourceFor(stamping, file)).toBe('authority')
    expect(await timeSourceFor(desk, file)).toBe('untrusted_authority')
    const certificates = ['tsa.crt', 'ca.crt'].map((name) => new X509Certificate(openssl.read(name)).raw)
    const verdicts = ['ca.crt', 'rsa.crt'].map(async (name) => {
      const { authority: isTrusted } = await createTrust({
        SIGNING_TSA_CA_PATH: openssl.path(name),
        SIGNING_SIGNER_CA_PATH: undefined,
      })
      return isTrusted({ at: new Date(), certificates })
    })
    expect(await Promise.all(verdicts)).toEqual([true, false])
  })

  it('is not made without the time-stamp that was configured, and nothing is stored', async () => {
    const stamping = await startSealDesk(stamped, desk.door)
    const request = await stamping.request([await plainPdf()])
    const before = await stamping.door.storedFiles()
    for (const answer of [
      { status: 500, body: Buffer.from('down') },
      { status: 200, body: Buffer.from('<html>') },
    ]) {
      authority.answer = answer
      await expect(stamping.work.seal(request)).rejects.toMatchObject({ code: 'seal_timestamp_failed' })
    }
    authority.answer = undefined
    expect(await stamping.door.storedFiles()).toEqual(before)
  })

  it('carries proof that no certificate was revoked where it can be had, and nothing else may follow the signature', async () => {
    const revocation = await startRevocation()
    const { peer } = revocation
    const stamping = await startTimestampAuthority(peer)
    // Without the root, which the certificate says where to find.
    peer.write('short.pem', Buffer.concat([peer.read('ec.key'), peer.read('ec.crt')]))
    const lasting = await startSealDesk({
      SIGNING_PEM_PATH: peer.path('short.pem'),
      SIGNING_TSA_URL: stamping.url,
      OUTBOUND_ALLOWED_HOSTS: revocation.host,
    })
    const request = await lasting.request([await plainPdf()])
    const sealed = await lasting.work.seal(request)
    expect(sealed.level).toBe('B-LT')
    const file = await lasting.read(sealed.blobId)
    expect(certifiedBy(file)).toBe(true)
    expect(poppler.pdfsig(file)).toContain('Signature is Valid.')
    expect(() => peer.judge({ ...signedParts(file), trusted: 'ca.crt' })).not.toThrow()
    const [answer = Buffer.alloc(0)] = await storeIn(file, 'OCSPs')
    const about = ['-issuer', 'ca.crt', '-cert', 'ec.crt', '-CAfile', 'ca.crt', '-no_nonce']
    expect(peer.openssl('ocsp', '-respin', peer.write('found.ocsp', answer), ...about)).toContain('ec.crt: good')
    const [list = Buffer.alloc(0)] = await storeIn(file, 'CRLs')
    peer.openssl('crl', '-inform', 'DER', '-in', peer.write('found.crl', list), '-out', 'found.pem')
    const checked = ['-crl_check', '-CAfile', 'ca.crt', '-CRLfile', 'found.pem', 'tsa.crt']
    expect(peer.openssl('verify', '-purpose', 'any', ...checked)).toContain('tsa.crt: OK')
    expect(await storeIn(file, 'Certs')).toHaveLength(3)

    const whole = { valid: true, coversWholeFile: true, signatures: [{ bytesAppended: 0, changes: [] }] }
    expect(await verifyAt(lasting, file)).toMatchObject(whole)
    const later = await verifyAt(lasting, await signLater(file, { sign: await someoneElse() }))
    expect(later).toMatchObject({ valid: false, sealedHere: true, laterSignatures: [{ intact: true }] })
    const longer = await verifyAt(lasting, Buffer.concat([file, Buffer.from('\n% more\n')]))
    expect(longer).toMatchObject({ valid: false, intact: false, coversWholeFile: false })
    const [, rest = '', length = ''] = /\/ByteRange \[0 \d+ (\d+) (\d+)/.exec(file.toString('latin1')) ?? []
    const signed = file.subarray(0, Number(rest) + Number(length))
    const certificates = await storeIn(file, 'Certs')
    expect(await verifyAt(lasting, await withStore(signed, { certificates, crls: [list] }))).toMatchObject(whole)
    for (const store of [
      {},
      { certificates },
      { certificates: [Buffer.from('more')], crls: [list] },
      { certificates, crls: [Buffer.concat([list, Buffer.from('more')])] },
    ]) {
      const stuffed = await verifyAt(lasting, await withStore(signed, store))
      expect(stuffed, Object.keys(store).join()).toMatchObject({ valid: false, coversWholeFile: false })
    }
    const pdf = await PDF.load(file)
    pdf.getPage(0)?.drawText('Not agreed', { x: 50, y: 50 })
    const drawn = await verifyAt(lasting, Buffer.from(await pdf.save({ incremental: true })))
    expect(drawn).toMatchObject({ valid: false, coversWholeFile: false })

    // A file that is too much for the child with the proof is sealed without it.
    const { children } = lasting.door.kernel
    const { run } = children
    const failing = vi.spyOn(children, 'run').mockImplementation(async (worker, task, ...rest) => {
      if (task === 'secure') throw new ChildFailure('child_out_of_memory', 'The process ran out of memory.')
      return run(worker, task, ...rest)
    })
    expect(await lasting.work.seal(request)).toMatchObject({ level: 'B-T' })
    failing.mockRestore()

    // Answers are used again for a while.
    lasting.door.clock.forward({ minutes: 11 })
    revocation.isDown = true
    const short = await lasting.work.seal(request)
    expect(short.level).toBe('B-T')
    expect(await verifyAt(lasting, await lasting.read(short.blobId))).toMatchObject(whole)
    // So are failures, for less long.
    const { requests } = revocation
    expect(await lasting.work.seal(request)).toMatchObject({ level: 'B-T' })
    expect(revocation.requests).toBe(requests)
    lasting.door.clock.forward({ minutes: 6 })
    Object.assign(revocation, { isDown: false, revoked: ['ec'] })
    const stored = await lasting.door.storedFiles()
    await expect(lasting.work.seal(request)).rejects.toMatchObject({
      code: 'seal_key_unusable',
      message: /was revoked/,
    })
    expect(await lasting.door.storedFiles()).toEqual(stored)
  })

  it('has its fields where they were placed on pages that are turned, cropped, or both', async () => {
    const crop = [50, 100, 350, 500] as const
    const shapes = [{ rotate: 90 }, { rotate: 180 }, { rotate: 270 }, { crop }, { crop, rotate: 270 }] as const
    const fields = shapes.map((_, index) => fieldWith('Placed', { page: index + 1 }))
    const file = await desk.seal([await plainPdf(shapes)], fields)
    const words = poppler.words(file).filter(({ text }) => text === 'Placed')
    expect(words.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5])
    for (const { page, x, y, bottom } of words) {
      expect(x, `page ${page}`).toBeCloseTo(0.5, 1)
      expect(y, `page ${page}`).toBeGreaterThan(0.25)
      expect(bottom, `page ${page}`).toBeLessThan(0.35)
    }
  })

  it('keeps the size and turn that pages inherit, and the fonts they share', async () => {
    const file = await desk.seal([await inheritingPdf()], [fieldWith('Placed', { page: 2 })])
    const words = poppler.words(file)
    expect(words.find(({ text }) => text === 'Placed')).toMatchObject({ page: 2 })
    expect(words.filter(({ page }) => page === 2).map(({ text }) => text)).toContain('Original')
  })

  it('shows the answers of a form on their own pages, and has no form any more', async () => {
    const file = await desk.seal([await formPdf()])
    const answers = poppler.words(file).filter(({ text }) => text.startsWith('Answer'))
    expect(answers.map(({ page, text }) => [page, text])).toEqual([
      [1, 'Answer1'],
      [2, 'Answer2'],
    ])
    expect((await PDF.load(file)).getForm()?.getFieldNames()).toEqual(['Seal'])
  })

  it('runs nothing when it is opened, and keeps its links', async () => {
    const file = await desk.seal([await activePdf()])
    expect(file.toString('latin1')).not.toContain('JavaScript')
    expect(file.toString('latin1')).toContain('https://example.test/')
  })

  it('draws every kind of value, in every script that it accepts, with embedded fonts', async () => {
    const texts = ['Grüße', 'Ωμέγα', 'Привет', '张伟', 'やまだ', '김철수']
    const fields = texts.map((text, index) => fieldWith(text, { y: 0.1 * index, height: 0.08 }))
    const file = await desk.seal(
      [await plainPdf()],
      [
        ...fields,
        fieldWith({ typed: 'Bob' }, { type: 'SIGNATURE', x: 0.05, y: 0.7 }),
        fieldWith({ png: pngOf(20).toString('base64') }, { type: 'INITIALS', x: 0.05, y: 0.85 }),
        fieldWith(true, { type: 'CHECKBOX', x: 0.05, y: 0.1, width: 0.05, height: 0.03 }),
      ],
    )
    for (const text of [...texts, 'Bob']) expect(poppler.text(file)).toContain(text)
    const embedded = poppler
      .fonts(file)
      .split('\n')
      .filter((line) => /DejaVu|Chocolate|Nanum/.test(line))
    expect(embedded.length).toBe(3)
    for (const line of embedded) expect(line).toMatch(/^[A-Z]{6}\+.* yes yes yes /)
    expectSealed(file, await selfMade())
  })

  it('ends with a certificate that tells who signed what, and that nobody vouches for a self-made certificate', async () => {
    const original = await plainPdf()
    const text = poppler.text(await desk.seal([original])).replace(/\s+/g, ' ')
    for (const part of [
      'Certificate of completion',
      'bob@example.test',
      '192.0.2.7',
      'no certificate authority vouches',
    ])
      expect(text).toContain(part)
    const { evidence } = await desk.request([original])
    expect(text).toContain(evidence.chainHead.hash)
  })

  it('A39: shows line breaks and PDF syntax in a title, a name or a value as text, and as nothing else', async () => {
    const evil = 'x)\r\n>> endobj /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'
    const request = await desk.request([await plainPdf()], [fieldWith(evil, { signerName: evil })])
    const named = { ...request, title: evil, evidence: { ...request.evidence, title: `${evil}\0` } }
    const file = await desk.read((await desk.work.seal(named)).blobId)
    expectSealed(file, await selfMade())
    const pdf = await PDF.load(file)
    // In a PDF string, every line break reads as a line feed.
    expect(pdf.getTitle()).toBe(evil.replace('\r\n', '\n'))
    expect([...pdf.getCatalog().keys()].map(({ value }) => value)).not.toContain('OpenAction')
  })

  it('can be as large as an upload may be', { timeout: 120_000 }, async () => {
    const picture = Buffer.alloc(100 * 1024 * 1024 - 1_000, 'a camera’s bytes, which nobody packs any smaller')
    const file = scanPdf(picture)
    const sealed = await desk.work.seal(await desk.request([file], [fieldWith('Agreed')]))
    expect(sealed.bytes).toBeGreaterThan(file.length)
    expect(poppler.pdfsig(await desk.read(sealed.blobId))).toContain('Signature is Valid.')
  })

  it('is discarded when the file that was stored is not the one that was checked', async () => {
    const { children } = desk.door.kernel
    const request = await desk.request([await plainPdf()])
    const before = await desk.door.storedFiles()
    const { run } = children
    const checking = vi.spyOn(children, 'run').mockImplementation(async (...task) => {
      const found = (await run(...task)) as { checked: object }
      return { ...found, checked: { ...found.checked, sha256: '0'.repeat(64) } } as never
    })
    await expect(desk.work.seal(request)).rejects.toMatchObject({ code: 'seal_failed' })
    checking.mockRestore()
    expect(await desk.door.storedFiles()).toEqual(before)
  })

  it.each<[string, Record<string, string>]>([
    ['with a time-stamp', stamped],
    ['without one', {}],
  ])('is not made when its pages are not those that were uploaded, %s', async (_name, env) => {
    const sealing = await startSealDesk(env, desk.door)
    const uploaded = await plainPdf([{}, {}])
    const drawn = await readDrawn(uploaded)
    const request = await sealing.request([uploaded], [fieldWith('Placed')])
    const [file] = request.files
    if (!file) throw new Error('There is no file.')
    const another = await sealing.stage(await plainPdf([{}, { height: 500 }]))
    const before = await sealing.door.storedFiles()
    await expect(sealing.work.seal({ ...request, files: [{ ...file, blobId: another, drawn }] })).rejects.toMatchObject(
      { code: 'seal_failed', message: /^Page 2 / },
    )
    expect(await sealing.door.storedFiles()).toEqual(before)
    expect(await sealing.work.seal({ ...request, files: [{ ...file, drawn }] })).toMatchObject({
      comparison: { pages: 2 },
    })
  })

  it('is made of the original bytes again when sealing is repeated', async () => {
    const request = await desk.request([await plainPdf()], [fieldWith('Once')])
    await desk.work.seal(request)
    const again = await desk.read((await desk.work.seal(request)).blobId)
    expect(poppler.words(again).filter(({ text }) => text === 'Once')).toHaveLength(1)
  })
})

describe('the sealing key', () => {
  it('is made once, whichever of two nodes seals first', async () => {
    const request = await desk.request([await plainPdf()])
    const beside = await startSealDesk({}, desk.door)
    const signers = await Promise.all([desk.work.seal(request), beside.work.seal(request)])
    expect(signers.map(({ signer }) => signer)).toEqual([signers[0]?.signer, signers[0]?.signer])
    expect(await desk.door.kernel.db.selectFrom('sealCertificates').selectAll().execute()).toHaveLength(1)
  })

  it.each([
    ['has another password', { SIGNING_P12_PATH: openssl.path('rsa.p12'), SIGNING_P12_PASSWORD: 'wrong' }],
    ['is missing', { SIGNING_PEM_PATH: openssl.path('nowhere.pem') }],
    ['holds no key', { SIGNING_PEM_PATH: openssl.path('ca.crt') }],
  ])('stops the start with one sentence when its file %s', async (_name, env) => {
    const { kernel } = desk.door
    await expect(createSealKeys({ ...kernel, config: { ...kernel.config, ...env } })).rejects.toMatchObject({
      name: 'StartError',
      message: /^SIGNING_\w+: the file /,
    })
  })
})
