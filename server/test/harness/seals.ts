/** Seals documents with the real child and a real key, without the document flow. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Evidence } from '@chancery/contract/signing/evidence.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { createFindLoginPolicy, createOrganizations } from '#modules/organizations/index.ts'
import { buildCms } from '#modules/pdf/cms/build-cms.ts'
import { createPdfWork } from '#modules/pdf/index.ts'
import type { PdfWork, PlacedField, SealRequest } from '#modules/pdf/interface.ts'
import { insertSealUnscoped } from '#modules/pdf/keys/queries.ts'
import { createSealKeys } from '#modules/pdf/keys/seal-keys.ts'
import { type ChainEntry, chainStart, hashEntry } from '#modules/signing/evidence/chain.ts'
import { type Door, startDoor } from './door.ts'
import { type Sign, signAlone } from './pdf-revisions.ts'

export const documentId = '01900000-0000-7000-8000-00000000000d'
const at = new Date('2026-03-01T10:00:00.000Z')

const bob = '01900000-0000-7000-8000-0000000000b0'

const entryOf = (files: readonly { name: string; sha256: string }[]): ChainEntry => ({
  seq: 1,
  type: 'signed',
  at: at.toISOString(),
  actor: { type: 'recipient', name: 'Bob', email: 'bob@example.test' },
  ip: '192.0.2.7',
  userAgent: 'A browser',
  detail: { recipientId: bob, files, values: [] },
  prevHash: chainStart(documentId),
})

const evidenceOf = (contents: readonly Buffer[]): Evidence => {
  const files = contents.map((file, index) => ({
    id: `01900000-0000-7000-8000-0000000000f${index}`,
    name: `file ${index + 1}.pdf`,
    sha256: createHash('sha256').update(file).digest('hex'),
    bytes: file.length,
    pageCount: 1,
    upload: null,
    removed: [],
    earlierSignatures: [],
  }))
  const entry = entryOf(files.map(({ name, sha256 }) => ({ name, sha256 })))
  return {
    version: 2,
    documentId,
    title: 'A contract',
    language: 'en',
    organizationName: 'Acme',
    owner: { name: 'Ana', email: 'ana@example.test' },
    createdAt: entry.at,
    sentAt: entry.at,
    signedAt: entry.at,
    files,
    recipients: [
      {
        id: bob,
        name: 'Bob',
        email: 'bob@example.test',
        role: 'SIGNER',
        order: 1,
        state: 'SIGNED',
        authentication: 'link_and_code',
        codeVerifiedAt: entry.at,
        notifiedAt: entry.at,
        openedAt: entry.at,
        consentedAt: entry.at,
        consentVersion: '1',
        consentSha256: null,
        signedAt: entry.at,
        secondsToSign: 0,
        ip: '192.0.2.7',
        userAgent: 'A browser',
        timeZone: null,
        viewed: [],
        devices: [],
        fields: [],
        prefilled: [],
      },
    ],
    changes: [],
    comparison: null,
    audit: [{ ...entry, hash: hashEntry(entry) }],
    chainHead: { seq: 1, hash: hashEntry(entry) },
  }
}

/** A field in the middle of a page's upper half. */
export const fieldWith = (value: PlacedField['value'], more: Partial<PlacedField> = {}): PlacedField => ({
  page: 1,
  x: 0.5,
  y: 0.25,
  width: 0.4,
  height: 0.1,
  type: 'TEXT',
  value,
  signerName: 'Bob',
  ...more,
})

export interface SealDesk {
  door: Door
  work: PdfWork
  stage(file: Buffer): Promise<string>
  /** The request to seal these files, the fields on the first of them. */
  request(files: readonly Buffer[], fields?: PlacedField[]): Promise<SealRequest>
  read(blobId: string): Promise<Buffer>
  /** The sealed file's bytes. */
  seal(files: readonly Buffer[], fields?: PlacedField[]): Promise<Buffer>
}

type Beside = Pick<Door, 'databaseUrl' | 'clock' | 'dataDir'>

/** `beside`: a second node on the database of a first. */
export const startSealDesk = async (env: Record<string, string> = {}, beside?: Beside): Promise<SealDesk> => {
  const made: { work?: PdfWork } = {}
  const door = await startDoor({
    env,
    ...(beside && { beside }),
    routes: async (kernel) => {
      const organizations = createOrganizations({
        kernel,
        accounts: createAccounts({ kernel, findLoginPolicy: createFindLoginPolicy(kernel) }),
      })
      const work = await createPdfWork({ kernel, organizations })
      made.work = work
      return [...work.routes]
    },
  })
  const { work } = made
  if (!work) throw new Error('There is no PDF work.')
  const { blobs } = door.kernel
  const stage = async (file: Buffer): Promise<string> => (await blobs.stage(file, { area: 'signing' })).key
  const request: SealDesk['request'] = async (files, fields = []) => {
    const keys = await Promise.all(files.map(stage))
    return {
      documentId,
      title: 'A contract',
      files: keys.map((blobId, index) => ({
        blobId,
        name: `file ${index + 1}.pdf`,
        fields: index === 0 ? fields : [],
        drawn: null,
      })),
      evidence: evidenceOf(files),
      organizationId: null,
      tenant: 'tests',
    }
  }
  const read = async (blobId: string): Promise<Buffer> => {
    const blob = await blobs.get(blobId)
    if (!blob) throw new Error('The sealed file is missing.')
    return buffer(blob.stream)
  }
  return {
    door,
    work,
    stage,
    request,
    read,
    seal: async (files, fields) => read((await work.seal(await request(files, fields))).blobId),
  }
}

/** The signature and what it covers, found by the text of the file as a stranger would. */
export const signedParts = (file: Buffer): { cms: Buffer; content: Buffer } => {
  const [, start, end, rest] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\s*\]/.exec(file.toString('latin1')) ?? []
  const [from, to, length] = [Number(start), Number(end), Number(rest)]
  const padded = Buffer.from(file.toString('latin1', from + 1, to - 1), 'hex')
  return {
    // A sequence with a length of two bytes.
    cms: padded.subarray(0, 4 + padded.readUInt16BE(2)),
    content: Buffer.concat([file.subarray(0, from), file.subarray(to, to + length)]),
  }
}

/** Sealed as documents were before their signature allowed no later one. */
export const sealedBefore = async ({ door: { kernel } }: SealDesk, file: Buffer): Promise<Buffer> => {
  const { key, owner } = await (await createSealKeys(kernel)).current(null)
  const sign: Sign = async (content) => {
    const cms = await buildCms(key, createHash('sha256').update(content).digest())
    const signatureSha256 = createHash('sha256').update(cms).digest('hex')
    await insertSealUnscoped(kernel.db, { signatureSha256, documentId, createdAt: kernel.clock.now(), sealedBy: owner })
    return cms
  }
  return signAlone(file, { sign }, { field: '/T (Seal)' })
}
