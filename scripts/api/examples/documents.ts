/** A document on its way to its recipients. */
import { createDocument, readDocument, sendDocument, setRecipients } from '../../../contract/src/endpoints/signing.ts'
import type { SigningDocument } from '../../../contract/src/signing/documents.ts'
import type { Example } from './example.ts'
import { example, sample } from './example.ts'

const signer = {
  id: sample.recipient,
  name: 'Grace Hopper',
  email: 'grace@navy.example',
  role: 'SIGNER',
  order: 1,
  message: null,
  language: null,
} as const

const draft: SigningDocument = {
  id: sample.document,
  title: 'Lease',
  folder: null,
  state: 'DRAFT',
  owner: { id: sample.user, name: 'Ada Byron' },
  progress: { signed: 0, total: 0 },
  signers: [],
  expiresAt: null,
  sentAt: null,
  endedAt: null,
  createdAt: sample.isoTime,
  updatedAt: sample.isoTime,
  message: null,
  summary: null,
  language: 'en',
  signingOrder: 'PARALLEL',
  emailOtp: false,
  allowDelegation: true,
  reminderDays: 3,
  files: [
    {
      id: sample.file,
      name: 'lease.pdf',
      sha256: sample.sha256,
      bytes: 48_213,
      pageCount: 1,
      pages: [{ width: 595, height: 842 }],
      hasSignatures: false,
      upload: { name: 'lease.pdf', sha256: sample.sha256, bytes: 48_190 },
      removed: [],
      earlierSignatures: [],
    },
  ],
  recipients: [],
  fields: [],
  versions: { files: '1', recipients: '1', fields: '1' },
  sealError: null,
  seal: null,
}

const ready: SigningDocument = {
  ...draft,
  progress: { signed: 0, total: 1 },
  signers: [{ name: signer.name, state: 'PENDING' }],
  recipients: [
    {
      ...signer,
      state: 'PENDING',
      notifiedAt: null,
      openedAt: null,
      signedAt: null,
      declineReason: null,
      replacedBy: null,
      mail: null,
      refusesMail: null,
    },
  ],
}

export const documentExamples: [string, Example][] = [
  example(createDocument, {
    note: 'A multipart form with one or more PDFs as `file`, and text fields beside them. Recipients and fields come next, then `POST /api/signing/documents/{id}/send`.',
    reply: draft,
    errors: ['pdf_signed'],
  }),
  example(setRecipients, {
    note: 'The whole list: who is not named is removed. Recipients who keep their `id` keep their fields.',
    params: { id: sample.document },
    body: [{ name: 'Grace Hopper', email: 'grace@navy.example', role: 'SIGNER', order: 1 }],
    reply: ready,
    errors: ['document_not_found'],
  }),
  example(sendDocument, {
    note: 'Recipients get their links by email. From now on the document changes only by what they do.',
    params: { id: sample.document },
    reply: { ...ready, state: 'SENT', sentAt: sample.isoTime },
    errors: ['document_not_found', 'document_not_ready'],
  }),
  example(readDocument, { params: { id: sample.document }, errors: ['document_not_found'] }),
]
