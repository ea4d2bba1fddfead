/** Certificates in every language, as another reader sees them. */
import { auditTypes, type Evidence, type EvidenceSeal } from '@chancery/contract/signing/evidence.ts'
import { removedKinds } from '@chancery/contract/signing/prepared.ts'
import { signingLanguages } from '@chancery/contract/signing/signing.ts'
import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { startPoppler } from '#test/peers/poppler.ts'
import { createTextPen } from '../draw-text.ts'
import { undrawable } from '../text/drawable.ts'
import { deviceName } from './device-name.ts'
import { durationText } from './format.ts'
import { certificateTexts } from './languages/languages.ts'
import { writeCertificate } from './write-certificate.ts'

const poppler = startPoppler()
const at = '2026-03-01T10:00:00.000Z'
const hash = 'ab'.repeat(32)
const [documentId, fileId] = ['01900000-0000-7000-8000-00000000000d', '01900000-0000-7000-8000-0000000000f0']
const ana = { name: 'Ana', email: 'ana@example.test' }
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const fieldOf = (id: number, more: Partial<Evidence['recipients'][number]['fields'][number]>) => ({
  id: `${id}`,
  fileId,
  page: 3,
  type: 'TEXT' as const,
  label: null,
  before: null,
  after: null,
  filledBy: 'SIGNER' as const,
  at,
  changes: 1,
  ...more,
})

const entryOf = (seq: number, more: Partial<Evidence['audit'][number]> = {}): Evidence['audit'][number] => ({
  seq,
  type: 'fields_filled',
  at,
  actor: { type: 'recipient', ...ana },
  ip: '192.0.2.7',
  userAgent,
  detail: {},
  prevHash: hash,
  hash: seq.toString(16).padStart(64, '0'),
  ...more,
})

const facts: Evidence & { seal: EvidenceSeal } = {
  version: 2,
  documentId,
  title: 'A contract',
  language: 'en',
  organizationName: 'Acme',
  owner: ana,
  createdAt: at,
  sentAt: at,
  signedAt: at,
  files: [
    {
      id: fileId,
      name: 'contract.pdf',
      sha256: hash,
      bytes: 1_234_567,
      pageCount: 37,
      upload: { name: 'contract.docx', sha256: 'cd'.repeat(32), bytes: 4_711 },
      removed: removedKinds.map((kind) => ({ kind, count: 2, pages: [1] })),
      earlierSignatures: [{ name: 'A notary', at, subject: 'CN=A notary' }],
    },
  ],
  recipients: [
    {
      id: '01900000-0000-7000-8000-0000000000b0',
      name: 'Bob Signer',
      email: 'bob@example.test',
      role: 'SIGNER',
      order: 1,
      state: 'SIGNED',
      authentication: 'copied_link_and_code',
      codeVerifiedAt: at,
      notifiedAt: at,
      openedAt: at,
      consentedAt: at,
      consentVersion: '2026-11-1-en',
      consentSha256: 'ef'.repeat(32),
      signedAt: at,
      secondsToSign: 199,
      ip: '192.0.2.7',
      userAgent,
      timeZone: 'Asia/Tokyo',
      viewed: [{ fileId, name: 'contract.pdf', sha256: hash, pageCount: 37, at, via: 'copied_link' }],
      devices: [{ ip: '192.0.2.7', userAgent, firstAt: at, lastAt: at }],
      fields: [
        fieldOf(1, { label: 'Price', before: '100', after: '120' }),
        fieldOf(2, { type: 'SIGNATURE', after: { mark: 'drawn', sha256: hash } }),
        fieldOf(3, { type: 'CHECKBOX', after: true }),
        fieldOf(4, { label: 'Remark', after: { begins: 'It begins', characters: 1_999, sha256: hash } }),
        fieldOf(5, { type: 'DATE', after: '2026-03-01', filledBy: 'SERVICE' }),
      ],
      prefilled: [],
    },
  ],
  changes: [
    { at, type: 'delegated', by: ana, from: ana, to: { name: 'Eve', email: 'eve@example.test' }, endsLinks: true },
  ],
  comparison: { pages: 37 },
  audit: auditTypes.map((type, index) => entryOf(index + 1, { type })),
  chainHead: { seq: auditTypes.length, hash },
  seal: {
    signer: 'CN=Acme',
    issuer: 'CN=Acme',
    fingerprint: '12'.repeat(32),
    isSelfMade: true,
    verifyUrl: 'https://example.test/verify',
    sealedAt: at,
    hasTimestamp: true,
  },
}

const write = async (more: Partial<typeof facts> = {}): Promise<string> => {
  const pdf = PDF.create()
  writeCertificate(pdf, createTextPen(pdf), { ...facts, ...more })
  return poppler.text(await pdf.save({ subsetFonts: true })).replace(/[\s\u200e\u200f\u202a-\u202c]+/g, ' ')
}

/** Every sentence, each with something to name. */
const wordsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [String(value('1', '2', true))]
  return Object.values(value as object).flatMap(wordsIn)
}

describe('a certificate', () => {
  it('tells who saw and did what, with every hash', async () => {
    const text = await write()
    for (const said of [
      'Certificate of completion',
      'contract.pdf',
      `${hash} SHA-256 of the file that was shown and signed, 1,234,567 bytes`,
      `${'cd'.repeat(32)} contract.docx, 4,711 bytes`,
      'Scripts: 2 Actions: 2',
      'Private data of programs: 2',
      'A notary, 2026-03-01 10:00:00',
      'Link handed over, not emailed, and one-time code sent to this email address',
      `2026-03-01 10:00:00 UTC contract.pdf Pages: 37 SHA-256 ${hash} by a link that was handed over`,
      'March 1, 2026 at 19:00:00',
      `Text 2026-11-1-en SHA-256 ${'ef'.repeat(32)}`,
      '3 minutes, 19 seconds',
      '192.0.2.7, Firefox 145, Linux',
      'Price 3 100 120 2026-03-01 10:00:00',
      'Signature 3 – Drawn',
      'It begins… (1,999',
      'Passed on by Ana <ana@example.test> to Eve <eve@example.test>. Earlier links ended.',
      'Pages compared: 37. All the same.',
      'Only proof that the certificates were valid may follow',
      'https://example.test/verify',
      entryOf(1).hash,
      `Page 1 of `,
    ])
      expect(text).toContain(said)
  })

  it('says nothing of a comparison that was not made', async () => {
    expect(await write({ comparison: null })).not.toContain('compared')
  })

  it.each(signingLanguages)('can be drawn in %s, every sentence of it', async (language) => {
    const texts = certificateTexts[language]
    expect(wordsIn(texts).flatMap((words) => undrawable(words))).toEqual([])
    const text = await write({ language, changes: [] })
    expect(text).not.toContain('[U+')
    expect(text).toContain(hash)
    expect(text).toContain(documentId)
    const missing = wordsIn([texts.title, texts.roles.SIGNER]).filter(
      (words) => !text.normalize('NFKC').includes(words),
    )
    // Arabic is told by its joined forms, from left to right.
    expect(language === 'ar' ? [] : missing).toEqual([])
  })

  it('names repeated entries on one line, with the hash of the last', async () => {
    const text = await write({ audit: [1, 2, 3].map((seq) => entryOf(seq)) })
    expect(text).toContain('1–3')
    expect(text).toContain(entryOf(3).hash)
    expect(text).not.toContain(entryOf(2).hash)
  })

  it('leaves the middle of a very long log to the file that is attached', async () => {
    const audit = Array.from({ length: 1_000 }, (_, index) =>
      entryOf(index + 1, { type: index % 2 ? 'opened' : 'reminded' }),
    )
    const text = await write({ audit })
    expect(text).toContain('More entries in evidence.json: 600')
    for (const seq of [1, 300, 901, 1_000]) expect(text).toContain(entryOf(seq).hash)
    for (const seq of [301, 900]) expect(text).not.toContain(entryOf(seq).hash)
  })

  it('stays short, whatever was typed', async () => {
    const [recipient] = facts.recipients
    if (!recipient) throw new Error('There is no recipient.')
    const endless = '字'.repeat(2_000)
    const fields = Array.from({ length: 20 }, (_, index) =>
      fieldOf(index, { label: endless, after: `${endless}\n\n\n` }),
    )
    const devices = Array.from({ length: 500 }, (_, index) => ({
      ip: `${index}`,
      userAgent: endless,
      firstAt: at,
      lastAt: at,
    }))
    const pdf = PDF.create()
    writeCertificate(pdf, createTextPen(pdf), {
      ...facts,
      recipients: [{ ...recipient, userAgent: endless, fields, devices }],
    })
    expect(pdf.getPages().length).toBeLessThan(12)
  })
})

describe('words of a certificate', () => {
  it.each([
    [0, '0 seconds'],
    [61, '1 minute, 1 second'],
    [3_600, '1 hour'],
    [90_061, '1 day, 1 hour'],
  ])('say %d seconds as people do', (seconds, text) => {
    expect(durationText('en', seconds)).toBe(text)
  })

  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Edge 142, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari 18, iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome 142, Android',
    ],
    ['curl/8.9.1', undefined],
  ])('name a browser and its system', (userAgentText, name) => {
    expect(deviceName(userAgentText)).toBe(name)
  })
})
