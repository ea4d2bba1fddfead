/** Documents, as their owners and the organization's admins see and change them. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { maxFiles } from '@chancery/contract/signing/documents.ts'
import { TextDocumentBody } from '@chancery/contract/signing/written.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { parseWith } from '#kernel/http/bodies/validation.ts'
import { readIdempotencyKey } from '#kernel/http/idempotency-key.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { cancelDocument } from '../documents/cancel-document.ts'
import { changeDocument } from '../documents/change-document.ts'
import { addFiles, orderFiles, removeFile } from '../documents/change-files.ts'
import { copyLink, replaceRecipient, resendLink } from '../documents/change-recipient.ts'
import { createDocument } from '../documents/create-document.ts'
import { deleteDocument } from '../documents/delete-document.ts'
import { describeDocument } from '../documents/describe-document.ts'
import { proposeFieldsFor } from '../documents/propose-fields.ts'
import { readQuota } from '../documents/quota.ts'
import { readAudit, readCertificate, replyWithFile } from '../documents/read-evidence.ts'
import { sendDocument } from '../documents/send-document.ts'
import { setFields } from '../documents/set-fields.ts'
import { setRecipients } from '../documents/set-recipients.ts'
import { type Change, getDocument } from '../documents/with-document.ts'
import { replyWithCertificate } from '../evidence/certificate-file.ts'
import { presentHead } from '../present.ts'
import { listDocuments, nextCursor } from '../queries/documents.ts'
import { retrySeal } from '../sealing/retry-seal.ts'
import { remindNow } from '../time/remind-recipients.ts'
import { createFromText } from '../written/create-from-text.ts'
import { previewText } from '../written/preview-text.ts'

const upload = { maxBytes: 100 * 1024 * 1024, maxFiles }
/** A text of the longest kind with its variables. */
const maxTextBytes = 4 * 1024 * 1024
/** Two thousand fields, some with a prefilled drawing. */
const maxFieldsBytes = 8 * 1024 * 1024

export const documentRoutes = (context: SigningContext): Route[] => [
  ...draftRoutes(context),
  ...contentRoutes(context),
  ...sentRoutes(context),
  ...evidenceRoutes(context),
]

/** Does it, then answers the document as it is now. */
const thenDescribe = async (
  context: SigningContext,
  { actor, id, http }: { actor: Actor; id: string; http: HttpCall },
  act: (change: Change & { from: HttpCall }) => Promise<unknown>,
) => {
  await act({ actor, id, from: http, ifMatch: http.header('if-match') })
  return describeDocument(context, actor, { id })
}

const draftRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.createDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Create a document from one or more PDFs, each made safe first, or from JSON with `title` and `markdown` or `html`; the same `Idempotency-Key` again returns the same document',
    upload: { ...upload, orJson: true },
    maxBodyBytes: maxTextBytes,
    handle: async ({ actor, body, http }) => {
      const key = readIdempotencyKey(http.header('idempotency-key'))
      if (http.json !== undefined) {
        const { title, ...source } = parseWith(TextDocumentBody, http.json)
        const made = await createFromText(context, actor, { title, source, from: http, key })
        return describeDocument(context, actor, { id: made })
      }
      const { title, ...form } = body
      const id = await createDocument(context, actor, { title, form, files: http.files, from: http, key })
      return describeDocument(context, actor, { id })
    },
  }),
  route({
    ...endpoints.previewText,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'The pages of a text as a PDF; nothing is stored',
    limits: [{ per: 'actor', max: 120, windowSec: 60 }],
    maxBodyBytes: maxTextBytes,
    handle: ({ actor, body: { text, format, ...body } }) =>
      previewText(context, { source: { ...body, [format]: text }, tenant: scopeOf(actor) }),
  }),
  route({
    ...endpoints.listDocuments,
    access: 'user',
    summary: 'List documents, newest first unless sorted',
    handle: async ({ actor, query }) => {
      const rows = await listDocuments(context.kernel.db, actor, { kind: 'DOCUMENT', ...query })
      const page = rows.slice(0, query.limit)
      return {
        data: page.map((row) => presentHead(row, row.signers)),
        next_cursor: nextCursor(rows, query),
      }
    },
  }),
  route({
    ...endpoints.getDocument,
    access: 'user',
    summary: 'Get a document with its files, recipients and fields',
    handle: ({ actor, params }) => describeDocument(context, actor, { id: params.id }),
  }),
  route({
    ...endpoints.changeDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change settings; after sending only expiry, reminders and folder',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => changeDocument(context, change, body)),
  }),
  route({
    ...endpoints.deleteDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a draft, or hide a finished document; its evidence is kept',
    handle: ({ actor, params, http }) => deleteDocument(context, { actor, id: params.id, from: http }),
  }),
]

const contentRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.addFiles,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add PDFs to a draft',
    upload,
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) =>
        addFiles(context, change, { files: http.files, form: body }),
      ),
  }),
  route({
    ...endpoints.arrangeFiles,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Put the files of a draft in order',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => orderFiles(context, change, body.fileIds)),
  }),
  route({
    ...endpoints.removeFile,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove a file and its fields from a draft',
    handle: ({ actor, params, http }) => removeFile(context, { actor, id: params.id, from: http }, params.fileId),
  }),
  route({
    ...endpoints.setRecipients,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Replace the recipients of a draft',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => setRecipients(context, change, body)),
  }),
  route({
    ...endpoints.setFields,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Replace the fields of a draft',
    maxBodyBytes: maxFieldsBytes,
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => setFields(context, change, body)),
  }),
]

const sentRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.sendDocument,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Send a draft; `document_not_ready` names everything that is missing',
    handle: ({ actor, params, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => sendDocument(context, change)),
  }),
  route({
    ...endpoints.cancelDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Cancel a document that is not finished',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => cancelDocument(context, change, body?.reason)),
  }),
  route({
    ...endpoints.remindRecipients,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Email a reminder to everybody whose turn it is',
    handle: ({ actor, params, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => remindNow(context, change)),
  }),
  route({
    ...endpoints.retrySeal,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Try again to seal a document after sealing failed',
    handle: ({ actor, params, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) => retrySeal(context, change)),
  }),
  route({
    ...endpoints.resendToRecipient,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Email a new link; earlier ones stop working',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) =>
        resendLink(context, change, { recipientId: params.recipientId, email: body?.email }),
      ),
  }),
  route({
    ...endpoints.makeRecipientLink,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: "Get a link to hand over when the email couldn't go out; the evidence says so",
    limits: [{ per: 'actor', max: 200, windowSec: 3600 }],
    handle: ({ actor, params, http }) => copyLink(context, { actor, id: params.id, from: http }, params.recipientId),
  }),
  route({
    ...endpoints.replaceRecipient,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Replace a recipient who has not signed',
    handle: ({ actor, params, body, http }) =>
      thenDescribe(context, { actor, id: params.id, http }, (change) =>
        replaceRecipient(context, change, { recipientId: params.recipientId, person: body }),
      ),
  }),
]

const evidenceRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.readDocument,
    access: 'user',
    summary: 'Download an original, what was uploaded, or the sealed PDF',
    handle: ({ actor, params, query, http }) => replyWithFile(context, { actor, id: params.id, from: http, ...query }),
  }),
  route({
    ...endpoints.proposeFields,
    access: 'user',
    summary: 'Propose fields from the form and the text of a file',
    limits: [{ per: 'actor', max: 60, windowSec: 60 }],
    handle: ({ actor, params, query }) => proposeFieldsFor(context, actor, { id: params.id, fileId: query.fileId }),
  }),
  route({
    ...endpoints.getCertificate,
    access: 'user',
    summary: 'Get the certificate of completion as JSON',
    handle: ({ actor, params }) => readCertificate(context, actor, params.id),
  }),
  route({
    ...endpoints.readCertificate,
    access: 'user',
    summary: 'Download the certificate of completion as a sealed PDF',
    limits: [{ per: 'actor', max: 60, windowSec: 60 }],
    handle: async ({ actor, params, http }) =>
      replyWithCertificate(context, await getDocument(context.kernel.db, actor, params), http),
  }),
  route({
    ...endpoints.listDocumentAudit,
    access: 'user',
    summary: 'Get the audit log and whether its hash chain holds',
    handle: ({ actor, params }) => readAudit(context, actor, params.id),
  }),
  route({
    ...endpoints.getQuota,
    access: 'user',
    summary: 'How many documents can be sent this month, and how much can be stored in documents and files',
    handle: ({ actor }) => readQuota(context, context.kernel.db, actor),
  }),
]
